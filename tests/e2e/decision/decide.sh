#!/bin/sh
# The benchmark of decision times learns from a store, exports, compiles, and finds that all forms decide the same.
#
# usage: decide.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

run 0 predict bcast --platform grig_fast_ethernet -P 2..28 -m 1..256KB*2 --segments none,1KB,8KB --model loggp \
  --store some.db
CC=${CC:-cc} "$build/bench-decide" some.db grig_fast_ethernet bcast any 1 >out 2>err || die "bench-decide: $(cat err)"
number='[0-9]+\.[0-9]+'
expect "^Open MPI 4\.1 +$number +1\.00 +$number +1\.00\$"
expect "^quadtree, depth 3 +[1-3]\.[0-9]+ +$number \| +$number +$number +$number +[1-9][0-9]* +$number \| +$number"
expect "^quadtree, exact +$number +0\.00 \|"
expect "^C4\.5 -m 2 -c 25 +$number"
expect "^octree, depth 3 +$number +- \| +$number"

# A missing measurement or rule is an error.
"$build/bench-decide" some.db grig_fast_ethernet reduce any 1 >out 2>err && die "reduce was not measured"
expect '^bench-decide: some\.db: no measurement of reduce on platform grig_fast_ethernet'
"$build/bench-decide" absent.db grig_fast_ethernet bcast >out 2>err && die "there is no store"
expect '^bench-decide: absent\.db'
echo "decisions of all forms agree"
