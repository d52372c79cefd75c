#!/bin/sh
# tutti compare with real libraries on two ranks: rules that are bad without doubt are found, and are gone from the file
# mended, which is not slower than the library left alone.
#
# usage: compare_real.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
# On a busy machine ranks that wait give way.
launch() { # FLAVOR ARGUMENTS...
  flavor=$1 yield="--mca mpi_yield_when_idle 1"
  [ "$flavor" = mpich ] && yield="-env LD_PRELOAD $build/mpich/libtest-yield.so"
  shift
  rm -f ./*.db*
  "$tutti" compare untuned "$@" -P 2 --platform here --repetitions 60 --rounds 10 --oversubscribe -q --launcher-args "$yield" >out 2>err
}

# FLAVOR FILE COLLECTIVE SIZES LINE: LINE is what is said of the file
find_loss() {
  launch "$1" "$2" --collective "$3" -s "$4" -o "mended.$1"
  [ $? -eq 1 ] && grep -Eq "$5" out
}

mended() { # FLAVOR COLLECTIVE SIZES
  launch "$1" "mended.$1" --collective "$2" -s "$3"
}

# FLAVOR: two installations, whose points come by standard input; two rounds give no verdict.
installations() {
  run 0 compare --library "one=mpiexec.$1" --library "two=A=1 sh -c 'exec \"\$@\"' sh mpiexec.$1" --collective bcast,barrier -P 2 -s 8 \
    --rounds 2 --repetitions 20 --oversubscribe -q --platform here --db "both.$1.db"
  expect "^one \\((OpenMPI|MPICH)-[0-9.]*\\) against two \\((OpenMPI|MPICH)-[0-9.]*\\) on here"
  expect "^not measured: 2 of 2 points"
}

flavor=
if [ -x "$build/openmpi/tutti-bench" ]; then
  flavor=openmpi
  installations openmpi
  # Segments of 1 KB of messages of 1 MB: a thousand messages in place of a few.
  printf '1\n7\n1\n0\n2\n0 0 0 0\n1048576 2 1 1024\n' >bad.rules
  retry 5 "a bad rule of Open MPI is found" find_loss openmpi bad.rules bcast 1KB,1MB '^bcast +2 +1MB .* lost$' ||
    die "openmpi: $(cat out err)"
  run 0 explain bcast -P 2 -s 1MB --decision mended.openmpi
  expect "own choice"
  retry 5 "the mended rules of Open MPI lose nothing" mended openmpi bcast 1KB,1MB || die "openmpi: $(cat out err)"
fi
if [ -x "$build/mpich/tutti-bench" ]; then
  flavor=mpich
  installations mpich
  # Two more copies of all that is sent.
  printf 'alltoall/bruck\n' >rules.txt
  run 0 export rules.txt --format "$(format_of mpich)" -o bad.json
  retry 5 "a bad rule of MPICH is found" find_loss mpich bad.json alltoall 8,1MB '^alltoall +2 +1MB .* lost$' ||
    die "mpich: $(cat out err)"
  run 0 explain alltoall -P 2 -s 1MB --decision mended.mpich
  expect "pairwise"
  retry 5 "the mended selection of MPICH loses nothing" mended mpich alltoall 8,1MB || die "mpich: $(cat out err)"
fi
[ -n "$flavor" ] || { echo "skipped: no tutti-bench for a real MPI library"; exit 77; }
echo ok
