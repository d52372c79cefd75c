#!/bin/sh
# Install what is missing, build with warnings as errors, run every test, but a unit test that is the same under sanitizers
# (label "sanitized") only there; or, with arguments for ctest, what these say. At the end: which tests were skipped, and
# which had to try something again, with the reason.
#
# test.sh quick [ROOM]: the tests of a room that take a minute together, or of all rooms: base, algorithms, groups, decision,
# interpose, harness, cli, docs, house. Without real MPI libraries, sanitizers and what is long; nothing is installed.
set -eu
scripts=$(cd "$(dirname "$0")" && pwd)
source=$(dirname "$scripts")
TUTTI_BUILD=${TUTTI_BUILD:-$source/build}
export TUTTI_BUILD

rooms='base algorithms groups decision interpose harness cli docs house'
if [ "${1:-}" = quick ]; then
  [ $# -le 2 ] || { echo "test.sh: quick ROOM, of: $rooms" >&2; exit 2; }
  case " $rooms " in
  *" ${2:-base} "*) ;;
  *) echo "test.sh: '$2' is no room: $rooms" >&2; exit 2 ;;
  esac
  [ -e "$TUTTI_BUILD/CMakeCache.txt" ] || sh "$scripts/build.sh" -DTUTTI_WERROR=ON
  cmake --build "$TUTTI_BUILD"
  set -- -L "^${2:-.*}\$" -LE '^long$' --timeout 120
else
  sh "$scripts/setup.sh" all
  sh "$scripts/build.sh" -DTUTTI_WERROR=ON
fi
status=0
[ $# -gt 0 ] || set -- -LE sanitized
# Three more than two cores: tests wait for a queue, a launcher or a time.
ctest --test-dir "$TUTTI_BUILD" --output-on-failure -j 5 "$@" || status=$?

# A test says "skipped: REASON" or "retried: REASON: NUMBER tries" (tests/patient.sh).
awk '
  /^[0-9]+\/[0-9]+ Test: / { name = $3 }
  /^skipped: / { reason = substr($0, 10); skipped = skipped "  " name ": " reason "\n" }
  /^retried: / { reason = substr($0, 10); retried = retried "  " name ": " reason "\n" }
  END {
    printf "\nSkipped:\n%s", skipped ? skipped : "  nothing\n"
    printf "Tried again:\n%s", retried ? retried : "  nothing\n"
  }' "$TUTTI_BUILD/Testing/Temporary/LastTest.log"
exit $status
