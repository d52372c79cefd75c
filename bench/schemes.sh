#!/bin/sh
# schemes.sh BUILD_DIR: how often the schemes occ and window put methods in the same order: all methods of broadcast,
# allreduce and barrier on seven platforms, by the fast engine, pair by pair; and what the fastest by window costs by occ.
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# measure RANKS PLATFORM...
measure() {
  ranks=$1
  shift
  for platform; do
    for scheme in occ window; do
      "$build/tutti" bench bcast,allreduce,barrier --platform "$platform" -P "$ranks" -s '8B..32KB*16' --engine fast \
        --scheme "$scheme" --db "$work/db" --quiet >"$work/out"
    done
  done
}
measure '8..32*2' grig_mx boba_gige
measure '8..128*4' supermuc bgp torus hdr_fat_tree slingshot_dragonfly
sqlite3 -box "$work/db" "
CREATE TEMP TABLE t AS SELECT o.environment e, m.collective c, o.ranks p, o.rank_B s, o.method m, o.median_s occ, w.median_s win
  FROM measurement o JOIN measurement w USING (environment, method, ranks, root, count, type_B) JOIN method m ON m.id = method
  WHERE o.scheme = 'occ' AND w.scheme = 'window';
CREATE TEMP TABLE pair AS SELECT a.e, a.c,
    (abs(a.occ - b.occ) > 1e-9 * b.occ) * sign(a.occ - b.occ) o, (abs(a.win - b.win) > 1e-9 * b.win) * sign(a.win - b.win) w
  FROM t a JOIN t b USING (e, c, p, s) WHERE a.m < b.m;
SELECT platform, count(*) pairs, round(100.0 * sum(o = w) / count(*), 2) same_percent,
    round(100.0 * sum(o * w < 0) / count(*), 2) opposite_percent FROM pair JOIN environment ON id = e GROUP BY 1
  UNION ALL SELECT 'all', count(*), round(100.0 * sum(o = w) / count(*), 2), round(100.0 * sum(o * w < 0) / count(*), 2) FROM pair;
WITH best AS (SELECT occ / min(occ) OVER point - 1 loss, row_number() OVER (PARTITION BY e, c, p, s ORDER BY win) n FROM t
  WINDOW point AS (PARTITION BY e, c, p, s))
SELECT count(*) points, round(100.0 * sum(loss < 1e-9) / count(*), 1) same_best_percent, round(100 * avg(loss), 2) mean_loss_percent,
    round(100 * max(loss), 1) most_percent FROM best WHERE n = 1;"
