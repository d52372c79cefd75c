#!/bin/sh
# engine_growth.sh BUILD_DIR [FIGURE.svg]: how processor time and memory of the fast engine grow with the number of
# ranks, 2,048 to 1,048,576: a binomial broadcast and a reduction of 8 B on tori and on flat clusters, four ranks a node,
# nodes as of platforms/bgp.xml. With the messages before and after each operation these are five messages a rank.
set -eu
build=$1 figure=${2:-}
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1 # as `tutti bench` starts the engine

# measure NAME MESSAGES: the platform $work/platform.xml
measure() {
  printf '%s\n' "tutti-points v=1 scheme=window warmup=3 repetitions_max=200 confidence=0.05 ranks_per_node=4" \
    "bcast/binomial root=0 count=8 type_B=1" "reduce/binomial root=0 count=8 type_B=1" >"$work/points"
  sh "$source/bench/peak.sh" "$work/peak" "$build/fast/tutti-bench" --platform "$work/platform.xml" --ranks "$2" \
    --points "$work/points" >"$work/out"
  echo "$1 $2 $(cat "$work/peak")" >>"$work/table"
  tail -n 1 "$work/table" | awk '{ printf "%-6s %8d ranks %9.2f s %6.0f MiB %8.3f million messages/s\n",
                                          $1, $2, $4, $3 / 1024, 5 * ($2 - 1) / ($4 > 0 ? $4 : 0.005) / 1e6 }'
}

for torus in 8x8x8 16x8x8 16x16x8 16x16x16 32x16x16 32x32x16 32x32x32 64x32x32 64x64x32 64x64x64; do
  nodes=$((${torus%%x*} * $(echo "${torus#*x}" | sed 's/x/ * /')))
  "$build/tutti" whatif bgp --set "topology=torus:$torus" --output "$work/platform.xml" >"$work/out" 2>&1 ||
    cp "$source/platforms/bgp.xml" "$work/platform.xml" # bgp is a torus of 32x32x32 already
  measure torus $((4 * nodes))
  "$build/tutti" whatif bgp --set "topology=torus:$torus" --set topology=flat --output "$work/platform.xml" \
    >"$work/out" 2>&1 || "$build/tutti" whatif bgp --set topology=flat --output "$work/platform.xml" >"$work/out"
  measure flat $((4 * nodes))
done
[ -n "$figure" ] || exit 0
gnuplot <<PLOT
set terminal svg size 640,400 font "sans,12" background "white"
set output "$figure"
set logscale xy
set format y "10^{%L}"
set xlabel "ranks"
set ylabel "processor time [s], memory [GiB]"
set key top left
plot "< grep torus $work/table" using 2:4 with linespoints title "torus: seconds", \
     "< grep flat $work/table" using 2:4 with linespoints title "flat: seconds", \
     "< grep torus $work/table" using 2:(\$3 / 1048576) with linespoints title "torus: GiB"
PLOT
