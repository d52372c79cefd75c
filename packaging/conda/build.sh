#!/bin/sh
# Run by conda-build in the sources.
set -eu
cmake -B build-conda -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF -DTUTTI_FLAVORS_WANTED=smpi \
  -DCMAKE_PREFIX_PATH="$PREFIX;${BUDDY_PREFIX:-}" -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib
cmake --build build-conda
cmake --install build-conda
