#!/bin/sh
# ranges.sh BUILD_DIR                            the measurements of docs/ranges.md (hours; 4 GB)
# ranges.sh BUILD_DIR FLAVOUR RANKS OPTION...    one run of tutti-range with these options
#
# A table in microseconds, each time also as a multiple of what ranges take in the same point. Simulations are of
# platforms/supermuc.xml, 16 ranks a node. A run without its closing record has failed: smpirun exits 0 on MPI_Abort.
set -eu
build=$(cd "$1" && pwd)
shift
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

launch() { # FLAVOUR RANKS OPTION...
  flavor=$1 ranks=$2
  shift 2
  case $flavor in
  smpi)
    TUTTI_PLATFORM_PATH=$source/platforms "$build/tutti" platform hostfile supermuc --ranks "$ranks" -o "$work/hosts"
    LD_PRELOAD=libjemalloc.so.2 smpirun -np "$ranks" -platform "$source/platforms/supermuc.xml" \
      -hostfile "$work/hosts" --cfg=smpi/privatization:no --cfg=contexts/stack-size:64 --cfg=contexts/guard-size:0 \
      --log=root.thres:warning "$build/smpi/tutti-range" --ranks-per-node 16 "$@"
    ;;
  mpich)
    mpiexec.mpich -n "$ranks" -env LD_PRELOAD "$build/mpich/libtest-yield.so" "$build/mpich/tutti-range" "$@"
    ;;
  openmpi)
    OMPI_MCA_op=^avx OMPI_MCA_btl_base_warn_component_unused=0 OMPI_ALLOW_RUN_AS_ROOT=1 \
      OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpiexec.openmpi --oversubscribe -n "$ranks" "$build/openmpi/tutti-range" "$@"
    ;;
  *)
    echo "ranges.sh: '$flavor' is not smpi, mpich or openmpi" >&2
    return 2
    ;;
  esac
}

run() { # FLAVOUR RANKS OPTION...: records to $work/records, the flavour before each
  launch "$@" >"$work/out" || return 1
  grep -q '^tutti-end ' "$work/out" || {
    echo "ranges.sh: $1 with $2 ranks did not come to its end" >&2
    return 1
  }
  sed -n "s/^tutti-range /flavor=$1 /p" "$work/out" >>"$work/records"
}

table() {
  awk '{ for (i = 1; i <= NF; i++) { split($i, word, "="); value[word[1]] = word[2] }
         key = sprintf("%-8s %-15s %6d %6d %6d %4d", value["flavor"], value["operation"], value["ranks"],
                       value["size"], value["count"], value["uses"])
         if (value["way"] == "ranges" && (!(key in base) || value["order"] != "cascaded"))
           base[key] = value["median_s"]
         keys[NR] = key; ways[NR] = value["way"]; orders[NR] = value["order"]
         least[NR] = value["minimum_s"]; median[NR] = value["median_s"] }
       END { print "flavour  operation        ranks   size  count uses way                order           median" \
                   "       least     ratio"
             for (i = 1; i <= NR; i++)
               printf "%s %-18s %-11s %11.4g %11.4g %9s\n", keys[i], ways[i], orders[i], 1e6 * median[i],
                 1e6 * least[i], keys[i] in base ? sprintf("%.5g", median[i] / base[keys[i]]) : "-" }' "$work/records"
}

whole() {
  groups=ranges,create-group/mpich,split/mpich
  for ranks in 256 1024 4096; do
    run smpi $ranks -o create,overlapping,subrange-bcast -w $groups -c 1,32,1024
    run smpi $ranks -o bcast,reduce,scan,gather -w ranges,view -c 1,32,512,1024
  done
  run smpi 32768 -o create -w $groups
  run smpi 32768 -o overlapping -w ranges,create-group/mpich
  run smpi 32768 -o subrange-bcast -w $groups -c 1,1024
  run smpi 32768 -o bcast,reduce,scan,gather -w ranges,view -c 1,32
  for flavor in mpich openmpi; do
    run $flavor 16 -o all -c 1,8,64,512,1024 --repetitions 100
  done
}

if [ $# -eq 0 ]; then
  whole
else
  run "$@"
fi
table
