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

# Written again, it keeps the order of its sends and sums.
run 0 schedule gather.xml --msccl again.xml
for file in gather again; do
  sed -n '/<algo/s/.*maxBytes="0"//p' $file.xml >$file.form
  run 0 --plugin $file.xml bench allgather --platform torus --engine fast -P 16 -s 64KB --methods msccl-$file --quiet --no-verify \
    --db $file.db
  run 0 --plugin $file.xml map allgather --platform torus --db $file.db --times --csv
  sed -n '2s/.*,//p' out >$file.time
done
grep -q tutti_ gather.form && cmp gather.form again.form && cmp gather.time again.time || die "another form or time: $(cat again.*)"

# A model has neither links nor more than one port.
run 0 --plugin gather.xml predict allgather -P 16 -s 64KB --method msccl-gather --platform grig_mx --by schedule --model hockney
expect 'models know one port of a rank, and no links: .*msccl-gather .* is judged by tutti bench --platform'

run 2 --plugin gather.xml synthesize allgather --platform torus -P 16 -s 64KB --budget 1h -o gather.xml # before the search
expect 'output: gather.xml: --plugin has loaded allgather/msccl-gather already: another name$'

# ---- the fastest methods are listed, none left out ----

run 0 platform new torus 5x3x2 --latency .9us --bandwidth 6GBps -o wide.xml
run 0 synthesize allgather --platform ./wide.xml -P 30 -s 24KB --budget 1s --top 7 -q -o wide_found.xml --csv
grep -v msccl-wide out | sed 's/.*,//' | tail -n +2 | awk '{ printf "%.4g\n", 1e6 * $1 }' >listed
run 0 bench allgather --platform ./wide.xml --engine fast -P 30 -s 24KB --quiet --no-verify --scheme window --db wide.db
run 0 map allgather --platform wide --db wide.db --times --csv
sed 's/.*,//' out | tail -n +2 | awk '{ printf "%.4g\n", 1e6 * $1 }' | sort -g | head -n 7 >fastest
cmp listed fastest || die "listed: $(cat listed); the fastest: $(cat fastest)"

# ---- placed ----

run 0 synthesize bcast --platform torus -P 7 -s 4KB --budget 1s -q -o seven.xml
run 0 place seven.xml --platform torus -s 4KB,8KB --methods binomial,chain -q
expect '^bcast/msccl-seven is '

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

# What its bits depend on is proven for its own ranks, root and multiples of its chunks.
run 0 synthesize reduce --platform tofud_torus -P 12 --root 5 -s 24KB --budget 0.1s -q -o root.xml
run 0 --plugin root.xml algorithms reduce --reproducible
expect '^reduce/msccl-root +yes +yes +yes +(yes|no) .* 12$'
run 0 --plugin root.xml algorithms reduce --reproducible -P 8
expect '^reduce/msccl-root +- .* 0$'
expect '^    no case: .*12 ranks'

# It is placed among the methods on its own ranks and root, by sizes that it serves.
run 0 place root.xml --platform tofud_torus --methods binomial,rabenseifner -q
expect '^reduce/msccl-root on tofud_torus, engine fast: proven on up to 12 ranks; 3 methods, 1 number of ranks, [0-9]+ sizes$'
run 2 place root.xml --platform tofud_torus -P 8
expect 'ranks: reduce/msccl-root is for 12 ranks alone: -P 12'
run 2 place root.xml --platform tofud_torus -s 1KB,17
expect 'size: reduce/msccl-root serves multiples of [0-9]+ elements'

# ---- a broken link ----

run 0 platform new torus 4x4 --latency 1us --bandwidth 10GBps -o box.xml
run 0 synthesize bcast --platform ./box.xml -P 16 -s 64KB --links-broken n0:n1,2:3 --budget 0.5s -o around.xml
expect '^bcast on 16 ranks of box, 64KB, 2 cables broken, both ways$'
expect ' [1-9][0-9]* that send over broken links,'
run 0 schedule around.xml
expect 'verified$'

run 2 synthesize bcast --platform torus -P 32 --links-broken 0:1
expect 'links-broken: 0:1: without the links between them, 4 of 32 ranks reach no other host$'

block how-to/synthesize.md 'sh broken' >commands
PATH=$place/bin:$PATH sh -eu commands >out 2>err || die "the commands on broken links: $(cat out err)"
expect '^ +tree.txt +0.00 +0.00 '

# Bounds over the links that are left are those of the platform without the cable.
bound()
{
  run 0 synthesize allgather --platform "$@" -P 16 -s 1MB --budget 0.1s -q --engine flow -o bound.xml --json
  sed -n '1s/.*"bound_s": \([0-9.e-]*\).*/\1/p' out
}
whole=$(bound ./box.xml) left=$(bound ./box.xml --links-broken 0:1) cut=$(bound ./cut.xml)
awk "BEGIN { exit !($left > 1.3 * $whole && $left < 1.000001 * $cut && $left > 0.999999 * $cut) }" ||
  die "bounds: $whole whole, $left around, $cut without"

run 0 platform new fat-tree 4x4 --latency 1us --bandwidth 10GBps -o tree.xml
run 2 synthesize bcast --platform ./tree.xml -P 16 --links-broken n0:n4
expect 'n0:n4: without the links between them, 2 of 16 ranks reach no other host: the route goes over switches'
for list in 0:5 0:99 0:1,0:4,0:3,0:12 0:1,n1:n0 0; do
  run 2 platform new torus 4x4 --latency 1us --bandwidth 10GBps --links-broken $list -o none.xml
  expect '^tutti: broken links: '
done
run 2 platform new cluster 4 --latency 1us --bandwidth 10GBps --links-broken 0:1
expect 'broken links are those of a torus'
run 2 synthesize alltoall --platform torus -P 512 --budget 1s -q
expect 'a run of an alltoall of 512 ranks is 335 s of work, .*, no schedule is searched: all with --budget 1005s'
run 0 synthesize alltoall --platform torus -P 8 -s 1KB --budget 0.1s -q
grep -q budget err && die "a run of 0.001 s is in the budget: $(cat err)"

# ---- where the best method has no file, or only a long one ----

run 0 synthesize allreduce --platform grig_mx -P 3 -s 1MB --budget 0.1s -q -o uneven.xml
expect 'run that itself: uneven.xml is the schedule that was found, and takes [0-9.]+ us'
run 0 schedule uneven.xml
expect 'verified$'
cat >two.xml <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-2" speed="1Gf" bw="125MBps" lat="50us"/></platform>
XML
run 0 synthesize allreduce --platform ./two.xml -P 2 -s 99988 --budget 0.1s -q -o long.xml # segments of 8 KB, and what is left
expect 'the best method was found; long.xml is its schedule.$'
sed -n '/^allreduce\/msccl-long /s/.* //p; /^allreduce\/two-tree\/8KB /s/.* //p' out | uniq | wc -l >times
[ "$(cat times)" -eq 1 ] || die "the file takes another time: $(cat out)"
run 0 schedule long.xml
expect 'verified$'

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
mkdir folder.xml
for output in nowhere/x.xml folder.xml "$(printf '%059d' 0).xml"; do
  run 2 synthesize alltoall --platform torus -P 1024 --budget 1h -o $output # before the search
  expect "^tutti: --output: $output: "
done

# ---- names of default files, and platforms that platform check refuses ----

for ranks in 7 8; do
  run 0 synthesize reduce_scatter_block --platform cisco_infiniband -P $ranks -s ${ranks}KB --budget 0.1s
done
run 0 --plugin reduce_scatter_block-cisco_infiniband-7-7KB.xml --plugin reduce_scatter_block-cisco_infiniband-8-8KB.xml bench \
  reduce_scatter_block --platform cisco_infiniband --engine fast -P 8 -s 8KB --methods msccl-reduce_scatter_block-cisco_infiniband-8-8kb
run 0 synthesize bcast --platform torus -P 4 -s 1KB --root 3 --budget 0.1s
[ -e bcast-torus-4-1KB-root3.xml ] || die "no size and root in the name: $(ls)"
cat >dragonfly.xml <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><cluster id="d" prefix="n" suffix="" radical="0-17" speed="1Gf" bw="10GBps" lat="1us" topology="DRAGONFLY"
 topo_parameters="3,2;2,1;1,1;3"/></platform>
XML
for collective in bcast alltoall; do
  run 2 synthesize $collective --platform ./dragonfly.xml -P 17 -s 1KB --budget 0.1s
  expect '^tutti: ./dragonfly.xml:4: a dragonfly of 3 groups with 1 routers a chassis'
done
run 2 synthesize allgather --platform torus -P 1025
expect '1025; files of MSCCL have 1024 ranks at most'
run 2 synthesize allgather --platform grig_mx -P 1024
run 2 synthesize bcast --platform torus -P 4 --engine smpi
expect 'schedules are timed by fast or flow'
[ ! -e schedule.txt ] || die "a file of another name"
echo "schedules found for six collectives, faster than all methods on a torus, and kept as methods"
