#!/bin/sh
# ranges.sh BUILD_DIR                            the measurements of docs/explanation/ranges.md (hours; 4 GB)
# ranges.sh BUILD_DIR FLAVOR RANKS OPTION...    one run of tutti-range with these options
#
# A table in microseconds, each time also as a multiple of what ranges take in the same point. Simulations are of
# platforms/supermuc.xml, 16 ranks a node.
set -eu
. "$(dirname "$0")/launch.sh"

run() { # FLAVOR RANKS OPTION...: records to $work/records, the flavor before each
  flavor=$1 ranks=$2
  shift 2
  [ "$flavor" != smpi ] || set -- --ranks-per-node 16 "$@"
  launch_to tutti-end tutti-range supermuc "$flavor" "$ranks" "$@" || return 1
  sed -n "s/^tutti-range /flavor=$flavor /p" "$work/out" >>"$work/records"
}

table() {
  awk '{ for (i = 1; i <= NF; i++) { split($i, word, "="); value[word[1]] = word[2] }
         key = sprintf("%-8s %-15s %6d %6d %6d %4d", value["flavor"], value["operation"], value["ranks"],
                       value["size"], value["count"], value["uses"])
         if (value["way"] == "ranges" && (!(key in base) || value["order"] != "cascaded"))
           base[key] = value["median_s"]
         keys[NR] = key; ways[NR] = value["way"]; orders[NR] = value["order"]
         least[NR] = value["minimum_s"]; median[NR] = value["median_s"] }
       END { print "flavor  operation        ranks   size  count uses way                order           median" \
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

tabulate "$@"
