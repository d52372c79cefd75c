#!/bin/sh
# What libraries choose and do when they are not tuned: simulated, the rules of Open MPI 4.1 beside SMPI's copy of them;
# every collective's native form; native methods of the installed libraries; what a decision gains over them.
#
# usage: library.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid

cat >small.xml <<'XML'
<experiment name="small">
  <platform name="grig_fast_ethernet"/>
  <measure scheme="window"/>
  <sweep collective="bcast" root="0">
    <ranks>4 12</ranks>
    <sizes>1 1KB 16KB</sizes>
    <method name="bcast/pipeline/1KB"/>
    <method algorithm="native" selector="ompi impi"/>
    <method algorithm="native"/>
    <decision name="library:openmpi-4.1"/>
    <decision file="rules.txt"/>
  </sweep>
</experiment>
XML
echo 'bcast/split-binary/1KB ranks=12 bytes=16KB' >rules.txt
run 0 bench small.xml --db small.db --quiet
expect '^small: 31 points measured, 0 there already'
run 0 bench small.xml --db small.db --quiet -j 2
expect '^small: 0 points measured, 31 there already'

# SMPI's ompi follows the same rule; its linear broadcast of large messages is another algorithm.
run 0 penalty --against library:openmpi-4.1 bcast/native/selector=ompi --collective bcast --db small.db \
  --platform grig_fast_ethernet --ranks 12
expect '^  best measured +12 +[0-9.]+ +[0-9.]+ +[0-9.]+ +3 +0$'
awk '/selector=ompi/ { found = 1; if ($3 < -1 || $4 > 1) bad = 1 } END { exit bad || !found }' out ||
  die "the rule and SMPI's copy of it differ: $(cat out)"

# Native methods are no candidates: only Tutti's methods are best in a map.
run 0 map bcast --platform grig_fast_ethernet --db small.db
grep -q '^  [A-Z] .*native' out && die "a native method is best: $(cat out)"
run 0 penalty bcast/native library:openmpi-4.1 --collective bcast --platform grig_fast_ethernet --db small.db
expect '^  bcast/native .* 6 +0 '
run 2 penalty library:openmpi-4.1 --platform grig_fast_ethernet --db small.db
expect 'say which with --collective'
run 2 schedule bcast/native -P 4
expect 'bcast/native: what an MPI library does has no schedule'
run 0 penalty model:hockney --collective bcast --platform grig_fast_ethernet --db small.db
run 0 penalty --against bcast/native --ranks 99 --collective bcast --platform grig_fast_ethernet --db small.db
expect '^  best measured +99 +- +- +- +0 +0$'
run 0 penalty --against bcast/native --json --times --collective bcast --platform grig_fast_ethernet --db small.db
expect '"against": "bcast/native"'

{
  echo '<experiment name="every"><platform name="grig_fast_ethernet"/><measure scheme="window"/>'
  for collective in bcast scatter scatterv gather gatherv allgather allgatherv alltoall alltoallv alltoallw reduce \
    reduce_scatter_block reduce_scatter allreduce scan exscan; do
    echo "<sweep collective=\"$collective\"><ranks>4</ranks><sizes>8 8KB</sizes>"
    echo '<method algorithm="native" selector="ompi"/><method algorithm="native"/></sweep>'
  done
  echo '<sweep collective="barrier"><ranks>4</ranks><method algorithm="native"/></sweep></experiment>'
} >every.xml
run 0 bench every.xml --db every.db --quiet
expect '^every: 65 points measured'

# Where nothing else was measured they are shown as what they are.
run 0 map scan --platform grig_fast_ethernet --db every.db
expect '^  Times of what the library chooses itself .us., by size and ranks$'
expect '^ +8KB +[0-9]+[.][0-9]+$'
! grep -q "Ties:" out || die "there is nothing to choose from: $(cat out)"
expect 'there is nothing to choose from; this measures algorithms:$'
run 0 map scan --platform grig_fast_ethernet --db every.db --native
expect '^ +8KB +[0-9]+[.][0-9]+$'
[ ! -s err ] || die "what was asked for is no surprise: $(cat err)"

OMPI_MCA_op=^avx
export OMPI_MCA_op
measured=
for flavor in mpich openmpi; do
  [ -x "$build/$flavor/tutti-bench" ] || continue
  [ $flavor = mpich ] && preload=$build/mpich/libtest-yield.so || preload=
  cat >$flavor.xml <<XML
<experiment name="$flavor"><platform kind="real" name="here" flavor="$flavor"/>
  <measure scheme="window" repetitions-max="20" confidence="0.9"/>
  <sweep collective="bcast"><ranks>2</ranks><sizes>8 1KB</sizes>
    <method algorithm="native"/><decision name="library:mpich-4.0"/></sweep>
  <sweep collective="allreduce"><ranks>2</ranks><sizes>8 1KB</sizes><method algorithm="native"/></sweep>
  <sweep collective="barrier"><ranks>2</ranks><method algorithm="native"/></sweep>
</experiment>
XML
  LD_PRELOAD=$preload "$tutti" bench $flavor.xml --db real.db --quiet --oversubscribe >out 2>err || die "$flavor: $(cat err)"
  expect "^$flavor: 7 points measured"
  run 0 penalty bcast/native --platform here --flavor $flavor --db real.db
  measured="$measured $flavor"
done
echo "31 and 65 simulated points, native methods of:$measured"
