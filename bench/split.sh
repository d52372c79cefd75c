#!/bin/sh
# split.sh BUILD_DIR                            the whole comparison of docs/explanation/split.md (an hour; up to 18 GB)
# split.sh BUILD_DIR FLAVOR RANKS [OPTION...]  one run of bench-split with these options
#
# MPI_Comm_split of the library (own), the same by MPICH's algorithm on schedules of our own (gather), and groups of our
# own (group, known to all: known), as a table: milliseconds, and how often a group could be made in the time of a split.
set -eu
. "$(dirname "$0")/launch.sh"
simulation=--cfg=maxmin/concurrency-limit:1

run() { # FLAVOR RANKS OPTION...: records to $work/records
  launch_to tutti-split-end bench-split bgp "$@" || return 1
  grep '^tutti-split ' "$work/out" >>"$work/records"
}

table() {
  awk '{ for (i = 3; i <= NF; i++) { split($i, word, "="); value[word[1]] = word[2] }
         row = sprintf("%-8s %6d %7d", value["flavor"], value["ranks"], value["colours"])
         if (!(row in seen)) { seen[row] = 1; rows[++count] = row }
         time[row, value["part"]] = 1000 * value["median_s"] }
       function cell(row, part) {
         return (row, part) in time ? sprintf("%10.3f", time[row, part]) : sprintf("%10s", "-")
       }
       function ratio(row, part) {
         if (!((row, part) in time) || !((row, "group") in time))
           return sprintf("%10s", "-")
         return sprintf("%10.1f", time[row, part] / time[row, "group"])
       }
       END { print "flavor   ranks colours        own     gather      group      known  own/group gather/group"
             for (i = 1; i <= count; i++) {
               r = rows[i]
               printf "%s %s %s %s %s %s   %s\n", r, cell(r, "own"), cell(r, "gather"), cell(r, "group"),
                 cell(r, "group-known"), ratio(r, "own"), ratio(r, "gather")
             }
       }' "$work/records"
}

# SMPI gives every member a list of the group and one of all processes: 8 N^2 / C + 4 N^2 bytes for C colours.
fits() { # RANKS COLOURS
  awk -v n="$1" -v c="$2" '/^MemAvailable/ { exit !(8 * n * n / c + 4 * n * n < 1024 * $2 - 4e9) }' /proc/meminfo
}

whole() {
  run smpi 2048
  run smpi 8192
  run smpi 32768 --only gather,group
  limit="timeout 1200"
  for colours in 8 4 2 1; do
    if ! fits 32768 $colours; then
      echo "MPI_Comm_split of SMPI for 32768 ranks and $colours colours does not fit into memory" >&2
    elif ! run smpi 32768 --only own --colours $colours; then
      echo "MPI_Comm_split of SMPI for 32768 ranks and $colours colours is given up" >&2
      break # the others take as long
    fi
  done
  limit=
  for flavor in mpich openmpi; do
    for ranks in 4 8 16; do
      run $flavor $ranks
    done
  done
}

tabulate "$@"
