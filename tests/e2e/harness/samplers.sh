#!/bin/sh
# The benchmark of samplers runs all ways on a small map, the same twice, and what the process expects of a map that is
# its own prior is true.
#
# usage: samplers.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

bench() {
  "$build/bench-samplers" "$@" >out 2>err || die "bench-samplers $*: $(cat err)"
}

for platform in grig_mx frodo_mx; do
  run 0 predict bcast --platform $platform -P 4..16*2 -m 8..8KB*4 --model loggp --store $platform.db
done
bench --seeds 2 --csv bcast grig_mx.db frodo_mx.db
mv out first
bench --seeds 2 --csv bcast grig_mx.db frodo_mx.db
cmp -s first out || die "two runs differ: $(diff first out | head -2)"
awk -F, 'NR > 1 { ways[$2]++; bad += $5 < 0 || $6 < $5 } END { for (w in ways) count++; exit count != 9 || bad }' out ||
  die "nine ways with losses were expected"

bench --seeds 2 --noise 0 --ways ours,quadtree bcast grig_mx.db grig_mx.db
awk -F"[|/]" '/^\| ours / { if ($3 > 3) exit 1; lines++ } END { exit lines != 2 }' out ||
  die "its own prior misled it: $(cat out)"
bench --seeds 1 --most 1 --noise 0 --ways "nearest neighbor,ours" bcast grig_mx.db -
expect '^nearest neighbor +[1-9][0-9]* +a full sweep has 1\.[0-9] times as many'

"$build/bench-samplers" reduce grig_mx.db - >out 2>err && die "reduce was not measured"
expect '^bench-samplers: grig_mx\.db: no measurement of reduce on platform \(any\)'
"$build/bench-samplers" bcast grig_mx.db >out 2>err && die "it has no prior"
expect '^usage'
echo "all ways sample the same twice"
