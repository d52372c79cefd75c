#!/bin/sh
# Sets builds of process groups beside Langer, Venkataraman, Kale 2012, table II (langer_table_2.csv): messages, built
# here within one process with as many members as the published counts imply, and times, from a store that
# `tutti bench experiments/langer_table_2.xml` has filled, of the platform bgp.
#
# usage: sh experiments/langer_table_2.sh [STORE]
# TUTTI: the command (default build/tutti). MAX_RANKS: the columns up to that one.
set -eu
here=$(dirname "$0")
tutti=${TUTTI:-$here/../build/tutti}
most=${MAX_RANKS:-131072}
[ $# -eq 0 ] || [ -r "$1" ] || { echo "langer_table_2.sh: cannot read the store '$1'" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sql() { # STATEMENTS: with the published table as "published"
  sqlite3 -batch "$work/table.db" "$1"
}

sqlite3 -batch "$work/table.db" '.mode csv' ".import $here/langer_table_2.csv text" "
  CREATE TABLE published AS SELECT CAST(fraction AS REAL) fraction, builder, CAST(ranks AS INTEGER) ranks,
    CAST(nullif(time_us, '') AS REAL) time_us, CAST(nullif(messages, '') AS INTEGER) messages FROM text WHERE CAST(ranks AS INTEGER) <= $most;"

# A Centralized build takes n - 1 + m - 1 messages: the published counts tell the number m of members.
sql "SELECT ranks, messages - ranks + 2 FROM published WHERE builder = 'centralized'" | tr '|' ' ' >"$work/members"
while read -r ranks members; do
  "$tutti" group centralized shrink-balance/leaf-as-filler shrink-hash/no-filler -P "$ranks" --members "$members" \
    --seed 7 --branching 3 --in-process --db "$work/counts.db" >/dev/null
done <"$work/members"

COLUMNS_OF='max(CASE ranks WHEN 2048 THEN v END) "2k", max(CASE ranks WHEN 4096 THEN v END) "4k",
  max(CASE ranks WHEN 8192 THEN v END) "8k", max(CASE ranks WHEN 16384 THEN v END) "16k",
  max(CASE ranks WHEN 32768 THEN v END) "32k", max(CASE ranks WHEN 65536 THEN v END) "64k",
  max(CASE ranks WHEN 131072 THEN v END) "128k"'

echo 'Messages at equal numbers of members: ours / published (difference in percent)'
sqlite3 -batch -box "$work/table.db" "ATTACH '$work/counts.db' AS counts;
  CREATE TABLE pairs AS SELECT p.*, g.messages ours FROM published p JOIN published c USING (fraction, ranks)
    JOIN counts.group_build g ON g.ranks = p.ranks AND g.builder = p.builder AND g.members = c.messages - p.ranks + 2
    WHERE c.builder = 'centralized' AND p.messages IS NOT NULL;
  SELECT fraction, builder, $COLUMNS_OF FROM (SELECT fraction, builder, ranks,
      ours || '/' || messages || printf(' (%+.2f)', 100.0 * (ours - messages) / messages) v FROM pairs)
    GROUP BY fraction, builder;
  SELECT builder, count(*) cells, printf('%.3f %%', 100 * avg(d)) mean, printf('%.3f %%', 100 * max(d)) worst FROM
    (SELECT builder, abs(ours - messages) / (0.0 + messages) d FROM pairs) GROUP BY builder"

[ $# -gt 0 ] || exit 0

echo
echo 'Time in microseconds: simulated / published (ratio); - where nothing is published'
sqlite3 -batch -box "$work/table.db" "ATTACH '$1' AS store;
  CREATE TABLE simulated AS SELECT c.fraction, g.builder, g.ranks, 1e6 * g.median_s ours FROM store.group_build g
    JOIN store.environment e ON e.id = g.environment
    JOIN published c ON c.builder = 'centralized' AND c.ranks = g.ranks AND g.members = c.messages - c.ranks + 2
    WHERE e.platform = 'bgp' AND branching = 3 AND exact = 1 AND seed = 7 AND colours = 1 AND node_ranks = 1;
  CREATE TABLE cells AS SELECT s.*, p.time_us theirs, abs(ours / p.time_us - 1) error FROM simulated s
    LEFT JOIN published p USING (fraction, builder, ranks);
  SELECT fraction, builder, $COLUMNS_OF FROM (SELECT fraction, builder, ranks, CASE WHEN theirs IS NULL
      THEN printf('%.0f/-', ours) ELSE printf('%.0f/%.0f (%.2f)', ours, theirs, ours / theirs) END v FROM cells)
    GROUP BY fraction, builder;
  CREATE TABLE errors AS SELECT *, row_number() OVER (ORDER BY error) place, count(*) OVER () cells FROM cells
    WHERE theirs IS NOT NULL;
  SELECT cells, printf('%.1f %%', 100 * avg(error) FILTER (WHERE place IN ((cells + 1) / 2, cells / 2 + 1)))
      'median error', printf('%.1f %%', 100 * max(error)) 'worst' FROM errors;
  SELECT fraction 'worst: fraction', builder, ranks, printf('%.2f', ours / theirs) ratio FROM errors ORDER BY place DESC
    LIMIT 3;
  SELECT count(*) 'pairs over 15 % apart', sum((a.ours < b.ours) = (a.theirs < b.theirs)) 'in the published order'
    FROM cells a JOIN cells b ON a.fraction = b.fraction AND a.ranks = b.ranks AND a.builder < b.builder
    WHERE max(a.theirs, b.theirs) > 1.15 * min(a.theirs, b.theirs);
  SELECT printf('%d ranks, fraction %g: Centralized / Shrink-and-Hash', a.ranks, a.fraction) '',
      printf('%.2f', a.ours / b.ours) ours, printf('%.2f', a.theirs / b.theirs) published
    FROM cells a JOIN cells b ON a.fraction = b.fraction AND a.ranks = b.ranks
    WHERE a.builder = 'centralized' AND b.builder = 'shrink-hash/no-filler' AND a.fraction = 0.99
      AND a.theirs IS NOT NULL ORDER BY a.ranks"
