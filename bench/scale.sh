#!/bin/sh
# scale.sh BUILD_DIR [RANKS]: time and memory of a broadcast and a barrier through schedules, as ratios to a bare MPI
# program that sends the same messages under the same options, on platforms/torus.xml (default 131072 ranks). Processor
# time is what to look at on a machine that others use, too.
set -eu
build=$1
ranks=${2:-131072}
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$build/tutti" platform hostfile "$source/platforms/torus.xml" --ranks "$ranks" -o "$work/hosts"
for mode in nothing bare schedules; do
  started=$(date +%s%N)
  LD_PRELOAD=libjemalloc.so.2 smpirun -np "$ranks" -platform "$source/platforms/torus.xml" -hostfile "$work/hosts" \
    -no-privatize --log=root.thres:warning -wrapper "sh $source/bench/peak.sh $work/$mode.peak" \
    "$build/smpi/bench-scale" "$mode"
  ended=$(date +%s%N)
  echo "$mode $(((ended - started) / 1000000)) $(cat "$work/$mode.peak")" >>"$work/table"
done
awk '{ wall[$1] = $2 / 1000; peak[$1] = $3 / 1024; processor[$1] = $4
       printf "%-10s wall %8.1f s   processor %8.1f s   memory %6.0f MiB\n", $1, wall[$1], $4, peak[$1] }
     END { printf "schedules / bare: wall %.2f, processor %.2f, memory %.2f; without start and end: wall %.2f, processor %.2f\n",
           wall["schedules"] / wall["bare"], processor["schedules"] / processor["bare"],
           peak["schedules"] / peak["bare"], (wall["schedules"] - wall["nothing"]) / (wall["bare"] - wall["nothing"]),
           (processor["schedules"] - processor["nothing"]) / (processor["bare"] - processor["nothing"]) }' "$work/table"
