#!/bin/sh
# From nothing to a decision map: install what is missing, build, measure broadcast on a simulated Fast Ethernet cluster,
# print the map of the best methods and draw it. Writes demo.db and demo.png where it is called.
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
"$build/tutti" penalty bcast/linear bcast/binomial bcast/split-binary/1KB bcast/pipeline/8KB \
  "$source/experiments/hand_rule.txt" --platform grig_fast_ethernet --db demo.db
echo
echo "The picture is demo.png, the measurements are in demo.db."
