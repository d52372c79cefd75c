#!/bin/sh
# Run an MPI test program: run.sh FLAVOR RANKS PROGRAM SOURCE_DIR [WRAPPER...]
# It has passed only when its closing line says so: smpirun exits 0 on deadlock and on MPI_Abort.
flavor=$1 ranks=$2 program=$3 source=$4
shift 4
idle=$(dirname "$(dirname "$program")")/libtest-idle.so # more ranks than cores, beside other tests
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
case $flavor in
smpi)
  i=0
  while [ "$i" -lt "$ranks" ]; do
    echo "n$((i / ${TUTTI_TEST_RANKS_PER_HOST:-1}))"
    i=$((i + 1))
  done >"$work/hosts"
  smpirun -np "$ranks" -platform "$source/platforms/fast_ethernet.xml" -hostfile "$work/hosts" -no-privatize \
    --log=root.thres:warning "$program" >"$work/out" 2>"$work/err"
  ;;
mpich)
  mpiexec.mpich -n "$ranks" -env LD_PRELOAD "$idle $(dirname "$program")/libtest-yield.so" "$@" "$program" >"$work/out" 2>"$work/err"
  ;;
openmpi)
  # op/avx of Open MPI 4.1.4 computes wrong 8-bit sums; tests may run as root in a container.
  OMPI_MCA_op=^avx OMPI_MCA_btl_base_warn_component_unused=0 OMPI_ALLOW_RUN_AS_ROOT=1 \
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 \
    mpiexec.openmpi --oversubscribe -n "$ranks" -x LD_PRELOAD="$idle" "$@" "$program" \
    >"$work/out" 2>"$work/err"
  ;;
esac
status=$?
cat "$work/out"
cat "$work/err" >&2
[ "$status" -eq 0 ] || exit "$status"
grep -q 'Deadlock\|MPI_Abort was called' "$work/err" && exit 1
grep -Eq '^[1-9][0-9]* passed, 0 failed$' "$work/out"
