#!/bin/sh
# What the algorithms that came after 2018 win over those that were there before (algorithms_of_2018.txt): the methods of
# both on a torus, a fat tree and a dragonfly, by the fast engine, one row a collective and number of ranks. `loss` is how
# much longer the best method of before takes than the best of all, in the mean and at most, over the sizes.
#
# usage: algorithms_of_today.sh STORE [RANKS...]   (tutti in the PATH; what the store has is not measured again)
set -eu
store=$1
shift
before=$(dirname "$0")/algorithms_of_2018.txt

measure() { # PLATFORM RANKS: every algorithm, and segments of 8 and 64 KB where there are any
  for collective in allreduce bcast reduce; do
    tutti bench $collective --platform "$1" -P "$2" -s 8,1KB,16KB,256KB,1MB --segments none,8KB,64KB --engine fast \
      --scheme window --db "$store" --quiet >&2
  done
  for collective in allgather reduce_scatter_block alltoall; do # sizes of one rank's block
    tutti bench $collective --platform "$1" -P "$2" -s 8,1KB,16KB --engine fast --scheme window --db "$store" --quiet >&2
  done
}

for ranks in "${@:-64}"; do
  for platform in bgp hdr_fat_tree slingshot_dragonfly; do measure $platform "$ranks"; done
done

sqlite3 -bail "$store" <<SQL
CREATE TEMP TABLE before (name TEXT);
.import '$before' before
CREATE TEMP TABLE best AS
  WITH named AS (
    SELECT e.platform, d.collective, m.ranks, m.rank_B, m.median_s, d.name,
           CASE instr(substr(d.name, length(d.collective) + 2), '/') WHEN 0 THEN d.name
           ELSE substr(d.name, 1, length(d.collective) + instr(substr(d.name, length(d.collective) + 2), '/')) END AS algorithm
    FROM measurement m JOIN method d ON d.id = m.method JOIN environment e ON e.id = m.environment)
  SELECT platform, collective, ranks, rank_B, name, algorithm, min(median_s) AS now_s,
         (SELECT min(o.median_s) FROM named o WHERE (o.platform, o.collective, o.ranks, o.rank_B) =
          (n.platform, n.collective, n.ranks, n.rank_B) AND o.algorithm IN (SELECT name FROM before)) AS before_s
  FROM named n GROUP BY platform, collective, ranks, rank_B;
.mode markdown
SELECT platform, collective, ranks, count(*) AS points, sum(before_s / now_s > 1 + 1e-9) AS new_winner,
       printf('%.1f', avg(100 * (before_s / now_s - 1))) AS mean_loss_percent,
       printf('%.1f', max(100 * (before_s / now_s - 1))) AS most_percent
FROM best GROUP BY 1, 2, 3;
SELECT algorithm, count(*) AS wins, printf('%.2f', max(before_s / now_s)) AS most_times,
       (SELECT platform || ', ' || ranks || ' ranks, ' || rank_B || ' B' FROM best b WHERE b.algorithm = a.algorithm
        ORDER BY b.before_s / b.now_s DESC LIMIT 1) AS there
FROM best a WHERE before_s / now_s > 1 + 1e-9 GROUP BY 1 ORDER BY 2 DESC, 1;
SQL
