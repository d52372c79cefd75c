#!/bin/sh
# docs/how-to/add-a-kind.md: its change to a copy of the sources adds a kind of row, which is read, stored, merged and checked.
#
# usage: add_kind.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need patch patch
need sqlite3 sqlite3
before=$tutti page=how-to/add-a-kind.md

copy_sources
block $page diff >change
[ "$(grep -c '^+++ ' change)" -eq 3 ] || die "not three files: $(cat change)"
patch -s -p1 -d copy <change >log 2>&1 || die "the change does not fit the sources: $(cat log)"
build_copy tutti

block $page "text records" >records
block $page sh | grep -v '^cmake' >commands
[ "$(wc -l <commands)" -eq 4 ] || die "the page's commands: $(cat commands)"
sh -eu commands >out 2>err || die "the page's commands: $(cat out err)"
expect '^clock\|step_s$'
expect '^monotonic\|2\.5e-08$'
expect '^clocks.db: 1 row added'
[ -s report.html ] || die "no report of such a store"
[ "$(sqlite3 all.db 'SELECT clock, step_s FROM clock')" = 'monotonic|2.5e-08' ] || die "not merged"

# The store of the new version for the tests of migration.
block $page 'sh store' | sed "s|tests/store|copy/tests/store|" >commands
sh -eu commands >out 2>err || die "the page's commands: $(cat out err)"
grep -q "^INSERT INTO clock VALUES(.*'monotonic'," copy/tests/store/version_10.sql || die "no clock in the store: $(cat out)"

# A value that the column does not have; and the command of before refuses the kind and the newer store.
sed 's/step_s=2.5e-08/step_s=-1/' records >bad
tutti=build/tutti
run 2 import --format tutti bad --platform mycluster --db bad.db
expect "tutti-clock: field 'step_s' is '-1'"
tutti=$before
run 2 import --format tutti records --platform mycluster --db bad.db
run 2 merge clocks.db --db other.db
expect 'a store of version 10, but this program reads versions 1 to 9 only'
