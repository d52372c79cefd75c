#!/bin/sh
# reproducible.sh BUILD_DIR [FLAVOR RANKS...]: what the bits of an MPI library's reductions depend on, by experiment
# (bench/reproducible.c): untuned, and by each algorithm of the catalogue that it has. Without FLAVOR MPICH and Open MPI
# on 5, 7 and 8 ranks. Seconds an algorithm.
set -eu
. "$(dirname "$0")/launch.sh"

list() { # FLAVOR: "collective name word" for each algorithm of the library
  "$build/tutti" algorithms --json | python3 -c '
import json, sys
for a in json.load(sys.stdin):
    word = a["openmpi"] or "" if sys.argv[1] == "openmpi" else a["mpich"] or ""
    if word and a["collective"] in ("allreduce", "reduce", "reduce_scatter_block", "reduce_scatter", "scan", "exscan"):
        print(a["collective"], a["name"], word)' "$1"
}

told() { # FLAVOR COLLECTIVE WORD RANKS
  if [ "$1" = openmpi ]; then
    export OMPI_MCA_coll_tuned_use_dynamic_rules=1 "OMPI_MCA_coll_tuned_$2_algorithm=$3"
  else
    variable=$(echo "$2" | tr a-z A-Z)
    export "MPIR_CVAR_${variable}_INTRA_ALGORITHM=$3" MPIR_CVAR_DEVICE_COLLECTIVES=none
  fi
  launch bench-reproducible grig_mx "$1" "$4" "$2"
}

run() { # FLAVOR RANKS...
  flavor=$1
  shift
  list "$flavor" >"$work/list"
  for ranks; do
    launch bench-reproducible grig_mx "$flavor" "$ranks" | sed "s/^/native /"
    while read -r collective name word; do
      (told "$flavor" "$collective" "$word" "$ranks" </dev/null 2>"$work/err" | sed "s|^|$name@$flavor |") ||
        echo "$name@$flavor $collective $ranks failed"
    done <"$work/list"
  done
}

whole() {
  run mpich 5 7 8
  run openmpi 5 7 8
}

table() {
  :
}

tabulate "$@"
