#!/bin/sh
# Sizes and speeds of group maps: every representation of a group is there or says why not, and a strategy chose one.
#
# usage: maps.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need sqlite3 sqlite3

run 0 rank-maps contiguous decreasing
expect '^contiguous, 10000 members$'
expect '^  range +[0-9]+ +0\.0[0-9]+ .* 1?[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +least-space least-time hybrid$'
expect '^  range .*'
expect '^decreasing, 10000 members$'
expect '^  bitmap +map "bitmap" holds ordered groups only'
[ "$(grep -c '^  array ' out)" -eq 2 ] || die "not an array for each group: $(cat out)"
run 0 rank-maps contiguous --json
python3 -c 'import json; rows = json.load(open("out")); assert len(rows) == 11, len(rows)
assert [r["ratio_to_array"] for r in rows if r["kind"] == "array"] == [1]
assert all(r["refused"] or r["bytes"] > 0 for r in rows)' || die "JSON: $(cat out)"
# Those of the figures, each in its own world.
run 0 rank-maps sub-mesh A1 C3 --db figures.db
expect '^sub-mesh, 8192 members$'
expect '^A1, 10000 members$'
[ "$(sqlite3 figures.db "SELECT DISTINCT \"group\", world FROM group_map ORDER BY 2" | tr '\n' ' ')" = \
  'C3|100000 A1|110000 sub-mesh|1048576 ' ] || die "worlds: $(sqlite3 figures.db 'SELECT * FROM group_map')"
run 2 rank-maps contiguous --db absent/maps.db
[ ! -s out ] || die "measured for a store that cannot be: $(cat out)"
run 2 rank-maps contiguous --platform here
run 2 rank-maps everybody
expect "'everybody' is none of the groups one-removed, ranges"
# The name before the second edition.
run 0 maps contiguous
expect '^contiguous, 10000 members$'
run 0 rank-maps contiguous --csv
[ "$(wc -l <out)" -eq 12 ] || die "CSV: $(cat out)"
