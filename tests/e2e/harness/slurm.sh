#!/bin/sh
# tutti bench --launcher slurm, in a real Slurm on this host: the array gives exactly the table of a run without Slurm. If
# tutti, an element, the controller or the daemon of the node is killed, the same command measures what is missing, and
# nothing twice.
#
# usage: slurm.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
. "$source/tests/e2e/tables.sh"
need smpirun simgrid
need sqlite3 sqlite3
[ -r "$build/smpi/tutti-bench" ] || { echo "skipped: no tutti-bench for smpi"; exit 77; }
. "$source/tests/e2e/slurm_host.sh"
start_slurm 64 # so many that what is lost track of holds nobody up

write_machine machine.xml
write_sweep() { # FILE FLAVOUR-OR-PLATFORM RANKS SIZES
  cat > "$1" <<XML
<experiment name="slurm">
  <platform $2/>
  <sweep collective="bcast" root="0">
    <ranks>$3</ranks>
    <sizes>$4</sizes>
    <method name="bcast/linear"/>
    <method name="bcast/binomial"/>
    <method name="bcast/pipeline/1KB"/>
  </sweep>
</experiment>
XML
}
write_sweep sweep.xml 'file="machine.xml"' "4 8 12" "1..64KB*2"
points=$((3 * 17 * 3))

bench() { # STATUS ARGUMENTS...
  expected_status=$1
  shift
  run "$expected_status" bench -q --launcher slurm "$@"
}

same() { # DATABASE REFERENCE
  check_store "$1"
  table "$1" > table.txt
  cmp -s "$2" table.txt || die "$1: the table differs: $(diff "$2" table.txt | head -n 5)"
  [ ! -e "$1.work" ] || die "$1: left behind: $(ls "$1.work")"
}

# --- simulated, undisturbed ---
run 0 bench sweep.xml --db reference.db -q
table reference.db > reference.txt
bench 0 sweep.xml --db array.db --chunk 20 -j 4
expect "$points points measured, 0 there already"
same array.db reference.txt
bench 0 sweep.xml --db array.db
expect "0 points measured, $points there already"
echo "$points points in an array: the same table"

# --- submitted, and stored later ---
bench 0 sweep.xml --db later.db --chunk 40 -j 4 --submit-only --work-dir . --slurm-args --hold
expect "0 points measured, 0 there already, $points left to the queue"
bench 0 sweep.xml --db later.db --submit-only --work-dir .
expect "$points left to the queue"
[ "$(squeue -h -r -o %F | sort -u | wc -l)" -eq 1 ] || die "submitted twice: $(squeue -h -r)"
scontrol release "$(squeue -h -r -o %F | sort -u)"
bench 0 sweep.xml --db later.db --work-dir .
expect "0 points measured, 0 there already, $points measurements recovered"
same later.db reference.txt
echo "submitted, left alone, taken in: the same table"

# --- real libraries, whose mpiexec finds the nodes in its environment ---
for flavor in mpich openmpi; do
  [ -x "$build/$flavor/tutti-bench" ] || continue
  write_sweep $flavor.xml "kind=\"real\" name=\"here\" flavor=\"$flavor\"" "1 2" "1 1KB"
  sed -i 's|<sweep|<measure repetitions-max="3"/><sweep|' $flavor.xml
  bench 0 $flavor.xml --db $flavor.db --ranks-per-node 2
  expect "12 points measured, 0 there already"
  [ "$(sqlite3 $flavor.db 'SELECT DISTINCT ranks, ranks_per_node FROM measurement ORDER BY ranks' | tr '\n' ' ')" = "1|1 2|2 " ] ||
    die "$flavor: not up to 2 a node"
  [ "$(sqlite3 $flavor.db "SELECT count(*), count(DISTINCT hosts) FROM launch WHERE end_date >= date")" = "2|1" ] ||
    die "$flavor: launches: $(sqlite3 $flavor.db 'SELECT * FROM launch')"
  [ ! -e $flavor.db.work ] || die "$flavor: left behind: $(ls $flavor.db.work)"
  echo "$flavor: $(cat out)"
done

# --- errors leave no files ---
bench 2 sweep.xml --db refused.db --slurm-args "-p nowhere"
expect "sbatch: error: .*invalid partition"
[ ! -e refused.db.work ] || die "refused: left behind: $(ls refused.db.work)"
run 2 bench sweep.xml --db refused.db --submit-only
run 2 bench sweep.xml --db refused.db --hostfile hosts
run 2 bench sweep.xml --db refused.db --launcher mpirun

# --- with a fake smpirun that waits after three points: kills ---
mkdir bin && ln -s "$source/tests/e2e/fake/smpirun" bin/smpirun
PATH=$place/bin:$PATH
version=$("$tutti" --version)
export PATH FAKE_TUTTI="${version#tutti }" FAKE_LOG="$place/log" FAKE_GATE="$place/gate" FAKE_MODE=hold
slow_points=$((4 * 20 * 3))
write_sweep slow.xml 'file="machine.xml"' "4 5 6 7" "1..20"
FAKE_MODE=ok run 0 bench slow.xml --db slow.db -q
table slow.db > slow.txt

all_hold() { # every element of the array has measured three points, and waits
  [ "$(wc -l < "$FAKE_LOG")" -eq $((slow_points / 30 * 3)) ] && return
  node_is_back
  false
}

behind() { # DATABASE: a sweep in the background (which a shell makes deaf to Ctrl-C), until all its elements hold
  : > "$FAKE_LOG"
  rm -f "$FAKE_GATE"
  env --default-signal=INT "$tutti" bench -q --launcher slurm slow.xml --db "$1" -j 8 --chunk 30 > out.behind 2> err.behind &
  tutti_process=$!
  within 6000 all_hold || die "$1: nothing runs: $(cat err.behind; squeue; sinfo; tail -n 5 "$slurm"/slurm*.out)"
}

go_on() { # the elements
  touch "$FAKE_GATE"
}

array_of() { # DATABASE
  sed -n 's/^job=//p' "$1".work/*.batch
}

queued() { # JOB: its elements that wait or run
  squeue -h -r -o %F | grep -x "$1"
}

given_up() { # JOB: for a moment after its end, an element is still in the queue, as one that completes
  [ -z "$(queued "$1")" ]
}

ended_with() { # STATUS
  wait $tutti_process
  code=$?
  [ $code -eq "$1" ] || die "status $code instead of $1: $(cat out.behind err.behind)"
}

measured_once() { # no point was measured by two
  [ "$(sort "$FAKE_LOG" | uniq -d | wc -l)" -eq 0 ] || die "measured twice: $(sort "$FAKE_LOG" | uniq -d | head -n 3)"
}

behind killed.db # tutti itself
kill -KILL $tutti_process
wait $tutti_process 2> /dev/null
check_store killed.db
go_on
bench 0 slow.xml --db killed.db
same killed.db slow.txt
measured_once
echo "tutti killed: $(cat out)"

behind element.db # one element by scancel, another by a signal to its script
job=$(array_of element.db)
scancel "${job}_0"
scancel --signal=KILL --full "${job}_1"
within 6000 sh -c "! squeue -h -r -o %K | grep -qx '[01]'" || die "two elements do not end: $(squeue)"
go_on
ended_with 2
grep -Eq "element 0 of Slurm job $job, (ended as|was killed).* while measuring" err.behind || die "$(cat err.behind)"
grep -Eq "element 1 of Slurm job $job, (ended as|was killed)" err.behind || die "$(cat err.behind)"
tail -n 1 err.behind | grep -q "slow.xml: 2 of its jobs failed; the same command measures what is missing" ||
  die "$(cat err.behind)"
before=$(rows element.db)
[ "$before" -gt 120 ] && [ "$before" -lt $slow_points ] || die "$before points stored when two elements failed"
FAKE_MODE=ok
export FAKE_MODE
bench 0 slow.xml --db element.db
expect "$((slow_points - before)) points measured, $before there already"
same element.db slow.txt
echo "two elements killed: $(cat out)"

FAKE_MODE=hold
export FAKE_MODE
behind interrupted.db # Ctrl-C gives the array up
job=$(array_of interrupted.db)
kill -INT $tutti_process
ended_with 130
grep -q "ended by Interrupt; what was measured is stored" err.behind || die "$(cat err.behind)"
within 6000 given_up $job || die "still queued: $(squeue)"
[ ! -e interrupted.db.work ] || die "left behind: $(ls interrupted.db.work)"
check_store interrupted.db
[ "$(rows interrupted.db)" -gt 0 ] || die "nothing was stored"
echo "interrupted: $(cat out.behind)"

behind left.db # whatever else ends tutti leaves the array to the queue
job=$(array_of left.db)
kill -TERM $tutti_process
ended_with 143
grep -q "what is queued goes on" err.behind || die "$(cat err.behind)"
[ -n "$(queued $job)" ] || die "the array was cancelled"
go_on
bench 0 slow.xml --db left.db
same left.db slow.txt
measured_once
echo "left: $(cat out)"
again() { # what the controller has forgotten is measured by the next run
  node_is_back
  timeout -s INT 300 "$tutti" bench -q --launcher slurm slow.xml --db controller.db > out 2> err
}

behind controller.db # the controller, while tutti waits
job=$(array_of controller.db)
kill -KILL $slurmctld
wait $slurmctld 2> /dev/null
sleep 1
start_slurmctld
go_on
# Slurm may have forgotten elements that it started in the moment before, or take for running, for ever, what never came to
# its node ("Duplicate jobid").
{ sleep 90 && scancel "$job"; } > /dev/null 2>&1 &
guard=$!
wait $tutti_process
code=$?
kill $guard 2> /dev/null
if [ $code -eq 2 ] && grep -Eq "left the queue|CANCELLED" err.behind; then
  scancel "$job"
  within 600 given_up "$job" || die "still queued: $(squeue)"
  retry 5 "Slurm has forgotten elements" again || die "$(cat out err)"
else
  [ $code -eq 0 ] || die "status $code instead of 0: $(cat out.behind err.behind)"
  measured_once
fi
same controller.db slow.txt
echo "slurmctld killed: $(cat out.behind)"

stop_slurm # a new one, because it may take long until this one has settled
rm -rf "$slurm"
start_slurm 64

behind daemon.db # the daemon of the node
kill -KILL $slurmd
wait $slurmd 2> /dev/null
sleep 0.5
start_slurmd
go_on
wait $tutti_process
code=$?
[ $code -eq 0 ] || echo "slurmd killed: $(tail -n 1 err.behind)"
by="--launcher slurm"
within 300 node_is_back || by= # Slurm does not always forgive a node whose daemon was killed; then without it
run 0 bench -q $by slow.xml --db daemon.db
same daemon.db slow.txt
echo "slurmd killed: $(cat out)"
echo ok
