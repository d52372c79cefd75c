#!/bin/sh
# groups.sh BUILD_DIR [RANKS [FRACTIONS [BUILDERS]]]: what simulating one build of a process group costs on
# platforms/bgp.xml, by every builder, and how that grows: wall and processor time, memory, and processor time per
# message beside that of a program that only starts and ends. Lists are separated by blanks; defaults: 2048 8192 32768
# 131072, 0.3 0.99, all builders.
set -eu
build=$1
ranks=${2:-2048 8192 32768 131072}
fractions=${3:-0.3 0.99}
builders=${4:-$("$build/tutti" group -P 2 --in-process --json | sed -n 's/.*"builder": "\([^"]*\).*/\1/p')}
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

simulate() { # PROGRAM ARGUMENTS...: output in $work/out; wall, peak and processor in $work/cost
  started=$(date +%s%N)
  LD_PRELOAD=libjemalloc.so.2 smpirun -np "$n" -platform "$source/platforms/bgp.xml" -hostfile "$work/hosts" \
    -no-privatize --cfg=maxmin/concurrency-limit:1 --log=root.thres:warning \
    -wrapper "sh $source/bench/peak.sh $work/peak" "$@" >"$work/out"
  ended=$(date +%s%N)
  echo "$(((ended - started) / 1000000)) $(cat "$work/peak")" >"$work/cost"
}

for n in $ranks; do
  "$build/tutti" platform hostfile "$source/platforms/bgp.xml" --ranks "$n" -o "$work/hosts"
  simulate "$build/smpi/bench-scale" nothing
  read -r wall peak processor <"$work/cost"
  nothing=$processor
  echo "$wall $peak $processor" | awk -v n="$n" '{
    printf "%6d %-30s %4s wall %7.1f s  processor %7.1f s  memory %5.0f MiB\n", n, "nothing", "", $1 / 1e3, $3, $2 / 1024 }'
  for fraction in $fractions; do
    for builder in $builders; do
      simulate "$build/smpi/tutti-group" --builder "$builder" --fraction "$fraction" --branching 3 --seed 7
      grep -q '^tutti-end' "$work/out" || { echo "groups.sh: $builder, $n ranks: no end" >&2; exit 1; }
      sed -n 's/^tutti-group .* median_s=\([^ ]*\) .* messages=\([^ ]*\) start=\([^ ]*\) .* finish=\([^ ]*\) .*/\1 \2 \3 \4/p' \
        "$work/out" | paste -d ' ' "$work/cost" - | awk -v n="$n" -v b="$builder" -v f="$fraction" -v nothing="$nothing" '{
          printf "%6d %-30s %4s wall %7.1f s  processor %7.1f s  memory %5.0f MiB  %6.1f us a message  simulated %.0f us\n",
                 n, b, f, $1 / 1e3, $3, $2 / 1024, 1e6 * ($3 - nothing) / ($5 + $6 + $7), 1e6 * $4 }'
    done
  done
done
