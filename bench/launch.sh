# Begin a benchmark of all flavors, whose first argument is BUILD_DIR, and which sources this: sets `build`, `source` and
# `work`, a directory for files that are gone at the end.
[ $# -gt 0 ] && [ -x "$1/tutti" ] || {
  echo "$(basename "$0"): '${1-}' is not a build directory of Tutti; the first lines of the script say what to give" >&2
  exit 2
}
build=$(cd "$1" && pwd)
shift
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
limit=      # a command that bounds simulations
simulation= # an option of smpirun

launch() { # PROGRAM PLATFORM FLAVOR RANKS OPTION...: the platform is for simulations
  program=$1 platform=$source/platforms/$2.xml flavor=$3 ranks=$4
  shift 4
  case $flavor in
  smpi)
    "$build/tutti" platform hostfile "$platform" --ranks "$ranks" -o "$work/hosts"
    # shellcheck disable=SC2086 # words, or none
    LD_PRELOAD=libjemalloc.so.2 $limit smpirun -np "$ranks" -platform "$platform" -hostfile "$work/hosts" \
      --cfg=smpi/privatization:no --cfg=contexts/stack-size:64 --cfg=contexts/guard-size:0 $simulation \
      --log=root.thres:warning "$build/smpi/$program" "$@"
    ;;
  mpich)
    mpiexec.mpich -n "$ranks" -env LD_PRELOAD "$build/mpich/libtest-yield.so" "$build/mpich/$program" "$@"
    ;;
  openmpi)
    OMPI_MCA_op=^avx OMPI_MCA_btl_base_warn_component_unused=0 OMPI_ALLOW_RUN_AS_ROOT=1 \
      OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpiexec.openmpi --oversubscribe -n "$ranks" "$build/openmpi/$program" "$@"
    ;;
  *)
    echo "$(basename "$0"): '$flavor' is not smpi, mpich or openmpi" >&2
    return 2
    ;;
  esac
}

# The same, its output in $work/out. A run whose output has no line that begins with END has failed: smpirun exits 0 on
# MPI_Abort.
launch_to() { # END PROGRAM PLATFORM FLAVOR RANKS OPTION...
  end=$1
  shift
  launch "$@" >"$work/out" || return 1
  grep -q "^$end " "$work/out" || {
    echo "$(basename "$0"): $3 with $4 ranks did not come to its end" >&2
    return 1
  }
}

# With functions of the script: the measurements of `run` for these arguments or, if there are none, the `whole` of them;
# then the `table`.
tabulate() { # [ARGUMENT OF RUN...]
  if [ $# -eq 0 ]; then
    whole
  else
    run "$@"
  fi
  table
}
