#!/bin/sh
# Schedules for one machine: found, faster than all methods, written, proven, and a method in all commands; the same again;
# around a broken link; and what is refused.
#
# usage: synthesize.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

# ---- the page ----

block how-to/synthesize.md 'sh synthesize' >commands
mkdir bin && ln -s "$tutti" bin/tutti
PATH=$place/bin:$PATH sh -eu commands >out 2>err || die "the commands of the page: $(cat out err)"
expect '^allgather on 16 ranks of torus, blocks of 64KB$'
expect '^allgather/msccl-gather on 16 ranks, .*: verified$'
expect '^allgather/msccl-gather +[0-9]'
cp gather.xml first.xml

# ---- the same again, and what it says ----

run 0 synthesize allgather --platform torus -P 16 -s 64KB --budget 3s -o gather.xml --json
cmp gather.xml first.xml || die "another schedule the second time"
expect '"verified": true'
expect '"faster_found": true'
speedup=$(sed -n '1s/.*"speedup": \([0-9.]*\).*/\1/p' out)
awk "BEGIN { exit !($speedup > 1) }" || die "no faster than the best method: $(cat out)"

# The time is that of the file, as bench has it.
time=$(sed -n '1s/.*"time_s": \([0-9.e-]*\).*/\1/p' out)
run 0 --plugin gather.xml bench allgather --platform torus --engine fast -P 16 -s 64KB --methods msccl-gather --quiet --no-verify \
  --scheme window --db bench.db
run 0 --plugin gather.xml map allgather --platform torus --db bench.db --times --csv
awk -F, -v time="$time" '/msccl-gather/ { for (i = 1; i <= NF; i++) if ($i > 0 && $i / time > 0.999999 && $i / time < 1.000001) found = 1 }
     END { exit !found }' out || die "not $time: $(cat out)"

# ---- decided among ----

run 0 --plugin gather.xml bench allgather --platform torus --engine fast -P 16 -s 64KB --methods ring,bruck --quiet --no-verify \
  --scheme window --db bench.db
run 0 --plugin gather.xml map allgather --platform torus --db bench.db
expect 'allgather/msccl-gather +1 +100.0 %'
run 0 --plugin gather.xml learn quadtree allgather --platform torus --db bench.db -o tree.txt
run 0 --plugin gather.xml penalty tree.txt --platform torus --db bench.db
expect '^ +tree.txt +0.00 +0.00 .* 16 ranks, 64KB$'
run 0 --plugin gather.xml explain allgather --decision tree.txt -n 16 -s 64KB
expect '^  allgather/msccl-gather$'
run 2 explain allgather --decision tree.txt -n 16 -s 64KB
expect "tree.txt:[0-9]+: 'msccl-gather' is no method of the collectives of its tree .*--plugin FILE.xml"

for collective in reduce_scatter_block allreduce bcast reduce alltoall; do
  run 0 synthesize $collective --platform tofud_torus -P 24 -s 6KB --budget 0.2s -q -o $collective.xml
  expect "^$collective on 24 ranks of tofud_torus, "
  run 0 schedule $collective.xml
  expect "^$collective/msccl-.* on 24 ranks, .*: verified"
done

# ---- a broken link ----

run 0 platform new torus 4x4 --latency 1us --bandwidth 10GBps -o box.xml
run 0 synthesize bcast --platform ./box.xml -P 16 -s 64KB --links-broken n0:n1,2:3 --budget 0.5s -o around.xml
expect '^bcast on 16 ranks of box, 64KB, 4 links broken$'
expect ' [1-9][0-9]* that send over broken links,'
run 0 schedule around.xml
expect 'verified$'

run 2 synthesize bcast --platform torus -P 32 --links-broken 0:1
expect 'torus: 28 of 32 ranks cannot be reached over the links that are left'

# ---- what is refused ----

run 2 synthesize scan --platform torus
expect 'no schedules are searched for scan: for allgather, reduce_scatter_block, allreduce, bcast, reduce and alltoall they are'
run 2 synthesize bcast --platform torus --links-broken n0
expect "'n0' is no pair of hosts, such as 0:1"
run 2 synthesize bcast --platform torus --links-broken 0:n99999
expect "torus has no host 'n99999'"
run 2 synthesize bcast --platform torus --links-broken 0:0
expect '0-0 are no two of the hosts 0 to 32767'
run 2 synthesize bcast --platform torus -P 4 --root 4
expect '4 is none of 4 ranks'
run 2 synthesize bcast
expect 'for which machine\? --platform'
run 2 synthesize bcast --platform torus --budget 0.1s -o schedule.txt
expect "'schedule.txt' does not end with .xml"
run 2 synthesize allgather --platform torus -P 1025
expect '1025; files of MSCCL have 1024 ranks at most'
run 2 synthesize allgather --platform grig_mx -P 1024
run 2 synthesize bcast --platform torus -P 4 --engine smpi
expect 'schedules are timed by fast or flow'
[ ! -e schedule.txt ] || die "a file of another name"
echo "schedules found for six collectives, faster than all methods on a torus, and kept as methods"
