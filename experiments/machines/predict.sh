#!/bin/sh
# Predictions of all calls that tables of four machines can ask for: every collective and method that one of them names,
# at the sizes of the machine, on 4 to 8,192 ranks; by the simulator alone, and together with the measured times of the
# table. It takes hours, and goes on where it was stopped. README.md says what it writes.
#
# usage: sh experiments/machines/predict.sh TABLE DIRECTORY [MACHINE...]
# TABLE: as PICO's (tutti import --format pico). DIRECTORY: receives MACHINE.tsv, MACHINE_best.tsv, MACHINE_counts.tsv
# and simulated/, with a file for each job and collective; one that is there is not made again.
# TUTTI: the command (default build/tutti). FUJITSU_RULES: the decision tree of Fujitsu's library (default: unknown).
# JOBS: NODES/RANKS_PER_NODE of those that are simulated (default: all). SECONDS_EACH: of processor time for a job and
# collective, then for each method that it had none for (default 600; 0: simulate no more).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tutti=${TUTTI:-$here/../../build/tutti} seconds=${SECONDS_EACH:-600} wanted=${JOBS:-}
[ $# -ge 2 ] || { echo "usage: predict.sh TABLE DIRECTORY [MACHINE...]" >&2; exit 2; }
table=$1 directory=$2
shift 2
[ $# -gt 0 ] || set -- leonardo lumi marenostrum5 fugaku
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$directory/simulated"

# ---- machines ----

jobs_of() { # numbers of nodes, then of ranks on a node
  case $1 in
  leonardo) echo '4 8 16 32 64 128 200 254 256 512 1024 2048/1 2 4 32' ;;
  lumi) echo '4 8 16 32 37 64 100 128 256 512 1000 1024 2048/1 8 56' ;;
  marenostrum5) echo '4 8 16 32 60 64 128 256 512 1024/1 4 64' ;;
  fugaku) echo '2x2x2 4x4x4 8x8x8 64x64 16x16x16 16x16x32 32x256/1' ;;
  *) echo "predict.sh: unknown machine $1" >&2; exit 2 ;;
  esac
}

name_of() { # in TABLE
  case $1 in marenostrum5) echo mare_nostrum ;; *) echo "$1" ;; esac
}

library_of() { # the ending of its library's methods
  case $1 in lumi) echo _mpich ;; fugaku) echo -default ;; *) echo _ompi ;; esac
}

own_choice_of() { # an option
  case $1 in
  leonardo | marenostrum5) echo --own-choice=library:openmpi-4.1 ;;
  fugaku) echo "${FUJITSU_RULES:+--own-choice=$FUJITSU_RULES}" ;;
  esac
}

# ---- calls ----

# ranks, nodes and ranks on a node of each job, the small ones first
list_jobs() {
  jobs_of "$1" | awk -F / '{
    split($1, nodes, " ")
    split($2, per_node, " ")
    for (n in nodes)
      for (p in per_node) {
        ranks = per_node[p]
        for (i = split(nodes[n], side, "x"); i > 0; i--) ranks *= side[i]
        if (ranks <= 8192) print ranks, nodes[n], per_node[p]
      }
  }' | sort -k 1,1n -k 2,2n -k 3,3n
}

# A table for --like. A collective that the machine's table does not have gets the methods of the others but Fugaku's,
# in the machine's library, and each the library's own choice. Blocks have at least one element of 4 bytes. Of a job that
# was measured in several runs it is the one with the most lines; settings are those of the method in this run.
list_calls() { # NAME LIBRARY, jobs on stdin
  awk -v machine="$1" -v library="$2" '
    function add(owner, collective, method) {
      if (!((owner, collective, method) in known)) names[owner, collective] = names[owner, collective] " " method
      known[owner, collective, method]
    }
    FNR != NR { ranks[++jobs] = $1; nodes[jobs] = $2; per_node[jobs] = $3; next }
    FNR == 1 { for (i = split($0, heading, "\t"); i > 0; i--) at[heading[i]] = i; next }
    {
      split($0, field, "\t")
      collective = field[at["collective"]]
      method = field[at["method"]]
      if (!(collective in order)) collectives[order[collective] = ++count] = collective
      if (field[at["machine"]] == machine) {
        add(machine, collective, method)
        job = collective SUBSEP field[at["nodes"]] SUBSEP field[at["ranks_per_node"]]
        if (++lines[job, field[at["run"]]] > lines[job, run[job]]) run[job] = field[at["run"]]
        settings[job, field[at["run"]], method] = field[at["settings"]]
        if (!(field[at["bytes"]] in size)) {
          size[field[at["bytes"]]]
          for (i = ++sizes; i > 1 && bytes[i - 1] > field[at["bytes"]] + 0; i--) bytes[i] = bytes[i - 1]
          bytes[i] = field[at["bytes"]] + 0
        }
      } else if (field[at["machine"]] != "fugaku") {
        sub(/_(ompi|mpich)$/, library, method)
        add("others", collective, method)
      }
    }
    END {
      print "collective\tnodes\tranks_per_node\tbytes\tmethod\trun\tsettings"
      for (j = 1; j <= jobs; j++)
        for (c = 1; c <= count; c++) {
          collective = collectives[c]
          job = collective SUBSEP nodes[j] SUBSEP per_node[j]
          owner = (machine, collective) in names ? machine : "others"
          add(owner, collective, "default" library)
          methods = split(names[owner, collective], method_of, " ")
          for (s = 1; s <= sizes; s++)
            for (m = 1; m <= methods && (collective ~ /^(allreduce|bcast|reduce)$/ || bytes[s] >= 4 * ranks[j]); m++)
              printf "%s\t%s\t%s\t%d\t%s\t%s\t%s\n", collective, nodes[j], per_node[j], bytes[s], method_of[m],
                run[job], settings[job, run[job], method_of[m]]
        }
    }' "$table" -
}

# ---- simulated times ----

# The calls of a job, of more than 128 ranks at each third size: between two of them times are nearly straight lines.
choose_calls() { # CALLS COLLECTIVE RANKS NODES RANKS_PER_NODE
  awk -F '\t' -v collective="$2" -v ranks="$3" -v nodes="$4" -v per_node="$5" '
    NR == 1 { print; next }
    $1 != collective || $2 != nodes || $3 != per_node { next }
    !($4 in at) { at[$4] = ++sizes }
    { line[++lines] = $0; place[lines] = at[$4] }
    END {
      for (l = 1; l <= lines; l++)
        if (ranks <= 128 || place[l] % 3 == 1 || place[l] == sizes) print line[l]
    }' "$1"
}

# Calls of another collective than any, and processor time that is over, leave an empty file; other faults end all.
simulate() { # MACHINE COLLECTIVE CALLS MESSAGES
  (ulimit -t "$seconds" && exec "$tutti" predict "$2" --platform "$1" --like "$3" --engine flow --most-messages "$4" \
    --csv) 2>"$work/errors" && return || [ $? -gt 128 ] || grep -q 'there is no such call' "$work/errors" || {
    cat "$work/errors" >&2
    exit 1
  }
}

simulate_job() { # MACHINE COLLECTIVE RANKS NODES RANKS_PER_NODE
  choose_calls "$work/calls" "$2" "$3" "$4" "$5" >"$work/chosen"
  simulate "$1" "$2" "$work/chosen" 300000 >"$work/times"
  for method in $(awk -F '[\t,]' 'NR == FNR { has[$5]; next } FNR > 1 && !($5 in has) && !seen[$5]++ { print $5 }' \
    "$work/times" "$work/chosen"); do
    awk -F '\t' -v method="$method" 'NR == 1 || $5 == method' "$work/chosen" >"$work/one"
    simulate "$1" "$2" "$work/one" 5000000 >>"$work/times"
  done
}

simulate_all() { # MACHINE
  list_jobs "$1" | while read -r ranks nodes per_node; do
    case " ${wanted:-$nodes/$per_node} " in *" $nodes/$per_node "*) ;; *) continue ;; esac
    for collective in $(sed 1d "$work/calls" | cut -f 1 | sort -u); do
      file=$directory/simulated/$1.$collective.$nodes.$per_node.csv
      [ -e "$file" ] && continue
      simulate_job "$1" "$collective" "$ranks" "$nodes" "$per_node"
      mv "$work/times" "$file"
    done
  done
}

# collective, nodes, ranks on a node, bytes, method; then ours, and nanoseconds with their interval
list_times() { # MACHINE
  cat "$directory/simulated/$1".*.csv | awk -F , -v OFS='\t' '
    $1 == "collective" { for (i = 1; i <= NF; i++) at[$i] = i; next }
    {
      print $at["collective"], $at["nodes"], $at["ranks_per_node"], $at["total_B"], $at["name"], $at["method"],
        1e9 * $at["predicted_s"], 1e9 * $at["lower_s"], 1e9 * $at["upper_s"]
    }'
}

# The calls with these columns, on straight lines between the simulated sizes; without methods that the machine's
# library does not have.
add_times() {
  awk -F '\t' -v OFS='\t' '
    function between(left, right) { return left + (right - left) * share }
    { key = $1 FS $2 FS $3 FS $5 }
    NR == FNR {
      bytes[key, ++count[key]] = $4
      ours[key] = $6
      if ($5 ~ /_(ompi|mpich)$/ && $6 !~ /@/) foreign[$1, $5]
      for (c = 7; c <= 9; c++) time[key, count[key], c] = $c
      next
    }
    FNR == 1 { print $0, "tutti_method", "simulated_ns", "lower_ns", "upper_ns"; next }
    !(($1, $5) in foreign) {
      for (i = 1; i <= count[key] && bytes[key, i] + 0 < $4 + 0; i++);
      if (i > count[key] || (i == 1 && bytes[key, i] != $4)) {
        print $0, "", "", "", ""
        next
      }
      share = i > 1 ? ($4 - bytes[key, i - 1]) / (bytes[key, i] - bytes[key, i - 1]) : 1
      print $0, ours[key], between(time[key, i - 1, 7], time[key, i, 7]), between(time[key, i - 1, 8], time[key, i, 8]),
        between(time[key, i - 1, 9], time[key, i, 9])
    }' "$work/times" "$work/calls"
}

# ---- together with measured times ----

# The machine's part of TABLE with what was simulated.
list_evidence() { # NAME
  awk -F '\t' -v OFS='\t' -v machine="$1" '
    NR == FNR { time[$1, $2, $3, $4, $5] = $9; next }
    FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print $0, "simulated_ns"; next }
    $at["machine"] == machine {
      print $0, time[$at["collective"], $at["nodes"], $at["ranks_per_node"], $at["bytes"], $at["method"]]
    }' "$work/asked" "$table"
}

combine() { # MACHINE
  name=$(name_of "$1") own=$(own_choice_of "$1")
  list_evidence "$name" >"$work/evidence"
  for collective in $(sed 1d "$work/asked" | cut -f 1 | sort -u); do
    "$tutti" predict "$collective" --platform "$1" --machine "$name" --like "$work/asked" --evidence "$work/evidence" \
      ${own:+"$own"} --engine flow --most-messages 10 --csv
  done
}

# MACHINE.tsv: combined times on the first file, calls and simulated ones in the second, measured ones in the third.
write_rows() { # COUNTS
  awk -v OFS='\t' -v counts="$1" '
    function digits(value) { return value == "" ? "" : sprintf("%.0f", sprintf("%.4g", value)) }
    FNR == 1 { file++ }
    { sub(/\r$/, "") }
    file == 1 && /^collective,/ { for (i = split($0, heading, ","); i > 0; i--) at[heading[i]] = i; next }
    file == 1 {
      split($0, field, ",")
      combined[field[1], field[2], field[3], field[4], field[5]] = digits(1e9 * field[at["predicted_s"]]) OFS \
        digits(1e9 * field[at["lower_s"]]) OFS digits(1e9 * field[at["upper_s"]]) OFS \
        (field[at["expected_loss_percent"]] == "" ? "" : sprintf("%.1f", field[at["expected_loss_percent"]])) OFS \
        field[at["verdict"]]
      next
    }
    { split($0, field, "\t") }
    file == 2 { measured[field[4], field[2], field[3], field[7], field[8]]; next }
    FNR == 1 {
      print "collective", "nodes", "ranks_per_node", "bytes", "method", "tutti_method", "predicted_ns", "lower_ns",
        "upper_ns", "combined_ns", "combined_lower_ns", "combined_upper_ns", "expected_loss_percent", "verdict", "measured"
      next
    }
    {
      call = field[1] SUBSEP field[2] SUBSEP field[3] SUBSEP field[4] SUBSEP field[5]
      if (!(call in combined)) impossible++
      else if (combined[call] ~ /not measured$/) unknown++
      else {
        field[9] == "" ? alone++ : simulated++
        print field[1], field[2], field[3], field[4], field[5], field[8], digits(field[9]), digits(field[10]),
          digits(field[11]), combined[call], call in measured ? "yes" : "no"
      }
    }
    END {
      print "simulated\tevidence_alone\timpossible\tunknown" >counts
      print simulated + 0, alone + 0, impossible + 0, unknown + 0 >counts
    }' "$work/combined" "$work/evidence" "$work/asked"
}

# MACHINE_best.tsv: the choice of each cell beside the library's own.
best_of() { # ROWS
  awk -F '\t' -v OFS='\t' '
    NR == 1 {
      print "collective", "nodes", "ranks_per_node", "bytes", "method", "tutti_method", "combined_ns",
        "expected_loss_percent", "own_method", "own_ns", "own_expected_loss_percent", "verdict", "measured"
      next
    }
    { cell = $1 OFS $2 OFS $3 OFS $4 }
    !(cell in seen) { order[++count] = cell; seen[cell] }
    $14 == "best" { best[cell] = $5 OFS $6 OFS $10 OFS $13 }
    $14 == "too close to call" { close_to[cell] }
    $5 ~ /^default_|^default-default$/ { own[cell] = $5 OFS $10 OFS $13 }
    $15 == "yes" { measured[cell] }
    END {
      for (i = 1; i <= count; i++) {
        cell = order[i]
        print cell, best[cell], cell in own ? own[cell] : OFS OFS, cell in close_to ? "too close to call" : "clear",
          cell in measured ? "yes" : "no"
      }
    }' "$1"
}

for machine; do
  list_jobs "$machine" | list_calls "$(name_of "$machine")" "$(library_of "$machine")" >"$work/calls"
  [ "$seconds" = 0 ] || simulate_all "$machine"
  list_times "$machine" >"$work/times"
  add_times >"$work/asked"
  combine "$machine" >"$work/combined"
  write_rows "$directory/${machine}_counts.tsv" >"$directory/$machine.tsv"
  best_of "$directory/$machine.tsv" >"$directory/${machine}_best.tsv"
done
