#!/bin/sh
# communicators.sh BUILD_DIR [RANKS [OPTIONS of bench-communicators...]]: figure 5 of Kamal, Mirtaheri, Wagner 2010 on a
# simulated SuperMUC, where the paper's 16 operating system processes are 16 nodes with RANKS / 16 ranks each; prints
# one record a run. Without RANKS: all sets of the paper, 110,000 ranks; an hour and 4 GB.
set -eu
build=$1
shift
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nodes=16

hosts() { # RANKS
  awk -v n="$1" -v nodes=$nodes 'BEGIN { each = int((n + nodes - 1) / nodes)
                                         for (i = 0; i < n; i++) print "n" int(i / each) }'
}

run() { # RANKS OPTIONS...
  ranks=$1
  shift
  hosts "$ranks" >"$work/hosts"
  started=$(date +%s)
  LD_PRELOAD=libjemalloc.so.2 smpirun -np "$ranks" -platform "$source/platforms/supermuc.xml" -hostfile "$work/hosts" \
    -no-privatize --log=root.thres:warning -wrapper "sh $source/bench/peak.sh $work/peak" \
    "$build/smpi/bench-communicators" "$@" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
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

if [ $# -gt 0 ]; then
  run "$@"
else
  for sharing in node world; do
    sets --sharing $sharing --strategy least-space
  done
  for strategy in hybrid least-time; do
    sets --sharing node --strategy $strategy
  done
fi
