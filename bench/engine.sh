#!/bin/sh
# engine.sh BUILD_DIR [PLATFORM RANKS BYTES METHOD...]: processor time and memory of the fast engine, of the same by fair
# shares (flow) and of SMPI, which measure the same points, each method once, in one launch each. Without a case: small
# ones, flat, fat tree and torus.
#   sh bench/engine.sh build bgp 131072 8 bcast/binomial reduce/binomial barrier/bruck
#   ENGINES="flow fast" sh bench/engine.sh build torus 1024 64 alltoall/pairwise      # those; all three by default
# The first point of a launch has the same time in fast and SMPI (docs/explanation/engine.md). The last column says how
# far it is from that of the engine in the line above.
set -eu
build=$1
shift
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1 # as `tutti bench` starts the engine

first_of() { sed -n 's/^tutti-measurement .* median_s=\([^ ]*\) .*/\1/p' "$1" | head -n 1; }

# measure ENGINE
measure() {
  flow=
  [ "$1" = flow ] && flow=yes
  case $1 in
  smpi) LD_PRELOAD=libjemalloc.so.2 smpirun -np "$ranks" -platform "$platform" -hostfile "$work/hosts" -no-privatize \
    --log=root.thres:warning -wrapper "sh $source/bench/peak.sh $work/peak" "$build/smpi/tutti-bench" \
    --points "$work/points" ;;
  *) sh "$source/bench/peak.sh" "$work/peak" "$build/fast/tutti-bench" --platform "$platform" --ranks "$ranks" \
    --points "$work/points" ${flow:+--flow} ;;
  esac >"$work/out"
}

# compare PLATFORM RANKS BYTES METHOD...
compare() {
  platform=$source/platforms/$1.xml name=$1 ranks=$2 bytes=$3 above=
  shift 3
  per_node=$(sed -n 's/.*tutti\/ranks-per-node" value="\([0-9]*\)".*/\1/p' "$platform")
  echo "tutti-points v=1 scheme=window warmup=3 repetitions_max=200 confidence=0.05 ranks_per_node=${per_node:-1}" \
    >"$work/points"
  for method; do
    case $method in barrier/*) count=0 ;; *) count=$bytes ;; esac
    echo "$method root=0 count=$count type_B=1"
  done >>"$work/points"
  "$build/tutti" platform hostfile "$platform" --ranks "$ranks" -o "$work/hosts"
  echo "$name, $ranks ranks, $bytes B: $*"
  for engine in ${ENGINES:-flow fast smpi}; do
    measure "$engine"
    time=$(first_of "$work/out")
    echo "$(cat "$work/peak") ${above:-0}" | awk -v engine="$engine" -v time="$time" -v above="${above_time:-0}" '
      { printf "  %-4s %9.2f s %6.0f MiB", engine, $2, $1 / 1024
        if ($3 > 0) printf "  %6.1f times as long, apart %.3g %%", $2 / $3, 100 * (time > above ? time / above - 1 : above / time - 1)
        print "" }'
    above=$(awk '{ print ($2 > 0 ? $2 : 0.005) }' "$work/peak") above_time=$time
  done
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
