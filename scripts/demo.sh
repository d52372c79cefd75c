#!/bin/sh
# From nothing to a tuning file: install what is missing, build, measure broadcast on a simulated Fast Ethernet cluster,
# print the map of the best methods and draw it, learn a decision function from it, and write that down for Open MPI.
# Writes demo.db, demo.png, demo.tree and demo.rules where it is called.
set -eu
scripts=$(cd "$(dirname "$0")" && pwd)
source=$(dirname "$scripts")
build=${TUTTI_BUILD:-$source/build}

sh "$scripts/setup.sh"
echo "demo.sh: building"
sh "$scripts/build.sh" >"$source/build.log" 2>&1 || {
  tail -n 40 "$source/build.log" >&2
  echo "demo.sh: the build failed; all of its output is in $source/build.log" >&2
  exit 1
}
rm -f "$source/build.log"

TUTTI_PLATFORM_PATH=${TUTTI_PLATFORM_PATH:-$source/platforms}
export TUTTI_PLATFORM_PATH
"$build/tutti" bench "$source/experiments/demo.xml" --db demo.db
echo
"$build/tutti" map bcast --platform grig_fast_ethernet --db demo.db --plot demo.png
echo
"$build/tutti" learn optimal bcast --platform grig_fast_ethernet --db demo.db --leaves 8 -o demo.tree --print
echo
"$build/tutti" penalty bcast/linear bcast/binomial bcast/split-binary/1KB bcast/pipeline/8KB \
  "$source/experiments/hand_rule.txt" demo.tree --platform grig_fast_ethernet --db demo.db
echo
"$build/tutti" export demo.tree --platform grig_fast_ethernet --db demo.db --format openmpi -o demo.rules
echo
echo "The picture is demo.png, the measurements are in demo.db, what was learnt from them in demo.tree, and for Open MPI"
echo "in demo.rules."
