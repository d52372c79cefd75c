#!/bin/sh
# Slow machines: the time is the same by both engines and under both schemes, however long a message takes, or it is
# refused and the cause is named.
#
# usage: engine_scales.sh BUILD_DIR SOURCE_DIR
#   SCALES_MACHINES machines are drawn by the seed SCALES_SEED: to compare more.
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need sqlite3 sqlite3
need python3 python3

# file NODES LATENCY [BANDWIDTH]
file() {
  cat <<END
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config>
    <prop id="smpi/bw-factor" value="0:1"/>
    <prop id="smpi/lat-factor" value="0:1"/>
    <prop id="network/weight-S" value="0"/>
    <prop id="network/TCP-gamma" value="1e20"/>
    <prop id="network/crosstraffic" value="no"/>
    <prop id="smpi/send-is-detached-thresh" value="0"/>
    <prop id="smpi/async-small-thresh" value="0"/>
    <prop id="smpi/simulate-computation" value="no"/>
    <prop id="smpi/wtime" value="0"/>
    <prop id="smpi/test" value="1e-7"/>
    <prop id="smpi/iprobe" value="1e-7"/>
  </config>
  <zone id="all" routing="Full">
    <cluster id="c" prefix="n" suffix="" radical="0-$(($1 - 1))" speed="1Gf" bw="${3:-1MBps}" lat="$2"/>
  </zone>
</platform>
END
}
# Rank 0 tells the start in time, or tells another one: every engine, every scheme, many points in a launch.
for machine in "4 150ms" "4 300ms" "256 20ms" "16 1500s" "16 15000s"; do
  # shellcheck disable=SC2086
  file $machine >wide.xml
  rm -rf wide.db*
  ranks=${machine% *}
  for how in "fast occ" "fast window" "smpi occ" "smpi window"; do
    run 0 bench bcast,barrier,alltoall --platform ./wide.xml -P "$ranks" -s 8 -q --db wide.db \
      --methods bcast/linear,bcast/binomial,barrier/bruck,alltoall/pairwise --engine "${how% *}" --scheme "${how#* }"
  done
  sqlite3 wide.db "SELECT m.name, max(median_s) <= min(median_s) * (1 + 1e-9), count(*) FROM measurement t
    JOIN method m ON m.id = t.method GROUP BY 1" >times
  [ "$(grep -c '|1|4$' times)" -eq 4 ] || die "$machine: not the same by both engines and schemes: $(cat times)"
done
file 4 150ms >wide.xml
run 0 whatif ./wide.xml --set 'latency=/2' bcast -P 4 -s 8B --methods linear --engine fast
expect ' 300072\.000 +150072\.000 +2\.000 '
run 0 check --engines allreduce --platform ./wide.xml -P 4 -s 8B --methods ring

# Very many ranks are measured by the scheme that simulates no barriers, all of a sweep, and the command says so.
for case in "32768 fast occ" "32769 fast window" "8,131072 fast window" "131072 smpi occ"; do
  # shellcheck disable=SC2086
  set -- $case
  run 0 bench barrier --platform bgp -P "$1" --methods bruck --engine "$2" --write many.xml
  grep -q 'scheme="window"' many.xml && scheme=window || scheme=occ
  [ "$scheme" = "$3" ] || die "$case: $(cat many.xml)"
done
run 0 bench barrier --platform bgp -P 131072 --methods bruck --engine fast --scheme occ --write many.xml
grep -q 'scheme="occ"' many.xml || die "the scheme that was asked for: $(cat many.xml)"
file 32769 1ms >many_nodes.xml
run 0 bench bcast --platform ./many_nodes.xml -P 32769 -s 8 --methods binomial --engine fast --db many.db
expect 'bcast: scheme window, as with more than 32768 ranks'
[ "$(sqlite3 many.db "SELECT DISTINCT scheme FROM measurement")" = window ] || die "the store has another scheme"

# Where the clock does not tell times any more, it is said.
file 16 1500000s >far.xml
for engine in fast smpi; do
  run 2 bench alltoall --platform ./far.xml -P 16 -s 8 --methods pairwise --engine $engine --db far.db -q
  expect 'the messages of this platform take too long \(latency, bandwidth, overhead\)'
done

# Other programs start together, too, and wait for the last rank.
cat >ranges.xml <<END
<experiment name="ranges">
  <platform name="./wide.xml"/>
  <range operation="create" way="ranges create-group/mpich split/mpich" ranks="16" size="5"/>
  <range operation="subrange-bcast" way="ranges create-group/mpich" ranks="16" size="7" count="700" uses="17"/>
</experiment>
END
cat >groups.xml <<END
<experiment name="groups">
  <platform name="./wide.xml"/>
  <group branching="3" seed="4"><ranks>16</ranks><fractions>0.6</fractions></group>
</experiment>
END
for machine in "150ms 1MBps" "15s 1kBps"; do
  # shellcheck disable=SC2086
  file 16 $machine >wide.xml
  rm -rf other.db*
  for engine in fast smpi; do
    run 0 bench ranges.xml --engine $engine --db other.db -q
    run 0 bench groups.xml --engine $engine --db other.db -q
  done
  sqlite3 other.db "SELECT operation || way, max(median_s) <= min(median_s) * (1 + 1e-9), count(*) FROM range_run
    GROUP BY 1 UNION SELECT builder, max(median_s) <= min(median_s) * (1 + 1e-9), count(*) FROM group_build GROUP BY 1" >times
  [ "$(grep -c '|1|2$' times)" -ge 9 ] && ! grep -v '|1|2$' times || die "$machine: engines differ: $(cat times)"
done

# What SMPI cannot carry is refused before; what it can, though it is more than that in all, is not.
for point in "bcast -P 3 -s 2147483648B --methods linear" "gather -P 4 -s 1GB --methods binomial"; do
  for command in bench "check --engines"; do
    # shellcheck disable=SC2086
    run 2 $command $point --platform grig_mx
    expect 'has a message of 2147483648 bytes, and SMPI counts .* --engine fast measures it'
  done
  # shellcheck disable=SC2086
  run 0 bench $point --platform grig_mx --engine fast --db large.db -q
done

# Machines drawn at random.
mkdir drawn && cd drawn || exit 1
python3 "$source/tests/e2e/engine_scales.py" "$tutti" "${SCALES_MACHINES:-15}" "${SCALES_SEED:-1}" ||
  die "machines of seed ${SCALES_SEED:-1} differ"
