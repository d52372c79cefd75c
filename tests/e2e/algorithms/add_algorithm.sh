#!/bin/sh
# docs/how-to/add-an-algorithm.md: its file and its line, added to a copy of the sources, make an algorithm that verifies, and
# the unit tests that look at every algorithm of the catalogue hold.
#
# usage: add_algorithm.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

copy_sources
file=src/algorithms/catalogue/bcast/fibonacci.c
block how-to/add-an-algorithm.md "c $file" >copy/$file
list=copy/src/algorithms/catalogue/catalogue.def # the line comes below the last one of its collective
block how-to/add-an-algorithm.md "c src/algorithms/catalogue/catalogue.def" >line
awk 'FNR == NR { new = new $0 "\n"; next }
  /---- barrier ----/ { print new }
  { print }' line "$source/src/algorithms/catalogue/catalogue.def" >$list
grep -q fibonacci $list || die "the line was not added"

SUITES="verify;count;method_order;marks" build_copy tutti unit-algorithms unit-cli
tutti=build/tutti
block how-to/add-an-algorithm.md sh | grep '^build/tutti' >commands
[ "$(wc -l <commands)" -ge 2 ] || die "no commands in the page"
sh -eu commands >out 2>err || die "the page's commands: $(cat out err)"
block how-to/add-an-algorithm.md text >text
[ "$(grep -cxF -f text out)" -ge "$(wc -l <text)" ] || die "the page promises '$(cat text)', but: $(cat out)"
run 0 algorithms bcast
expect '^bcast/fibonacci$'
build/tests/unit-algorithms verify bcast/fibonacci >out 2>err || die "is not proven for all numbers of ranks: $(tail -n 5 err)"
for suite in algorithms:count algorithms:method_order cli:marks; do
  "build/tests/unit-${suite%:*}" "${suite#*:}" >out 2>&1 || die "unit.${suite#*:} with it: $(grep -v '  OK ' out)"
done
sed -i 's/received = tutti_add_recv(builder, holder/received = tutti_add_recv(builder, next == 1 ? 0 : holder/; s/own == cut/own == cut \&\& cut != 3/' copy/$file
cmake --build build -t tutti >>log 2>&1 || die "the faulty one does not build: $(tail -n 20 log)"
run 1 schedule bcast/fibonacci -P 8 -n 1000
