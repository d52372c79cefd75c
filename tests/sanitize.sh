#!/bin/sh
# Build the parts without MPI once more, under AddressSanitizer, LeakSanitizer and UBSan, and run their unit tests. Little
# optimization and line numbers only: half the time of the default build.
#
# usage: sanitize.sh SOURCE_DIR BUILD_DIR GENERATOR C_COMPILER
set -u
source=$1 build=$2 generator=$3 compiler=$4

fail() { # WHAT: with the output of it
  tail -n 60 "$build.log" >&2
  echo "sanitize: $1 failed" >&2
  exit 1
}

cmake -S "$source" -B "$build" -G "$generator" -DCMAKE_C_COMPILER="$compiler" -DTUTTI_SANITIZE=ON -DCMAKE_BUILD_TYPE=None \
  "-DCMAKE_C_FLAGS=-O1 -g1" \
  -DTUTTI_FLAVORS_WANTED=none >"$build.log" 2>&1 || fail "configuring"
cmake --build "$build" --parallel 2 --target unit-tests >"$build.log" 2>&1 || fail "the build"

# An absurd allocation is refused, as without sanitizers. What is proven for all sizes without them is run for some here:
# up to 9 ranks there are powers of two, odd numbers, and several nodes that are full and not.
ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:detect_stack_use_after_return=1
UBSAN_OPTIONS=print_stacktrace=1
TUTTI_TEST_MOST_RANKS=${TUTTI_TEST_MOST_RANKS:-9}
export ASAN_OPTIONS UBSAN_OPTIONS TUTTI_TEST_MOST_RANKS
ctest --test-dir "$build" -R '^(unit|verify|fuzz)\.' -j 2 --output-on-failure --no-tests=error
