#!/bin/sh
# Run the libFuzzer targets, each for some seconds under AddressSanitizer, LeakSanitizer and UBSan, and print a table.
#
# usage: tests/fuzz/run.sh BUILD_DIR SECONDS [KIND...]
#
# How to build them: docs/how-to/build.md.
#
# The corpus of a kind is BUILD_DIR/tests/corpus/KIND: it begins with the seeds and is kept from run to run. An input
# that fails is BUILD_DIR/tests/findings/KIND-...: BUILD_DIR/tests/fuzz-KIND FILE runs it again; a small one of them
# becomes a seed here in seeds/ or a unit test.
set -u
if [ $# -lt 2 ]; then
  sed -n '4p' "$0" >&2
  exit 2
fi
programs=$1/tests seconds=$2
shift 2
if [ $# -eq 0 ]; then
  set -- $("$programs/fuzz-readers" --help 2>&1 | sed -n 's/^kinds://p')
fi

ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=1:detect_stack_use_after_return=1}
UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export ASAN_OPTIONS UBSAN_OPTIONS
failed=0
mkdir -p "$programs/findings"
printf '%-12s %8s %12s %8s %8s %8s\n' kind seconds executions coverage features findings
for kind; do
  corpus=$programs/corpus/$kind log=$programs/findings/$kind.log
  mkdir -p "$corpus" && "$programs/fuzz-readers" --kind "$kind" --write-seeds "$corpus" || exit 2
  "$programs/fuzz-$kind" -max_total_time="$seconds" -rss_limit_mb=4096 -timeout=10 -print_final_stats=1 \
    -artifact_prefix="$programs/findings/$kind-" "$corpus" >"$log" 2>&1
  status=$?
  found=0
  if [ $status -ne 0 ]; then
    found=1 failed=1
  fi
  awk -v kind="$kind" -v found="$found" '
    / cov: / { for (i = 1; i < NF; i++) { if ($i == "cov:") coverage = $(i + 1); if ($i == "ft:") features = $(i + 1) } }
    /^stat::number_of_executed_units:/ { executions = $2 }
    / in [0-9]+ second/ { for (i = 1; i < NF; i++) if ($i == "in") seconds = $(i + 1) }
    END { printf "%-12s %8s %12s %8s %8s %8d\n", kind, seconds, executions, coverage, features, found }' "$log"
  if [ $found -ne 0 ]; then
    echo "run.sh: $kind: see $log" >&2
  fi
done
exit $failed
