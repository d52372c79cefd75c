# Sourced at the start of an end-to-end test, whose arguments are BUILD_DIR SOURCE_DIR: changes to a new empty directory.
name=$(basename "$0" .sh)
build=$(cd "$1" && pwd) && source=$(cd "$2" && pwd) || exit 2
tutti=$build/tutti
TUTTI_PLATFORM_PATH=$source/platforms
TUTTI_PLOTS=$source/plots
PATH=$build/tests/bin:$PATH
NO_COLOR=1 # on pseudo-terminals, whose text is looked at
export TUTTI_PLATFORM_PATH TUTTI_PLOTS PATH NO_COLOR
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
    plots platforms experiments python packaging) | tar xf - -C copy || die "cannot copy the sources"
}

# The next build of copy/ in copy/build copies the objects of $build whose files are the same. In `same`: their commands, as
# they are there, a tab, and what they depend on.
share_objects() {
  [ -e "$build/build.ninja" ] || return 0
  { diff -rq "$source/src" copy/src; diff -rq "$source/include" copy/include; ninja -C "$build" -t deps; ninja -C "$build" -t commands; } |
    awk -v build="$build/" -v above="$(dirname "$build")/" -v source="$source/" -v copy="$place/copy/" '
      /^Files .* differ$/ { changed[$2] = 1 }
      / #deps [0-9]*, .*[(]VALID[)]$/ { object = substr($1, 1, length($1) - 1); needs[object] = object ":"; next }
      /^ / && object { # a file that is generated may change, too
        sub("[.][.]/", above)
        if ($1 in changed || index($1, build) == 1 || $1 !~ "^/") delete needs[object]
        else if (object in needs) needs[object] = needs[object] " " $1
        next
      }
      { object = "" }
      match($0, / -o [^ ]*[.]o -c /) && !/TUTTI_SOURCE_DIR/ {
        object = substr($0, RSTART + 4, RLENGTH - 8)
        if (object in needs) { line = $0 "\t" needs[object]; gsub(source, copy, line); gsub(/\\/, "", line); print line }
        object = ""
      }' >same
  CMAKE_C_COMPILER_LAUNCHER="sh;$source/tests/e2e/reuse.sh" REUSE_LIST=$place/same REUSE_BUILD=$build
  export CMAKE_C_COMPILER_LAUNCHER REUSE_LIST REUSE_BUILD
}

build_copy() { # TARGETS...: of copy/ without MPI, also named build/, with these SUITES of unit tests
  share_objects
  ln -s copy/build build
  cmake -S copy -B copy/build -G Ninja -DTUTTI_FLAVORS_WANTED=none -DTUTTI_WERROR=ON "-DTUTTI_SUITES=${SUITES:-none}" \
    >log 2>&1 && cmake --build build -t "$@" >>log 2>&1 || die "does not build: $(tail -n 20 log)"
  : >same # copy/ may change
}
