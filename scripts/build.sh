#!/bin/sh
# Configure and build into build/ (or $TUTTI_BUILD). Further arguments go to cmake.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=${TUTTI_BUILD:-$source/build}
cmake -S "$source" -B "$build" -G Ninja -DBUILD_TESTING=ON "$@"
cmake --build "$build"
