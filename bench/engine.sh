#!/bin/sh
# engine.sh BUILD_DIR [PLATFORM RANKS BYTES METHOD...]: processor time and memory of the fast engine beside SMPI, which
# measure the same points, each method once, in one launch each. Without a case: small ones, flat, fat tree and torus.
#   sh bench/engine.sh build bgp 131072 8 bcast/binomial reduce/binomial barrier/bruck
# The first point of a launch has the same time in both (docs/explanation/engine.md): the last column says whether.
set -eu
build=$1
shift
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1 # as `tutti bench` starts the engine

first_of() { sed -n 's/^tutti-measurement .* median_s=\([^ ]*\) .*/\1/p' "$1" | head -n 1; }

# compare PLATFORM RANKS BYTES METHOD...
compare() {
  platform=$source/platforms/$1.xml name=$1 ranks=$2 bytes=$3
  shift 3
  per_node=$(sed -n 's/.*tutti\/ranks-per-node" value="\([0-9]*\)".*/\1/p' "$platform")
  echo "tutti-points v=1 scheme=window warmup=3 repetitions_max=200 confidence=0.05 ranks_per_node=${per_node:-1}" \
    >"$work/points"
  for method; do
    case $method in barrier/*) count=0 ;; *) count=$bytes ;; esac
    echo "$method root=0 count=$count type_B=1"
  done >>"$work/points"
  "$build/tutti" platform hostfile "$platform" --ranks "$ranks" -o "$work/hosts"
  sh "$source/bench/peak.sh" "$work/fast.peak" "$build/fast/tutti-bench" --platform "$platform" --ranks "$ranks" \
    --points "$work/points" >"$work/fast"
  LD_PRELOAD=libjemalloc.so.2 smpirun -np "$ranks" -platform "$platform" -hostfile "$work/hosts" -no-privatize \
    --log=root.thres:warning -wrapper "sh $source/bench/peak.sh $work/smpi.peak" "$build/smpi/tutti-bench" \
    --points "$work/points" >"$work/smpi"
  [ "$(first_of "$work/fast")" = "$(first_of "$work/smpi")" ] && same=equal || same=differs
  echo "$(cat "$work/fast.peak") $(cat "$work/smpi.peak")" |
    awk -v name="$name" -v ranks="$ranks" -v bytes="$bytes" -v methods="$*" -v same="$same" '
      { printf "%-12s %7d ranks, %7d B: fast %8.2f s %5.0f MiB, SMPI %8.2f s %5.0f MiB: %5.1f times as fast, %s (%s)\n",
               name, ranks, bytes, $2, $1 / 1024, $4, $3 / 1024, $4 / ($2 > 0 ? $2 : 0.005), same, methods }'
}

if [ $# -gt 0 ]; then
  compare "$@"
  exit
fi
compare grig_mx 64 65536 bcast/binomial/1KB bcast/pipeline/1KB allreduce/ring allgather/ring alltoall/pairwise
compare boba_gige 32 8192 alltoall/linear allgather/bruck alltoall/pairwise alltoall/bruck
compare supermuc 1024 4096 bcast/binomial/1KB allreduce/rabenseifner allreduce/recursive-doubling barrier/bruck
compare torus 1024 8 bcast/binomial allreduce/recursive-doubling barrier/bruck
compare torus 256 64 alltoall/pairwise
