#!/bin/sh
# Build the parts without MPI once more, under AddressSanitizer, LeakSanitizer and UBSan, for the tests sanitize.NAME: with
# one job, beside another test. Little optimization and line numbers only: half the time of the default build.
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
cmake --build "$build" --parallel 1 --target unit-tests >"$build.log" 2>&1 || fail "the build"
