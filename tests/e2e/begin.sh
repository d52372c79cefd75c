# Sourced at the start of an end-to-end test, whose arguments are BUILD_DIR SOURCE_DIR: changes to a new empty directory.
name=$(basename "$0" .sh)
build=$(cd "$1" && pwd) && source=$(cd "$2" && pwd) || exit 2
tutti=$build/tutti
TUTTI_PLATFORM_PATH=$source/platforms
TUTTI_PLOTS=$source/plots
PATH=$build/tests/bin:$PATH
export TUTTI_PLATFORM_PATH TUTTI_PLOTS PATH
unset CI GITHUB_STEP_SUMMARY GITHUB_WORKSPACE # of the machine that runs the tests
. "$source/tests/patient.sh"

# Open MPI may run as root in a container, and uses no instructions that valgrind does not know.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_op=^avx
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_op

place=$(mktemp -d) || exit 1
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1

die() {
  echo "$name: $*" >&2
  exit 1
}

need() { # PROGRAM DEBIAN-PACKAGE: skip the test without it
  command -v "$1" >/dev/null || { echo "skipped: no $1 (Debian: apt-get install $2)"; exit 77; }
}

version_of() { # FLAVOR: of the library that is installed
  "mpiexec.$1" --version | sed -n 's/^.*\((Open[^)]*)\|Version:\) *\([0-9]*\.[0-9]*\.[0-9]*\).*/\2/p' | sed q
}

format_of() { # FLAVOR: of the files that it reads
  case $1-$(version_of "$1") in
  openmpi-4.*) echo openmpi-4.1 ;;
  openmpi-5.*) echo openmpi-5 ;;
  openmpi-*) echo openmpi-6 ;;
  mpich-4.0.*) echo mpich-4.0 ;;
  mpich-*) echo mpich-4.1 ;;
  esac
}

run() { # STATUS SUBCOMMAND ARGUMENTS...: tutti, which leaves out and err
  expected=$1
  shift
  "$tutti" "$@" >out 2>err
  code=$?
  [ $code -eq "$expected" ] || die "$*: status $code instead of $expected: $(cat out err)"
}

expect() { # PATTERN: a line of out or err
  grep -Eq -- "$1" out err || die "no line like '$1' in: $(cat out err)"
}

simulate() { # PLATFORM RANKS PROGRAM ARGUMENTS...: under smpirun; also fails if that prints a warning
  platform=$1 ranks=$2
  shift 2
  "$tutti" platform hostfile "$platform" --ranks "$ranks" -o hosts || die "no hostfile for $ranks ranks of $platform"
  smpirun -np "$ranks" -platform "$TUTTI_PLATFORM_PATH/$platform.xml" -hostfile hosts -no-privatize \
    $("$tutti" platform options "$platform") --log=root.thres:warning "$@" 2>err || die "$* failed: $(cat err)"
  [ ! -s err ] || die "$* says: $(cat err)"
}

block() { # PAGE.md INFO: the fenced block of a page whose info string is INFO ("c src/x.c"); all of them if it is one word
  awk -v info="$2" '
    /^```/ { if (inside) inside = 0; else inside = substr($0, 4) == info ? 1 : -1; next }
    inside == 1' "$source/docs/$1" >block
  [ -s block ] || die "docs/$1 has no block '$2'"
  cat block
}

copy_sources() { # the sources, into copy/
  mkdir -p copy && (cd "$source" && tar cf - CMakeLists.txt README.md LICENSE cmake docs include src tests bench scripts \
    plots platforms experiments) | tar xf - -C copy || die "cannot copy the sources"
}

# What compiles copy/ in copy/build as build_copy does takes from ccache what another test has compiled: the copies of several
# tests differ in few files.
share_objects() {
  CFLAGS="-O1 -Wno-error=maybe-uninitialized" CMAKE_BUILD_TYPE=None
  export CFLAGS CMAKE_BUILD_TYPE
  if command -v ccache >/dev/null; then
    CMAKE_C_COMPILER_LAUNCHER=ccache CCACHE_DIR=$build/ccache CCACHE_BASEDIR=$place CCACHE_NOHASHDIR=1
    CCACHE_DEPEND=1 # no preprocessor before the compiler
    export CMAKE_C_COMPILER_LAUNCHER CCACHE_DIR CCACHE_BASEDIR CCACHE_NOHASHDIR CCACHE_DEPEND
  fi
}

build_copy() { # TARGETS...: of copy/ without MPI, also named build/, with these SUITES of unit tests
  share_objects
  ln -s copy/build build
  cmake -S copy -B copy/build -G Ninja -DTUTTI_FLAVORS_WANTED=none -DTUTTI_WERROR=ON "-DTUTTI_SUITES=${SUITES:-none}" \
    >log 2>&1 && cmake --build build -t "$@" >>log 2>&1 || die "does not build: $(tail -n 20 log)"
}
