#!/bin/sh
# communicators.sh BUILD_DIR [RANKS [OPTIONS of bench-communicators...]]: figure 5 of Kamal, Mirtaheri, Wagner 2010 on a
# simulated Blue Gene/P (four ranks a node, one message at a time on a link). The paper's 16 operating system processes
# are blocks of RANKS / 16 consecutive ranks, which share a map. Prints one record a run. Without RANKS: all sets of the
# paper, up to 110,000 ranks, creation only; with "times": also messages and gathers, which takes five times as long.
set -eu
[ $# -gt 0 ] && [ -x "$1/tutti" ] || {
  echo "communicators.sh: '${1-}' is not a build directory of Tutti; the first lines of the script say what to give" >&2
  exit 2
}
build=$1
shift
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
processes=16

run() { # RANKS OPTIONS...
  ranks=$1
  shift
  "$build/tutti" platform hostfile "$source/platforms/bgp.xml" --ranks "$ranks" -o "$work/hosts"
  started=$(date +%s)
  LD_PRELOAD=libjemalloc.so.2 smpirun -np "$ranks" -platform "$source/platforms/bgp.xml" -hostfile "$work/hosts" \
    -no-privatize --log=root.thres:warning -wrapper "sh $source/bench/peak.sh $work/peak" \
    "$build/smpi/bench-communicators" --ranks-per-node $(((ranks + processes - 1) / processes)) "$@" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
  grep -q '^tutti-communicators-end ' "$work/out" || { cat "$work/out" "$work/err" >&2; exit 1; }
  grep '^tutti-communicators ' "$work/out"
  echo "$ranks ranks, $*: $(($(date +%s) - started)) s, $(awk '{ print int($1 / 1024) }' "$work/peak") MiB" >&2
}

# Sets A, B and C of section 8.1.
sets() { # OPTIONS...
  for members in 10000 50000 100000; do
    run 110000 --shape decreasing --members $members "$@"
  done
  for shape in two-runs hole ranges; do
    run 110000 --shape $shape --members 100000 "$@"
  done
  for ranks in 20000 50000 100000; do
    run $ranks --shape range-stride --members 10000 "$@"
  done
}

if [ $# -gt 1 ] || { [ $# -eq 1 ] && [ "$1" != times ]; }; then
  run "$@"
elif [ $# -eq 1 ]; then
  sets --communicators 1
else
  sets --messages 0 --gathers 0
fi
