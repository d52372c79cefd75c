#!/bin/sh
# Arrival patterns and noise: exact simulated times, equal alone and after other points, and unchanged without a pattern; a
# straggler delays an operation by its own delay; a killed sweep ends with the same table as an undisturbed one; decisions
# over several patterns; a real MPI.
#
# usage: arrival.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need sqlite3 sqlite3
bench=$build/smpi/tutti-bench
[ -r "$bench" ] || { echo "skipped: no tutti-bench for smpi"; exit 77; }

median() { # FILE PATTERN...: median_s of the one record in which all patterns are found, in nanoseconds
  file=$1
  shift
  cp "$file" found
  for pattern; do
    grep -e "$pattern" found > fewer
    mv fewer found
  done
  [ "$(wc -l < found)" -eq 1 ] || die "not one record with $* in $file: $(cat found)"
  sed 's/.* median_s=\([^ ]*\) .*/\1/' found | awk '{ printf "%.0f\n", $1 * 1e9 }'
}

# ---- tutti-bench, simulated ----

printf '# recorded\n1ms\n0s\n250us\n' > late.txt
methods=bcast/split-binary/1KB,allreduce/ring,barrier/bruck
arrivals=none,uniform/1ms/seed=3,straggler/50ms/rank=5,straggler/80ms/rank=5,straggler/3ms,reversed/1ms,trace/late.txt
noises=none,detour/1ms/100us,exponential/10us/seed=2
for scheme in occ window; do
  simulate grig_fast_ethernet 12 "$bench" --scheme $scheme --method $methods --size 0,10000 --arrival $arrivals \
    --noise $noises > all
  simulate grig_fast_ethernet 12 "$bench" --scheme $scheme --method $methods --size 0,10000 --arrival $arrivals \
    --noise $noises > again
  cmp all again || die "two runs differ"
  [ "$(tail -n 1 all)" = "tutti-end v=1 measurements=126" ] || die "the records end with $(tail -n 1 all)"

  simulate grig_fast_ethernet 12 "$bench" --scheme $scheme --method $methods --size 0,10000 > none
  grep -v -e arrival= -e noise= -e tutti-end all > all.none
  grep -v tutti-end none | cmp - all.none || die "patterns changed what has none"

  for words in "uniform/1ms/seed=3 exponential/10us/seed=2" "trace/late.txt detour/1ms/100us/seed=1"; do
    set -- $words
    simulate grig_fast_ethernet 12 "$bench" --scheme $scheme --method allreduce/ring --size 10000 \
      --arrival "$1" --noise "$2" > one
    grep tutti-measurement one > one.point
    grep "allreduce.*count=10000.*arrival=$1.*noise=$2" all | cmp - one.point || die "$words alone and after others"
  done

  # Nothing takes less than no time: the scheme 'window' has no room for that.
  [ $scheme = occ ] || ! grep -q 'minimum_s=-' all || die "negative times: $(grep 'minimum_s=-' all)"

  # The time counts from the last arrival: who waits 30 ms longer for rank 5 ends 30 ms later, and not a nanosecond more.
  few=$(median all allreduce count=10000 "straggler/50ms/rank=5 min")
  more=$(median all allreduce count=10000 "straggler/80ms/rank=5 min")
  [ "$few" -gt 0 ] && [ $((few - more)) -le 1 ] && [ $((more - few)) -le 1 ] || die "$scheme: $few ns, $more ns"
done

# Of a broadcast whose root comes 50 ms late all others have been waiting for long: it begins anew then.
simulate grig_fast_ethernet 12 "$bench" --scheme window --method bcast/binomial --size 10000 \
  --arrival none,straggler/50ms/rank=0 > root
alone=$(median root "repetitions=1 min")
late=$(median root "straggler/50ms")
[ $((alone - late)) -le 1 ] && [ $((late - alone)) -le 1 ] || die "a late root: $late ns instead of $alone"

# ---- bad words ----

refuse() { # WORD-IN-MESSAGE ARGUMENTS...
  word=$1
  shift
  smpirun -np 2 -platform "$TUTTI_PLATFORM_PATH/grig_fast_ethernet.xml" -hostfile hosts -no-privatize \
    --log=root.thres:critical "$bench" --method bcast/binomial "$@" > out 2>&1
  grep -q "tutti-bench: .*$word" out || die "$* is not refused with '$word': $(cat out)"
  ! grep -q tutti-measurement out || die "$* is measured"
}
refuse "'uniform/1x'" --arrival none,uniform/1x
refuse "no such rank among 2" --arrival straggler/1ms/rank=2
refuse "no_such_file" --arrival trace/no_such_file
refuse "other delays" --arrival trace/late.txt/sum=00000000
refuse "shorter than its period" --noise detour/1ms/2ms
refuse "bcast/native" --method bcast/native --noise exponential/1us

# ---- sweeps: killed, and undisturbed ----

cp "$TUTTI_PLATFORM_PATH/grig_fast_ethernet.xml" .
cat > sweep.xml <<'XML'
<experiment name="sweep">
  <platform file="grig_fast_ethernet.xml"/>
  <sweep collective="bcast" arrival="none uniform/2ms/seed=1 trace/late.txt straggler/1ms/rank=6"
         noise="none exponential/10us">
    <ranks>4 8 16</ranks>
    <sizes>1B..64KB*4</sizes>
    <method algorithm="linear"/>
    <method algorithm="binomial"/>
    <method algorithm="native"/>
    <method algorithm="pipeline" segments="1KB"/>
  </sweep>
</experiment>
XML
table() { # DATABASE
  sqlite3 "$1" "SELECT m.name, ranks, count, arrival, noise, printf('%!.17g', median_s) FROM measurement
    JOIN method m ON m.id = method ORDER BY 1, 2, 3, 4, 5" || die "cannot read $1"
}
run 0 bench --db whole.db -j 2 sweep.xml
# 3 x 9 x 4 x 4 x 2, less the native method under noise (3 x 9 x 4) and rank 6 among 4 (9 x (4 x 2 - 1))
expect "^sweep: 693 points measured, 0 there already, 171 outside"
"$tutti" bench --db killed.db -j 2 --chunk 20 sweep.xml > out 2> err &
sleep 1
kill -9 $! && wait $! 2> /dev/null
run 0 bench --db killed.db -j 2 sweep.xml
table whole.db > whole.table
table killed.db | cmp - whole.table || die "a sweep that was killed ends otherwise"
run 0 bench --db killed.db sweep.xml
expect "^sweep: 0 points measured, 693 there already"

sed 's/uniform\/2ms/uniform\/2m/' sweep.xml > bad.xml
run 2 bench --db bad.db bad.xml
expect "bad.xml:[0-9]+: arrival pattern 'uniform/2m/seed=1': its span is '2m'"

# ---- decisions ----

select="--db whole.db --platform grig_fast_ethernet"
run 0 map bcast $select --json
mv out none.json
run 0 map bcast $select --json --arrival none
cmp out none.json || die "'none' is not the default"
run 0 map bcast $select --arrival uniform/2ms/seed=1 --noise exponential/10us
expect "scheme occ, arrival uniform/2ms/seed=1, noise exponential/10us/seed=1 "
# The report has a map for each, or those that are asked for.
maps() { # OPTION...: titles of the report
  run 0 report $select -o page.html "$@"
  sed -n '/<article class="decision"/{n;s/<[^>]*>//gp;}' page.html
}
[ "$(maps | wc -l)" -eq 8 ] || die "maps of all patterns: $(maps)"
[ "$(maps --arrival none,uniform/2ms/seed=1 --noise none)" = "bcast on grig_fast_ethernet
bcast on grig_fast_ethernet, arrival uniform/2ms/seed=1" ] || die "maps of two patterns: $(maps --arrival none,uniform/2ms/seed=1 --noise none)"
[ "$(maps --arrival uniform/2ms/seed=1 | wc -l)" -eq 2 ] || die "maps under any noise: $(maps --arrival uniform/2ms/seed=1)"
run 2 report $select --arrival sorted/1ms -o none.html
expect 'nothing was measured with that root, arrival pattern'
run 0 penalty $select --arrival trace/late.txt --json bcast/linear
expect '"scheme": "occ", "patterns": "arrival trace/late.txt/sum=[0-9a-f]{8}"'
run 0 penalty $select --arrival trace/late.txt --keep bcast/linear
run 0 penalty $select --noise exponential/10us --keep bcast/linear --against library:openmpi-4.1 --collective bcast
[ "$(sqlite3 whole.db "SELECT decision, substr(basis, 1, 26) FROM decision_penalty ORDER BY 1, 2")" = "bcast/linear|library:openmpi-4.1,noise
bcast/linear|occ,arrival=trace/late.txt
best|library:openmpi-4.1,noise" ] || die "stored: $(sqlite3 whole.db 'SELECT decision, basis FROM decision_penalty')"
run 2 penalty $select --noise none,exponential/10us --robust mean --keep bcast/linear
expect "penalties over several arrival patterns or noises are not stored"
run 2 map bcast $select --arrival none,sorted/1ms
expect "robust mean or --robust worst"
run 2 map bcast $select --arrival sorted/1ms
expect "no measurement of bcast on platform grig_fast_ethernet under arrival sorted/1ms and noise none"
tuned() { # FILE ARGUMENTS...
  file=$1
  shift
  run 0 learn optimal bcast $select -o "$file" "$@"
}
tuned plain.tree
tuned robust.tree --arrival none,uniform/2ms/seed=1 --robust worst
grep -q "^# .*worst of arrival none, uniform/2ms/seed=1" robust.tree || die "$(head -n 3 robust.tree)"
run 0 penalty $select --arrival none,uniform/2ms/seed=1 --robust worst --json plain.tree robust.tree
sed -n 's/.*"mean_percent": \([^,]*\),.*/\1/p' out | tr '\n' ' ' > means
awk '{ exit !($1 > $2 + 1 && $2 < 0.001) }' means || die "what was tuned for robustness is not robust: $(cat means)"

# ---- a real machine ----

# On a busy machine any repetition may take long, but not all of them: the shortest counts.
shortest() { # PATTERN: minimum_s of the record in real, in nanoseconds
  sed -n "/$1/s/.* minimum_s=\([^ ]*\) .*/\1/p" real | awk '{ printf "%.0f\n", $1 * 1e9 }'
}

real() { # LAUNCHER...: the last arrival is 100 ms late, and each of the few vertices by some tens of milliseconds
  timeout $PATIENCE "$@" --scheme window --method bcast/binomial --size 8 --repetitions 16 --arrival straggler/100ms/rank=1 > real 2> err &&
    timeout $PATIENCE "$@" --method bcast/binomial --size 9 --repetitions 16 --noise exponential/80ms >> real 2>> err ||
    die "$*: $(cat real err)"
  [ "$(grep -c "tutti-end v=1 measurements=1" real)" -eq 2 ] || die "$*: $(cat real err)"
  late=$(shortest straggler) noisy=$(shortest exponential)
  if [ "$late" -ge 90000000 ]; then
    wrong="the time counts the waiting for the last rank: $late ns"
  elif [ "$late" -le -20000000 ]; then
    wrong="the last rank does not come late: $late ns"
  elif [ "$noisy" -le 20000000 ]; then
    wrong="noise has no effect: $noisy ns"
  else
    return 0
  fi
  return 1
}
really() { # LAUNCHER...
  retry 20 "times on a busy machine" real "$@" || die "$*: $wrong"
}
OMPI_MCA_op=^avx
export OMPI_MCA_op
[ ! -x "$build/openmpi/tutti-bench" ] || really mpiexec.openmpi --oversubscribe -np 2 "$build/openmpi/tutti-bench"
[ ! -x "$build/mpich/tutti-bench" ] || really env LD_PRELOAD="$build/mpich/libtest-yield.so" mpiexec.mpich -np 2 \
  "$build/mpich/tutti-bench"
