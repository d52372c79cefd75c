#!/bin/sh
# Runs by hand are stored as tutti bench would store them; incomplete runs are not.
#
# usage: import_runs.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need sqlite3 sqlite3

rows() { # DATABASE: its measurements with the names of their methods
  sqlite3 "$1" "SELECT e.platform, e.platform_hash, e.flavor, e.library, e.tutti, d.name, m.scheme, ranks,
    ranks_per_node, count, repetitions, median_s FROM measurement m JOIN method d ON d.id = m.method
    JOIN environment e ON e.id = m.environment ORDER BY d.name, count"
}

cat >it.xml <<XML
<experiment name="it"><platform name="grig_fast_ethernet"/><measure scheme="window"/>
  <sweep collective="bcast"><ranks>6</ranks><sizes>1 1000</sizes><method algorithm="linear"/><method
  algorithm="binomial"/></sweep></experiment>
XML
run 0 bench it.xml --db bench.db --quiet
simulate grig_fast_ethernet 6 "$build/smpi/tutti-bench" --scheme window --method bcast/linear,bcast/binomial \
  --size 1,1000 >printed
run 0 import --format tutti printed --db take.db --platform grig_fast_ethernet
expect '^4 records of 1 run, stored in take.db$'
rows bench.db >bench.rows
rows take.db >take.rows
[ "$(wc -l <take.rows)" -eq 4 ] || die "not four measurements: $(cat take.rows)"
cmp bench.rows take.rows || die "tutti bench and tutti import differ: $(cat bench.rows take.rows)"

# From a pipe, by the name before the second edition, and again: the same points are replaced.
{ echo 'other output'; cat printed; } >longer
"$tutti" take --db take.db --platform grig_fast_ethernet <longer >out 2>err || die "from a pipe: $(cat out err)"
[ "$(rows take.db | wc -l)" -eq 4 ] || die "points are there twice: $(rows take.db)"

# A column that is not there is named, and the rest is stored.
sed 's/ root=0/ late_s=1 root=0/' printed >misspelt
run 0 import --format tutti misspelt --db misspelt.db --platform grig_fast_ethernet
expect "^misspelt:2: 'late_s' is no column of tutti-measurement, and is ignored; its columns: method "
[ "$(grep -c late_s err)" -eq 1 ] || die "not named once: $(cat err)"
[ "$(rows misspelt.db | wc -l)" -eq 4 ] || die "not stored: $(rows misspelt.db)"

# --- incomplete runs ---

grep -v '^tutti-end' printed >cut
run 2 import --format tutti printed cut --db none.db --platform grig_fast_ethernet
expect 'cut:1: this run has no tutti-end record'
[ ! -e none.db ] || die "a store was made of a run that did not end"
sed 's/measurements=4/measurements=5/' printed >lost
run 2 import --format tutti lost --db none.db --platform grig_fast_ethernet
expect 'lost:6: tutti-end counts 5 records, but 4 came'
run 2 import --format tutti printed --db none.db
expect 'platform'
run 2 import --format tutti absent --db none.db --platform grig_fast_ethernet
expect 'absent: No such file'

echo "4 measurements as from tutti bench"
