#!/bin/sh
# scale.sh BUILD_DIR [RANKS]: wall time and memory of a broadcast and a barrier through schedules, as ratios to a bare MPI
# program that sends the same messages under the same options, on platforms/torus.xml (default 131072 ranks).
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
awk '{ wall[$1] = $2 / 1000; peak[$1] = $3 / 1024; printf "%-10s %8.1f s %8.0f MiB\n", $1, $2 / 1000, $3 / 1024 }
     END { printf "schedules / bare: wall %.2f, wall without start and end %.2f, memory %.2f\n",
           wall["schedules"] / wall["bare"], (wall["schedules"] - wall["nothing"]) / (wall["bare"] - wall["nothing"]),
           peak["schedules"] / peak["bare"] }' "$work/table"
