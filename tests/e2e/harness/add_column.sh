#!/bin/sh
# docs/how-to/add-a-column.md: its change, made in a copy of the sources, gives measurements a column in records and in
# the store, and stores that were there are migrated.
#
# usage: add_column.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need sqlite3 sqlite3
need patch patch

copy_sources
page=how-to/add-a-column.md
block $page diff >change
[ "$(grep -c '^+++ ' change)" -eq 3 ] || die "not three files: $(cat change)"
patch -s -p1 -d copy <change >log 2>&1 || die "the change does not apply: $(cat log)"

SUITES='row;record;store;migration' build_copy tutti unit-decision unit-harness

# Of every version of the schema there must be a store, of the new one too.
build/tests/unit-harness migration >out 2>&1 && die "unit.migration does not ask for a store of version 10"
expect 'tests/store/version_10.sql is missing: make it with tests/store/make.sh'
block $page text >records.txt
block $page 'sh store' | sed "s|tests/store|copy/tests/store|" >commands
sh -eu commands >out 2>err || die "the page's commands: $(cat out err)"
expect '^tests/store/version_10.sql: '
for unit in 'decision row' 'decision record' 'harness store' 'harness migration'; do
  build/tests/unit-$unit >out 2>&1 || die "unit-$unit: $(tail -n 8 out)"
done

# Beside what a store of the version before has.
sqlite3 results.db <"$source/tests/store/version_9.sql"
block $page sh >commands
sh -eu commands >out 2>err || die "the page's commands: $(cat out err)"
[ "$(sqlite3 results.db 'PRAGMA user_version')" -eq 10 ] || die "not migrated"
[ "$(grep -c '|0.0$' out)" -eq 24 ] || die "not 24 rows without an upper end: $(cat out)"
[ "$(tail -n 1 out)" = 'bcast/linear|3.0e-06' ] || die "no upper end: $(cat out)"

# A default other than 0, of rows of an older store and of records without the column alike; and a schema whose version
# is older than a column.
sed -i 's/upper, OPTIONAL, .standard = "0"/upper, OPTIONAL, .standard = "0.5"/' copy/src/decision/results/kinds.def
cmake --build build -t tutti >>log 2>&1 || die "does not build with another default: $(tail -n 20 log)"
rm results.db
sqlite3 results.db <"$source/tests/store/version_9.sql"
sh -eu commands >out 2>err || die "the page's commands: $(cat out err)"
[ "$(grep -c '|0.5$' out)" -eq 24 ] || die "not 24 rows with the default: $(cat out)"
sed -i 's/^VERSION(10)/VERSION(9)/' copy/src/decision/results/kinds.def
cmake --build build -t unit-decision >>log 2>&1 || die "does not build with an older version: $(tail -n 20 log)"
build/tests/unit-decision row >out 2>&1 && die "unit.row lets a column be newer than the schema"
expect "tutti-measurement: the column 'upper_s' is of version 10, but VERSION is 9: raise it in src/decision/results/kinds.def"
echo '1 passed, 0 failed'
