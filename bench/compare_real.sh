#!/bin/sh
# What exported files win and lose on this machine, before and after mending: tutti compare with Open MPI and MPICH.
#
# usage: compare_real.sh BUILD_DIR RESULT_DIR [FLAVORS [RANKS [DECISIONS]]]
#   FLAVORS    "openmpi mpich"
#   RANKS      numbers of ranks (default 2,4,8: more ranks than cores wait for each other)
#   DECISIONS  "own": learnt from Tutti's implementation; "library": from the library's own algorithms (METHOD@LIBRARY) and choice
#
# A decision is learnt from a sweep of bcast, allreduce, allgather, alltoall and reduce at 12 sizes, exported, compared
# with the library left alone, mended, and compared again. Prints a line for each file: points, won, lost, mean, worst.
# Everything stays in RESULT_DIR. LAUNCHER_ARGS: of mpiexec, such as "-bind-to core"; REPETITIONS: most of a point in a
# launch, 100; LAUNCHES: of each point of the sweep, joined as their median, 1.
set -eu
build=$(cd "$1" && pwd)
mkdir -p "$2"
cd "$2"
flavors=${3:-openmpi mpich} ranks=${4:-2,4,8} decisions=${5:-own}
tutti=$build/tutti repetitions=${REPETITIONS:-100} launches=${LAUNCHES:-1}
collectives=bcast,allreduce,allgather,alltoall,reduce
sizes=8,32,128,512,1KB,2KB,4KB,16KB,64KB,256KB,512KB,1MB
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

cores=$(nproc)
for p in $(echo "$ranks" | tr , ' '); do
  [ "$p" -le "$cores" ] || echo "$p ranks share $cores cores"
done

compare() { # NAME FILE FLAVOR [OPTIONS...]
  name=$1 file=$2 flavor=$3
  shift 3
  "$tutti" compare untuned "$file" --collective $collectives -P "$ranks" -s "$sizes" --platform here --flavor "$flavor" \
    --db "$flavor.db" --repetitions "$repetitions" --oversubscribe -q --launcher-args "${LAUNCHER_ARGS:-}" "$@" >"$name.txt" || [ $? -eq 1 ]
  sed -n "s/^won: \(.*\)/$name: won \1/p; s/^lost: \(.*\)/$name: lost \1/p; s/^all: \(.*\)/$name: all \1/p" "$name.txt"
}

for flavor in $flavors; do
  implementation=
  [ "$decisions" = own ] || implementation="--of $flavor --segments none,8KB,64KB"
  "$tutti" bench $collectives --platform here --flavor "$flavor" -P "$ranks" -s "$sizes" $implementation \
    --repetitions "$repetitions" --launches "$launches" --db "$flavor.db" --oversubscribe -q --launcher-args "${LAUNCHER_ARGS:-}" >/dev/null
  set --
  for collective in $(echo $collectives | tr , ' '); do
    "$tutti" learn quadtree "$collective" --platform here --db "$flavor.db" --flavor "$flavor" --target "$flavor" \
      -o "$flavor.$collective.tree" >/dev/null
    set -- "$@" "$flavor.$collective.tree"
  done
  "$tutti" export "$@" --force --format "$flavor" --platform here --flavor "$flavor" --db "$flavor.db" -o "$flavor.$decisions.file" 2>"$flavor.export.txt"
  compare "$flavor.$decisions.exported" "$flavor.$decisions.file" "$flavor" -o "$flavor.$decisions.mended" 2>/dev/null
  compare "$flavor.$decisions.after-mending" "$flavor.$decisions.mended" "$flavor"
done
