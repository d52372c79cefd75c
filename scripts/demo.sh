#!/bin/sh
# From nothing to a tuning file: install what is missing, build, measure broadcast on a simulated Fast Ethernet cluster,
# print the map of the best methods and draw it, learn a decision function from it, and write it as rules for Open MPI.
# Writes demo.db, demo.png, demo.tree and demo.rules into the current directory.
set -eu
scripts=$(cd "$(dirname "$0")" && pwd)
source=$(dirname "$scripts")
build=${TUTTI_BUILD:-$source/build}
log=$build/demo.log

step() { # TEXT: what comes next
  printf '\n== %s\n' "$1"
}

show_progress() { # of ninja, "[17/400] ...": one line that counts on a terminal, else a line each tenth
  awk -v terminal="$1" -F '[][/]' '
    /^\[[0-9]+\/[0-9]+\]/ {
      tenth = int(10 * $2 / $3)
      if (terminal)
        printf "\r  %d of %d", $2, $3
      else if (tenth > shown)
        printf "  %d of %d\n", $2, $3
      shown = tenth
      fflush()
    }
    END { if (terminal && shown) print "" }'
}

sh "$scripts/setup.sh" demo

step "Building the command and the measuring program for simulations into $build"
mkdir -p "$build"
tests=-DBUILD_TESTING=OFF # scripts/test.sh wants them
[ ! -e "$build/CMakeCache.txt" ] || tests=
terminal=
[ ! -t 1 ] || terminal=1
{
  cmake -S "$source" -B "$build" -G Ninja $tests >"$log" 2>&1 &&
    cmake --build "$build" --target tutti tutti-bench-smpi 2>&1 || echo "demo.sh: failed"
} | tee -a "$log" | show_progress "$terminal"
if grep -q '^demo.sh: failed$' "$log"; then
  grep -v '^\[' "$log" | tail -n 40 >&2
  echo "demo.sh: the build failed; all of its output is in $log" >&2
  exit 1
fi

TUTTI_PLATFORM_PATH=${TUTTI_PLATFORM_PATH:-$source/platforms}
TUTTI_PLOTS=${TUTTI_PLOTS:-$source/plots}
export TUTTI_PLATFORM_PATH TUTTI_PLOTS
here="--platform grig_fast_ethernet --db demo.db"

step "Measuring broadcast on 2 to 28 ranks of a simulated Fast Ethernet cluster"
"$build/tutti" bench "$source/experiments/demo.xml" --db demo.db
step "The best method for each number of ranks and message size"
"$build/tutti" map bcast $here --plot demo.png
step "A decision tree of at most eight leaves"
"$build/tutti" learn optimal bcast $here --leaves 8 -o demo.tree --print
step "How much slower than the best method: fixed methods, a rule written by hand, the tree"
"$build/tutti" penalty bcast/linear bcast/binomial bcast/split-binary/1KB bcast/pipeline/8KB \
  "$source/experiments/hand_rule.txt" demo.tree $here
step "The tree as rules for Open MPI"
"$build/tutti" export demo.tree $here --format openmpi -o demo.rules
printf '\n%s\n' "The picture is demo.png, the measurements are in demo.db, the tree is in demo.tree, the rules are in demo.rules."
