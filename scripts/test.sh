#!/bin/sh
# Install what is missing, build with warnings as errors, run every test. Further arguments go to ctest.
set -eu
scripts=$(cd "$(dirname "$0")" && pwd)
source=$(dirname "$scripts")
TUTTI_BUILD=${TUTTI_BUILD:-$source/build}
export TUTTI_BUILD

sh "$scripts/setup.sh"
sh "$scripts/build.sh" -DTUTTI_WERROR=ON
exec ctest --test-dir "$TUTTI_BUILD" --output-on-failure -j 2 "$@"
