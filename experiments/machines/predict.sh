#!/bin/sh
# Predictions for jobs of four machines that nobody has measured here: each method that a table of measured points names
# for the machine and that Tutti has, at each size that it names. Only fitted platforms go into them.
#
# usage: sh experiments/machines/predict.sh TABLE DIRECTORY [MESSAGES [MACHINE...]]
# TABLE: as PICO's (tutti import --format pico). MESSAGES: leave out calls that send more (default 600000).
# writes DIRECTORY/MACHINE.tsv, and DIRECTORY/MACHINE_best.tsv with the best method of each place, and whether it is
# clear or too close to call. TUTTI: the command (default build/tutti).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tutti=${TUTTI:-$here/../../build/tutti}
[ $# -ge 2 ] || { echo "usage: predict.sh TABLE DIRECTORY [MESSAGES [MACHINE...]]" >&2; exit 2; }
table=$1 directory=$2 messages=${3:-600000}
[ $# -gt 3 ] && shift 3 && machines=$* || machines='leonardo lumi marenostrum5 fugaku'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

jobs_of() { # NODES/RANKS_PER_NODE of a machine
  case $1 in
  leonardo) echo '254/1 256/1 512/1 1024/1 2048/1' ;;
  lumi) echo '37/56 100/1 1000/1' ;;
  marenostrum5) echo '60/1 60/4 60/64 64/1 64/4 64/64' ;;
  fugaku) echo '8x8x8/1 64x64/1 32x256/1' ;;
  *) echo "predict.sh: unknown machine $1" >&2; exit 2 ;;
  esac
}

# Where the nodes of such a job may be; elsewhere they are consecutive ones.
is_placed() { [ "$1" = marenostrum5 ]; }

points() { # the jobs x the methods and sizes that the table has of a machine: its name there, then the jobs
  awk -F '\t' -v machine="$1" -v jobs="$2" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["machine"] == machine {
      if (!(($at["collective"], $at["method"]) in seen)) {
        seen[$at["collective"], $at["method"]]
        collective[++methods] = $at["collective"]
        method[methods] = $at["method"]
      }
      if (!($at["bytes"] in size)) {
        size[$at["bytes"]]
        place = ++sizes
        for (; place > 1 && bytes[place - 1] > $at["bytes"] + 0; place--) bytes[place] = bytes[place - 1]
        bytes[place] = $at["bytes"] + 0
      }
    }
    END {
      print "collective\tnodes\tranks_per_node\tbytes\tmethod"
      count = split(jobs, list, " ")
      for (j = 1; j <= count; j++) {
        split(list[j], part, "/")
        for (m = 1; m <= methods; m++)
          for (s = 1; s <= sizes; s++)
            printf "%s\t%s\t%s\t%d\t%s\n", collective[m], part[1], part[2], bytes[s], method[m]
      }
    }' "$table"
}

# CSV of tutti predict: times in nanoseconds, tabs.
to_table() {
  awk -F , -v OFS='\t' '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { print $at["collective"], $at["nodes"], $at["ranks_per_node"], $at["total_B"], $at["name"], $at["method"],
        sprintf("%.0f", 1e9 * $at["predicted_s"]), sprintf("%.0f", 1e9 * $at["lower_s"]),
        sprintf("%.0f", 1e9 * $at["upper_s"]) }'
}

# The first of the fastest methods of each place; clear if no other method's interval overlaps its own.
best_of() {
  awk -F '\t' -v OFS='\t' '
    NR == 1 { print $0, "verdict"; next }
    { place = $1 FS $2 FS $3 FS $4 }
    FNR == NR && !(place in best) { order[++count] = place }
    FNR == NR && (!(place in best) || $7 + 0 < time[place]) {
      best[place] = $0
      time[place] = $7
      method[place] = $6
      upper[place] = $9
    }
    FNR < NR && FNR > 1 && $6 != method[place] && $8 + 0 <= upper[place] { close_to[place] }
    END { for (i = 1; i <= count; i++) print best[order[i]], order[i] in close_to ? "too close to call" : "clear" }
  ' "$1" "$1"
}

for machine in $machines; do
  jobs=$(jobs_of "$machine")
  name=$machine
  [ "$machine" = marenostrum5 ] && name=mare_nostrum
  points "$name" "$jobs" >"$work/points"
  set --
  is_placed "$machine" && set -- --allocation "$here/${machine}_jobs.tsv" --levels "$here/${machine}_nodes.tsv"
  for collective in $(sed 1d "$work/points" | cut -f 1 | sort -u); do
    "$tutti" predict "$collective" --platform "$machine" --like "$work/points" --most-messages "$messages" --csv "$@" |
      to_table
  done >"$work/rows"
  {
    printf 'collective\tnodes\tranks_per_node\tbytes\tmethod\ttutti_method\tpredicted_ns\tlower_ns\tupper_ns\n'
    cat "$work/rows"
  } >"$directory/$machine.tsv"
  best_of "$directory/$machine.tsv" >"$directory/${machine}_best.tsv"
done
