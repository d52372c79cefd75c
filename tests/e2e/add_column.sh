#!/bin/sh
# docs/how-to/add-a-column.md: its change, made in a copy of the sources, gives measurements a column in records and in
# the store, and stores that were there are migrated.
#
# usage: add_column.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need sqlite3 sqlite3
need patch patch

mkdir copy && (cd "$source" && tar cf - CMakeLists.txt README.md LICENSE cmake docs include src tests bench scripts plots \
  platforms experiments) | tar xf - -C copy || die "cannot copy the sources"
page=how-to/add-a-column.md
block $page diff >change
[ "$(grep -c '^+++ ' change)" -eq 3 ] || die "not three files: $(cat change)"
patch -s -p1 -d copy <change >log 2>&1 || die "the change does not apply: $(cat log)"

cmake -S copy -B build -G Ninja -DTUTTI_FLAVORS_WANTED=none -DTUTTI_WERROR=ON -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O1 >log 2>&1 &&
  cmake --build build -t tutti test_row test_record test_store test_migration >>log 2>&1 ||
  die "does not build: $(tail -n 20 log)"
for unit in row record store migration; do
  build/tests/test_$unit >out 2>&1 || die "test_$unit: $(tail -n 8 out)"
done

# Beside what a store of the version before has.
sqlite3 results.db <"$source/tests/store/version_5.sql"
block $page text >records.txt
block $page sh >commands
sh -eu commands >out 2>err || die "the page's commands: $(cat out err)"
[ "$(sqlite3 results.db 'PRAGMA user_version')" -eq 6 ] || die "not migrated"
[ "$(grep -c '|0.0$' out)" -eq 22 ] || die "not 22 rows without a spread: $(cat out)"
[ "$(tail -n 1 out)" = 'bcast/linear|3.0e-06' ] || die "no spread: $(cat out)"
echo '1 passed, 0 failed'
