#!/bin/sh
# The library itself reads files that `tutti export` writes: the messages of each rank are those of the chosen algorithm, on
# both sides of every step, and not those of the library's own choice.
#
# usage: run.sh FLAVOR BUILD_DIR SOURCE_DIR [WHAT]  (WHAT_FLAVOR.sh instead of FLAVOR.sh)
set -u
flavor=$1 what=${4:-}
shift
. "$2/tests/e2e/begin.sh"
program=$build/$flavor/test-targets count=$build/$flavor/libtest-count.so

# launch RANKS FILE METHOD@BYTES...: the library under a file ("-": none) into the file told
launch() {
  ranks=$1 file=$2
  shift 2
  case $flavor in
  mpich) # every message through UCX
    set -- -n "$ranks" -env LD_PRELOAD "$count $build/mpich/libtest-yield.so" -env MPIR_CVAR_NOLOCAL 1 "$program" "$@"
    [ "$file" = - ] || set -- -env MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE "$file" "$@"
    timeout $PATIENCE mpiexec.mpich "$@" >told 2>err
    ;;
  openmpi)
    set -- --mca op ^avx --mca btl_base_warn_component_unused 0 --mca pml ucx --mca pml_ucx_tls any \
      --mca pml_ucx_devices any --oversubscribe -n "$ranks" -x LD_PRELOAD="$count" "$program" "$@"
    [ "$file" = - ] ||
      set -- --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename "$file" "$@"
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout $PATIENCE mpiexec.openmpi "$@" >told 2>err
    ;;
  esac
}

need "mpiexec.$flavor" "$flavor"
launch 2 - barrier/bruck@0
grep -q 'PML ucx cannot be selected' err && { echo 'skipped: this Open MPI has no UCX'; exit 77; }

# told RANKS FILE METHOD@BYTES...: all as decided
told() {
  launch "$@" || die "$flavor: $(cat told err)"
  shift 2
  [ "$(grep -c ': as decided: ' told)" -eq $# ] || die "$flavor does not do as decided: $(cat told)"
  cat told
}

# own RANKS LEAST METHOD@BYTES...: without a file at least so many are otherwise, or the test would show nothing
own() {
  ranks=$1 least=$2
  shift 2
  launch "$ranks" - "$@" || die "$flavor: $(cat told err)"
  cat told
  [ "$(grep -c ': otherwise: ' told)" -ge "$least" ] || die "$flavor does that of itself: $(cat told)"
}

. "$source/tests/mpi/targets/${what:+${what}_}$flavor.sh"
echo '1 passed, 0 failed'
