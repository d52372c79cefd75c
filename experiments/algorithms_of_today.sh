#!/bin/sh
# What the algorithms that came after 2018 win over those that were there before (algorithms_of_2018.txt): the methods of
# both on a torus, a fat tree and a dragonfly, by the fast engine, one row a collective and number of ranks. `loss` is how
# much longer the best method of before takes than the best of all, in the mean and at most, over the sizes.
#
# usage: algorithms_of_today.sh STORE [RANKS...]   (tutti in the PATH; what the store has is not measured again)
# ENGINE=flow: by that engine, where networks are crowded.
# LIMIT=TIME algorithms_of_today.sh STORE RANKS...   for thousands of ranks, where some methods do not end: the methods
# that the store has of other numbers of ranks, each from its smallest size to the first point that takes longer than
# TIME, such as 60s. A point where a method of before is missing is not compared; `of_today_missing` counts the methods
# of today that are missing at those that are: there the loss may be larger.
set -eu
store=$1
shift
before=$(dirname "$0")/algorithms_of_2018.txt

# The name of a method without the sides that its ranks have on the torus.
unsided="substr(d.name, 1, instr(d.name || '/torus=', '/torus=') - 1)"

measure() { # PLATFORM RANKS: every algorithm, and segments of 8 and 64 KB where there are any
  for collective in allreduce bcast reduce; do
    tutti bench $collective --platform "$1" -P "$2" -s 8,1KB,16KB,256KB,1MB --segments none,8KB,64KB --engine "${ENGINE:-fast}" \
      --scheme window --db "$store" --quiet >&2
  done
  for collective in allgather reduce_scatter_block alltoall; do # sizes of one rank's block
    tutti bench $collective --platform "$1" -P "$2" -s 8,1KB,16KB --engine "${ENGINE:-fast}" --scheme window --db "$store" --quiet >&2
  done
}

measure_within() { # PLATFORM RANKS COLLECTIVE SIZE...: as long as each point takes no more than LIMIT
  platform=$1 ranks=$2 collective=$3
  shift 3
  of="FROM measurement m JOIN method d ON d.id = m.method JOIN environment e ON e.id = m.environment
      WHERE e.platform = '$platform' AND d.collective = '$collective' AND m.ranks"
  left="SELECT DISTINCT $unsided $of != $ranks ORDER BY 1"
  sizes=0
  for size; do
    methods=$(sqlite3 "$store" "$left" | paste -sd,)
    [ -n "$methods" ] || break
    tutti bench "$collective" --platform "$platform" -P "$ranks" -s "$size" --methods "$methods" --engine "${ENGINE:-fast}" \
      --scheme window --db "$store" --job-timeout "$LIMIT" --keep-going --quiet >&2 || : # what ends late is missing
    sizes=$((sizes + 1))
    left="SELECT $unsided $of = $ranks GROUP BY 1 HAVING count(*) >= $sizes ORDER BY 1"
  done
}

for ranks in "${@:-64}"; do
  for platform in bgp hdr_fat_tree slingshot_dragonfly; do
    if [ -z "${LIMIT-}" ]; then
      measure "$platform" "$ranks"
      continue
    fi
    for collective in allreduce bcast reduce; do
      measure_within "$platform" "$ranks" $collective 8 1KB 16KB 256KB 1MB
    done
    for collective in allgather reduce_scatter_block alltoall; do
      measure_within "$platform" "$ranks" $collective 8 1KB 16KB
    done
  done
done

sqlite3 -bail "$store" <<SQL
CREATE TEMP TABLE before (name TEXT);
.import '$before' before
CREATE TEMP TABLE named AS
  SELECT e.platform, d.collective, m.ranks, m.rank_B, m.median_s, $unsided AS name,
         CASE instr(substr(d.name, length(d.collective) + 2), '/') WHEN 0 THEN d.name
         ELSE substr(d.name, 1, length(d.collective) + instr(substr(d.name, length(d.collective) + 2), '/')) END AS algorithm
  FROM measurement m JOIN method d ON d.id = m.method JOIN environment e ON e.id = m.environment;
CREATE TEMP TABLE known AS
  SELECT platform, collective, count(DISTINCT name) AS methods,
         count(DISTINCT CASE WHEN algorithm IN (SELECT name FROM before) THEN name END) AS old
  FROM named GROUP BY 1, 2;
CREATE TEMP TABLE best AS
  SELECT platform, collective, ranks, rank_B, name, algorithm, min(median_s) AS now_s,
         (SELECT min(o.median_s) FROM named o WHERE (o.platform, o.collective, o.ranks, o.rank_B) =
          (n.platform, n.collective, n.ranks, n.rank_B) AND o.algorithm IN (SELECT name FROM before)) AS before_s,
         methods - count(DISTINCT name) AS missing
  FROM named n JOIN known USING (platform, collective) GROUP BY platform, collective, ranks, rank_B
  HAVING count(DISTINCT CASE WHEN algorithm IN (SELECT name FROM before) THEN name END) = old;
.mode markdown
SELECT platform, collective, ranks, count(*) AS points, sum(before_s / now_s > 1 + 1e-9) AS new_winner,
       printf('%.1f', avg(100 * (before_s / now_s - 1))) AS mean_loss_percent,
       printf('%.1f', max(100 * (before_s / now_s - 1))) AS most_percent, sum(missing) AS of_today_missing
FROM best GROUP BY 1, 2, 3;
SELECT algorithm, count(*) AS wins, printf('%.2f', max(before_s / now_s)) AS most_times,
       (SELECT platform || ', ' || ranks || ' ranks, ' || rank_B || ' B' FROM best b WHERE b.algorithm = a.algorithm
        ORDER BY b.before_s / b.now_s DESC LIMIT 1) AS there
FROM best a WHERE before_s / now_s > 1 + 1e-9 GROUP BY 1 ORDER BY 2 DESC, 1;
SQL
