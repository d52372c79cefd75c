#!/bin/sh
# The library itself reads files that `tutti export` writes: the messages of each rank are those of the chosen algorithm, on
# both sides of every step, and not those of the library's own choice.
#
# usage: run.sh FLAVOR BUILD_DIR SOURCE_DIR [WHAT]  (WHAT_FLAVOR.sh instead of FLAVOR.sh)
set -u
flavor=$1 what=${4:-}
shift
. "$2/tests/e2e/begin.sh"
program=$build/$flavor/test-targets count="$build/$flavor/libtest-count.so $build/libtest-idle.so"

need "mpiexec.$flavor" "$flavor"
version=$(version_of "$flavor")
target=$flavor-$version
format=$(format_of "$flavor")

# launch RANKS FILE METHOD@BYTES...: the library under a file ("-": none), with the settings that tutti prints for it, into
# the file told
launch() {
  ranks=$1 file=$2
  shift 2
  (
    [ "$file" = - ] || eval "$("$tutti" lint --activate --target "$target" "$file" | sed -n '/^export /p')"
    case $flavor in
    mpich) # every message through UCX
      exec timeout $PATIENCE mpiexec.mpich -n "$ranks" -env LD_PRELOAD "$count $build/mpich/libtest-yield.so" \
        -env MPIR_CVAR_NOLOCAL 1 "$program" "$@"
      ;;
    openmpi)
      export OMPI_MCA_mpi_yield_when_idle=1
      exec timeout $PATIENCE mpiexec.openmpi --mca btl_base_warn_component_unused 0 --mca pml ucx \
        --mca pml_ucx_tls any --mca pml_ucx_devices any --oversubscribe -n "$ranks" -x LD_PRELOAD="$count" "$program" "$@"
      ;;
    esac
  ) >told 2>err || return
  grep -Eqx 'end|[0-9]+ faults' told # MPICH 4.2's mpiexec may exit with 0 when ranks have died
}

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

# forced RANKS METHOD@BYTES...: told by settings of the library (METHOD@FLAVOR), each runs as it is
forced() {
  ranks=$1
  shift
  for call; do
    method=${call%%@*} bytes=${call#*@}
    settings=$("$program" --settings "$ranks" "$method@$flavor" "${bytes%%#*}" "$target" 2>err) || die "$call: $(cat err)"
    (
      for setting in $settings; do
        export "${setting?}"
      done
      told "$ranks" - "$call"
    ) || exit 1
  done
}

. "$source/tests/mpi/targets/${what:+${what}_}$flavor.sh"
echo '1 passed, 0 failed'
