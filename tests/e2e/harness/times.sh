#!/bin/sh
# Times of real machines are above zero, also of operations that take less than the noise of the scheme's barrier; those of
# an older store that are not are left out of maps and measured anew.
#
# usage: times.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need sqlite3 sqlite3

least() { # SCHEME LAUNCHER...: the least time of 21 points that take next to nothing, in nanoseconds
  scheme=$1
  shift
  methods=bcast/native,allgather/native,barrier/native
  "$@" --scheme "$scheme" --method $methods --size 0,1,8,64,512,4KB,32KB --repetitions 40 >out 2>err || die "$*: $(cat out err)"
  [ "$(grep -c '^tutti-measurement' out)" -eq 21 ] || die "$*: $(cat out)"
  [ "$(grep -c ' spread_percent=[0-9]' out)" -gt 15 ] || die "$*: no spread: $(cat out)"
  sed -n 's/.* minimum_s=\([^ ]*\) .*/\1/p' out | awk 'NR == 1 || $1 < least { least = $1 } END { print 1e9 * least }'
}

try() { # LAUNCHER...
  for scheme in occ window; do
    time=$(least $scheme "$@") || exit 1
    awk "BEGIN { exit !($time > 0) }" || die "$*: scheme $scheme: $time ns: $(cat out)"
  done
}

flavor=
if [ -x "$build/mpich/tutti-bench" ] && command -v mpiexec.mpich >/dev/null; then
  flavor=mpich
  for ranks in 1 2; do
    try mpiexec.mpich -n $ranks -env LD_PRELOAD "$build/mpich/libtest-yield.so" "$build/mpich/tutti-bench"
  done
fi
if [ -x "$build/openmpi/tutti-bench" ] && command -v mpiexec.openmpi >/dev/null; then
  flavor=openmpi
  for ranks in 1 2; do
    try mpiexec.openmpi --oversubscribe -np $ranks "$build/openmpi/tutti-bench"
  done
fi
# Operations of ours are prepared once and then repeated, as programs and the interposer run them: by blocking sends.
repeats() { # LAUNCHER...
  "$@" --method bcast/linear,allreduce/recursive-doubling --size 8 --repetitions 40 >out 2>err || die "$*: $(cat out err)"
  awk '/^isends/ { sum += $2 } END { exit sum > 100 }' err || die "$*: operations are not prepared: $(cat err)"
}
if [ -x "$build/mpich/tutti-bench" ] && command -v mpiexec.mpich >/dev/null; then
  repeats mpiexec.mpich -n 2 -env LD_PRELOAD "$build/libtest-isend.so $build/mpich/libtest-yield.so" "$build/mpich/tutti-bench"
fi
if [ -x "$build/openmpi/tutti-bench" ] && command -v mpiexec.openmpi >/dev/null; then
  repeats mpiexec.openmpi --oversubscribe -np 2 -x LD_PRELOAD="$build/libtest-isend.so" "$build/openmpi/tutti-bench"
fi
[ -n "$flavor" ] || { echo "skipped: neither MPICH nor Open MPI"; exit 77; }

# --- a store of an older version, in which the barrier took longer than what it was taken off ---

cat >old.xml <<XML
<experiment name="old"><platform kind="real" name="here" flavor="$flavor"/>
  <measure repetitions-max="3"/>
  <sweep collective="bcast"><ranks>2</ranks><sizes>1 1KB</sizes><method name="bcast/linear"/>
    <method name="bcast/binomial"/></sweep></experiment>
XML
yield=
[ $flavor = openmpi ] || yield=$build/mpich/libtest-yield.so
bench() {
  LD_PRELOAD=$yield "$tutti" bench old.xml --db old.db --oversubscribe --quiet >out 2>err || die "$(cat out err)"
}
warns_of_load() { # for load and cores: 0: must not, 1: must, 2: may, as the load changes
  set -- "$(cut -d ' ' -f 1 /proc/loadavg)" "$(getconf _NPROCESSORS_ONLN)"
  return "$(awk "BEGIN { print ($1 > $2 + 1 ? 1 : $1 < $2 - 1 ? 0 : 2) }")"
}
warns_of_load
before=$?
bench
warns_of_load
after=$?
grep -q '^tutti: warning: the load of this machine is .*, above its [0-9]* core' err
said=$((1 - $?))
[ $before -ne $after ] || [ $before -eq 2 ] || [ $said -eq $before ] || die "load $(cat /proc/loadavg): $(cat err)"
expect '^old: 4 points measured, 0 there already'
expect '^old: (medians are known to [0-9.e+]* % or better, the least well|not all medians are known:) that of bcast/.* ranks=2( is not, its interval .*side)?(; [1-4] of 4 not to the 5 % asked for)?$'
sqlite3 old.db "UPDATE measurement SET minimum_s = -2e-7, median_s = -1e-7, mean_s = -1e-7, maximum_s = 0
  WHERE count = 1 AND method = (SELECT id FROM method WHERE name = 'bcast/linear')"
run 0 map bcast --db old.db --platform here
expect '^tutti: old.db: 1 measurement of bcast is left out, with times below zero: tutti bench measures them anew$'
bench
expect '^old: 1 point measured, 3 there already'
[ "$(sqlite3 old.db 'SELECT count(*), min(minimum_s) > 0 FROM measurement')" = '4|1' ] || die "not above zero"
run 0 map bcast --db old.db --platform here
! grep -q 'left out' err || die "still left out: $(cat err)"
echo "times above zero; $flavor measures anew what is not"
