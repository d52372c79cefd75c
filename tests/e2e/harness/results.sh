#!/bin/sh
# Sorts and ranges work like measurements: an experiment continues where it was, a run by hand gives the same rows in the
# store, and a failure names its point and loses nothing.
#
# usage: results.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need sqlite3 sqlite3
for program in tutti-sort tutti-range; do
  [ -r "$build/smpi/$program" ] || { echo "skipped: no $program for smpi"; exit 77; }
done

write_sorts() { # COUNTS
  cat >sorts.xml <<XML
<experiment name="sorts"><platform name="grig_fast_ethernet"/>
  <sort ranks="6 8" count="$1" algorithm="janus sample hypercube" layer="ranges split/mpich"/></experiment>
XML
}

rows() { # DATABASE TABLE
  sqlite3 "$1" "SELECT e.platform, e.platform_hash, e.flavor, e.library, e.tutti, t.* FROM $2 t
    JOIN environment e ON e.id = t.environment" | cut -d '|' -f 1-5,7-
}

# --- a sweep: two layers of janus, the sample sort, and the hypercube of 8 ranks alone ---

write_sorts '3'
run 0 bench sorts.xml --db results.db --quiet
expect '^sorts: 7 points measured, 0 there already, 2 outside the domain'
write_sorts '3 0'
run 0 bench sorts.xml --db results.db --quiet
expect '^sorts: 7 points measured, 7 there already, '
run 0 bench sorts.xml --db results.db --quiet
expect '^sorts: 0 points measured, 14 there already, '
[ "$(sqlite3 results.db 'SELECT count(*), sum(elements) FROM sort_run WHERE ranks = 8')" = '8|96' ] ||
  die "not the elements of eight sorts of 8 ranks: $(rows results.db sort_run)"
[ "$(sqlite3 results.db "SELECT count(*) FROM sort_run WHERE layer = '-'")" -eq 6 ] ||
  die "layers where there are none: $(rows results.db sort_run)"

# --- by hand ---

for layer in ranges split/mpich; do
  for count in 0 3; do
    echo "janus layer=$layer order=alternating assignment=greedy distribution=uniform type=double count=$count seed=1"
  done
done >janus
{ echo 'tutti-points v=1 repetitions_max=200 ranks_per_node=1'; cat janus; } >points
simulate grig_fast_ethernet 8 "$build/smpi/tutti-sort" --points points >printed
run 0 take printed --db taken.db --platform grig_fast_ethernet
rows taken.db sort_run >taken.rows
rows results.db sort_run | grep '|janus|' | grep -- '|8|[03]|' >bench.rows
[ "$(wc -l <taken.rows)" -eq 4 ] || die "not four sorts: $(cat taken.rows)"
cmp taken.rows bench.rows || die "tutti bench and tutti take differ: $(cat bench.rows taken.rows)"

# --- ranges; a point that the program refuses ---

write_ranges() { # OPERATIONS
  cat >ranges.xml <<XML
<experiment name="ranges"><platform name="grig_fast_ethernet"/>
  <range operation="$1" way="ranges split/mpich" ranks="8 12" size="ranks/2"/></experiment>
XML
}

write_ranges create
run 0 bench ranges.xml --db results.db --quiet
expect '^ranges: 4 points measured, 0 there already, '
write_ranges 'create bcast'
run 2 bench ranges.xml --db results.db --quiet
expect "ranges.xml:2: tutti-range: bcast has no way 'split/mpich': it has ranges, view, native"
[ "$(sqlite3 results.db 'SELECT group_concat(size) FROM (SELECT size FROM range_run ORDER BY size)')" = 4,4,6,6 ] ||
  die "not four ranges: $(rows results.db range_run)"
[ "$(sqlite3 results.db "SELECT max(median_s) < 1e-5 FROM range_run WHERE way = 'ranges'")" -eq 1 ] ||
  die "ranges take time: $(rows results.db range_run)"
echo "14 sorts, four of them by hand as well, 4 ranges"
