#!/bin/sh
# Sizes and speeds of group maps: every representation of a group is there or says why not, and a strategy chose one.
#
# usage: maps.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need sqlite3 sqlite3
command=$tutti program=$build/tutti-rank-maps

tutti=$program
run 0 --text contiguous decreasing
expect '^contiguous, 10000 members$'
expect '^  range +[0-9]+ +0\.0[0-9]+ .* 1?[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +least-space least-time hybrid$'
expect '^decreasing, 10000 members$'
expect '^  bitmap +map "bitmap" holds ordered groups only'
[ "$(grep -c '^  array ' out)" -eq 2 ] || die "not an array for each group: $(cat out)"
run 0 --json contiguous
python3 -c 'import json; rows = json.load(open("out")); assert len(rows) == 11, len(rows)
assert [r["ratio_to_array"] for r in rows if r["kind"] == "array"] == [1]
assert all(r["refused"] or r["bytes"] > 0 for r in rows)' || die "JSON: $(cat out)"
run 0 --csv contiguous
[ "$(wc -l <out)" -eq 12 ] || die "CSV: $(cat out)"
run 2 contigous
expect "^tutti-rank-maps: 'contigous' \(did you mean 'contiguous'\?\) is none of the groups one-removed, ranges"
[ ! -e /dev/full ] || ! "$program" contiguous >/dev/full 2>err || die "a full disk is no failure: $(cat err)"
# Those of the figures, each in its own world, as records; they are stored.
run 0 sub-mesh A1 C3
[ "$(grep -c ' strategy=[a-z]' out)" -eq 9 ] || die "not three choices a group: $(cat out)"
mv out records
tutti=$command
run 0 import records --format tutti --platform here --db figures.db
stored() { # STORE
  sqlite3 "$1" 'SELECT "group", world, members, kind, strategy, map_B, platform, flavor, library FROM maps ORDER BY 1, 4, 5'
}
stored figures.db | cut -d'|' -f1-3 | sort -u | tr '\n' ' ' >worlds
[ "$(cat worlds)" = 'A1|110000|10000 C3|100000|10000 sub-mesh|1048576|8192 ' ] || die "worlds: $(cat worlds)"

# The old names, which store by --db.
run 0 rank-maps sub-mesh A1 C3 --db old.db --platform here
expect '^tutti: note: tutti rank-maps is an old name of .*/tutti-rank-maps$'
expect '^sub-mesh, 8192 members$'
expect '^A1, 10000 members$'
! grep '^tutti-' out || die "records among the tables"
[ "$(stored old.db)" = "$(stored figures.db)" ] || die "other rows by the old name: $(stored old.db)"
run 2 rank-maps contiguous --db absent/maps.db
[ ! -s out ] || die "measured for a store that cannot be: $(cat out)"
run 2 rank-maps contiguous --platform here
run 2 rank-maps everybody --db none.db
expect "'everybody' is none of the groups one-removed, ranges"
run 0 maps contiguous
expect '^contiguous, 10000 members$'

# A step of an experiment.
step() { # STATUS WORDS
  printf '<experiment name="steps"><step>%s</step></experiment>' "$2" >steps.xml
  run "$1" bench steps.xml --db steps.db -q
}
step 0 'tutti-rank-maps sub-mesh A1 C3'
stored steps.db | cut -d'|' -f1-6 >rows
stored figures.db | cut -d'|' -f1-6 | cmp -s - rows || die "other rows by a step: $(cat rows)"
step 2 'tutti-rank-maps everybody'
expect "steps.xml:1: step 'tutti-rank-maps everybody': status 2: tutti-rank-maps: 'everybody' is none of"
for program in tutti-bench ./tutti-rank-maps ../build/tutti-rank-maps smpi/tutti-bench tutti-date.so; do
  step 2 "$program contiguous"
  expect "status 2: tutti: unknown subcommand '$program'"
done
