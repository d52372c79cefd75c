#!/bin/sh
# interpose.sh BUILD_DIR [FLAVOR [ROUNDS [CALLS [OPERATION]]]]: small and large collectives of an ordinary program with the interposer,
# beside the MPI library's own and beside the same messages by hand; without FLAVOR for MPICH and Open MPI. Two ranks: they
# need two cores. TUTTI_ variables count: with TUTTI_PROFILE=FILE the interposer records. With TUTTI_NONBLOCKING=1 it is
# nonblocking and persistent collectives (bench/nonblocking.c).
set -eu
. "$(dirname "$0")/launch.sh"

run() { # FLAVOR [ROUNDS [CALLS [OPERATION]]]
  flavor=$1
  shift
  preload=$build/$flavor/libtutti_mpi.so program=bench-interpose
  [ "${TUTTI_NONBLOCKING:-0}" = 0 ] || program=bench-nonblocking
  case $flavor in
  mpich) mpiexec.mpich -n 2 env LD_PRELOAD="$preload" "$build/mpich/$program" "$@" ;;
  openmpi)
    OMPI_MCA_btl_base_warn_component_unused=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
      mpiexec.openmpi --oversubscribe -n 2 env LD_PRELOAD="$preload" "$build/openmpi/$program" "$@"
    ;;
  *)
    echo "interpose.sh: '$flavor' is neither mpich nor openmpi" >&2
    return 2
    ;;
  esac
}

whole() {
  for flavor in mpich openmpi; do
    echo "$flavor"
    run $flavor
  done
}

table() {
  :
}

tabulate "$@"
