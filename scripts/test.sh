#!/bin/sh
# Install what is missing, build with warnings as errors, run every test, but a unit test that is the same under sanitizers
# (label "sanitized") only there; or, with arguments for ctest, what these say. At the end: which tests were skipped, and
# which had to try something again, with the reason.
set -eu
scripts=$(cd "$(dirname "$0")" && pwd)
source=$(dirname "$scripts")
TUTTI_BUILD=${TUTTI_BUILD:-$source/build}
export TUTTI_BUILD

sh "$scripts/setup.sh" all
sh "$scripts/build.sh" -DTUTTI_WERROR=ON
status=0
[ $# -gt 0 ] || set -- -LE sanitized
# One more than cores: there is always a test that waits, for a queue, a launcher or a time.
ctest --test-dir "$TUTTI_BUILD" --output-on-failure -j 3 "$@" || status=$?

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
