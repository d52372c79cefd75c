#!/bin/sh
# Quadtrees and C4.5 trees of simulated maps beside Pjesivac-Grbovic 2007, tables 6.4, 6.5 and 6.7 to 6.9, section 6.3.3,
# figures 6.7 to 6.15. Measures what the stores lack of pjesivac_figure_6_3, pjesivac_figure_6_13, pjesivac_table_6_4, pjesivac_figure_6_10,
# pjesivac_figure_6_5, pjesivac_figure_6_14, pjesivac_figure_6_22 and pjesivac_table_6_9 (ten minutes on two processors), and writes into DIRECTORY
#
#     learners.db          the measurements, by the fast engine, but for table 6.9:
#     tuning.db            what is tuned by there, by SMPI, which alone runs what the libraries choose
#     library.db           the same, and what the libraries choose
#     learners.md          the tables, published values in brackets (table_6_*.csv)
#     figure_6_*.svg       the figures, if gnuplot is there
#
# usage: sh experiments/learners.sh [DIRECTORY]    (default: learners)
# TUTTI: the command (default build/tutti). JOBS: simulations at once (default: processors). MEASURE=no: the store is
# complete.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tutti=${TUTTI:-$here/../build/tutti}
out=${1:-learners}
mkdir -p "$out"
TUTTI_PLATFORM_PATH=${TUTTI_PLATFORM_PATH:-$here/../platforms}
TUTTI_PLOTS=${TUTTI_PLOTS:-$here/../plots}
export TUTTI_PLATFORM_PATH TUTTI_PLOTS
db=$out/learners.db
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "${MEASURE:-yes}" = yes ]; then
  for name in pjesivac_figure_6_3 pjesivac_figure_6_13 pjesivac_figure_6_5 pjesivac_figure_6_14 pjesivac_table_6_4 pjesivac_figure_6_10; do
    "$tutti" bench "$here/$name.xml" --engine fast --db "$db" ${JOBS:+-j "$JOBS"} -q >&2
  done
  "$tutti" bench "$here/pjesivac_figure_6_22.xml" --db "$out/tuning.db" ${JOBS:+-j "$JOBS"} -q >&2
  [ -f "$out/library.db" ] || cp "$out/tuning.db" "$out/library.db"
  "$tutti" bench "$here/pjesivac_table_6_9.xml" --db "$out/library.db" ${JOBS:+-j "$JOBS"} -q >&2
fi

GRIG="--platform grig_fast_ethernet --scheme occ --db $db"
FRODO="--platform frodo_mx --db $db"
MX="--platform grig_mx_ob1 --db $db"
CISCO="--platform cisco_infiniband --db $db"

learn() { # ARGUMENTS...: figures as JSON into $work/json
  "$tutti" learn "$@" --json >"$work/json"
}

field() { # FORMAT PATH...: members of the JSON, as printf writes them
  format=$1
  shift
  sqlite3 -batch :memory: "SELECT printf('$format', $(for path; do
    printf "%sjson_extract(readfile('$work/json'), '\$.$path')" "${comma:-}"
    comma=,
  done; comma=))"
}

published() { # TABLE KEY COLUMN...: with the line whose first columns are KEY
  table=$1 key=$2 column=$3
  awk -F, -v key="$key" -v column="$column" 'index($0, key ",") == 1 { print $column; exit }' "$here/pjesivac_$table.csv"
}

# ---- tables 6.4 and 6.5 ----

quadtrees() { # TABLE TITLE SELECTION...
  table=$1 title=$2
  shift 2
  printf '\n### %s\n\n' "$title"
  echo '| max depth | min depth | mean depth | penalty min [%] | max | mean | median | leaves | nodes | memory [B] |'
  echo '|---|---|---|---|---|---|---|---|---|---|'
  for depth in 1 2 3 4 5 6; do
    learn quadtree bcast "$@" --depth $depth
    printf '| %s' $depth
    i=2
    for spec in '%d:trees[0].min_depth' '%.2f:trees[0].mean_depth' '%.2f:penalties[0].min_percent' \
      '%.2f:penalties[0].max_percent' '%.2f:penalties[0].mean_percent' '%.2f:penalties[0].median_percent' \
      '%d:trees[0].quadtree_leaves' '%d:trees[0].quadtree_nodes'; do
      printf ' | %s (%s)' "$(field "${spec%%:*}" "${spec#*:}")" "$(published "$table" $depth $i)"
      i=$((i + 1))
    done
    printf ' | %s |\n' "$(field %d 'trees[0].memory_B')"
  done
}

# ---- tables 6.7 and 6.8 ----

percent() { # PATH: in percent of the points
  sqlite3 -batch :memory: "SELECT printf('%.1f', 100.0 * json_extract(readfile('$work/json'), '\$.$1') /
    json_extract(readfile('$work/json'), '\$.trees[0].points'))"
}

table_6_7() {
  printf '\n### Table 6.7: C4.5 trees of broadcast on Grig (Fast Ethernet)\n\n'
  echo '| options | grown: leaves | errors [%] | pruned: leaves | errors [%] | predicted [%] | penalty min [%] | max | mean |'
  echo '|---|---|---|---|---|---|---|---|---|'
  tail -n +2 "$here/pjesivac_table_6_7.csv" | while IFS=, read -r m c p1 p2 p3 p4 p5 p6 p7 p8; do
    # shellcheck disable=SC2086
    learn c45 bcast $GRIG -m "$m" -c "$c"
    echo "| -m $m -c $c | $(field %d 'trees[0].grown_leaves') ($p1) | $(percent 'trees[0].grown_errors') ($p2) |" \
      "$(field %d 'trees[0].pruned_leaves') ($p3) | $(percent 'trees[0].pruned_errors') ($p4) |" \
      "$(percent 'trees[0].predicted_errors') ($p5) | $(field %.2f 'penalties[0].min_percent') ($p6) |" \
      "$(field %.2f 'penalties[0].max_percent') ($p7) | $(field %.2f 'penalties[0].mean_percent') ($p8) |"
  done
}

table_6_8() {
  printf '\n### Table 6.8: C4.5 trees of broadcast and reduce on Grig together\n\n'
  echo '| options | grown: leaves | errors | pruned: leaves | errors | predicted [%] | mean penalty: bcast [%] | reduce [%] |'
  echo '|---|---|---|---|---|---|---|---|'
  tail -n +2 "$here/pjesivac_table_6_8.csv" | while IFS=, read -r m c p1 p2 p3 p4 p5 p6 p7; do
    # shellcheck disable=SC2086
    learn c45 bcast reduce $GRIG -m "$m" -c "$c"
    echo "| -m $m -c $c | $(field %d 'trees[0].grown_leaves') ($p1) | $(field %d 'trees[0].grown_errors') ($p2) |" \
      "$(field %d 'trees[0].pruned_leaves') ($p3) | $(field %d 'trees[0].pruned_errors') ($p4) |" \
      "$(percent 'trees[0].predicted_errors') ($p5) | $(field %.2f 'penalties[0].mean_percent') ($p6) |" \
      "$(field %.2f 'penalties[1].mean_percent') ($p7) |"
  done
}

# ---- section 6.3.3 ----

COMPOSITE="-a ranks -a bytes -a total -a even=even(ranks) -a pow2=pow2(ranks)"

composite() {
  printf '\n### Section 6.3.3: allgather on Grig (MX), with and without composite attributes\n\n'
  echo '| attributes | options | leaves | errors [%] | predicted [%] | depth | penalty max [%] | mean | published |'
  echo '|---|---|---|---|---|---|---|---|---|'
  for options in '-m 2 -c 25' '-m 5 -c 25'; do
    for attributes in "-a ranks -a bytes" "$COMPOSITE"; do
      # shellcheck disable=SC2086
      learn c45 allgather $MX $options $attributes
      note=
      [ "$attributes $options" != '-a ranks -a bytes -m 2 -c 25' ] || note='179 leaves, 9.3 % errors, 16.9 % predicted'
      [ "$attributes $options" != "$COMPOSITE -m 5 -c 25" ] ||
        note='59 leaves, 4.9 % errors, 7.78 % predicted, depth 9, max 42.55 %, mean 0.2 %'
      echo "| \`$attributes\` | $options | $(field %d 'trees[0].pruned_leaves') | $(percent 'trees[0].pruned_errors') |" \
        "$(percent 'trees[0].predicted_errors') | $(field %d 'trees[0].depth') |" \
        "$(field %.2f 'penalties[0].max_percent') | $(field %.2f 'penalties[0].mean_percent') | $note |"
    done
  done
}

# ---- learners beside each other, at equal size ----

beside() { # COLLECTIVE MACHINE SELECTION...
  collective=$1 machine=$2
  shift 2
  for options in '-m 2 -c 25' '-m 8 -c 5' '-m 40 -c 5'; do
    # shellcheck disable=SC2086
    learn c45 "$collective" "$@" $options
    leaves=$(field %d 'trees[0].leaves')
    row="| $collective, $machine | $options | $leaves | $(field '%.3f / %.2f' 'penalties[0].mean_percent' 'penalties[0].max_percent')"
    for learner in penalty optimal; do
      learn $learner "$collective" "$@" --leaves "$leaves"
      row="$row | $(field '%.3f / %.2f (%d)' 'penalties[0].mean_percent' 'penalties[0].max_percent' 'trees[0].leaves')"
    done
    echo "$row |"
  done
}

learners_beside() {
  printf '\n### Trees of equal size: penalty mean / max [%%] (leaves)\n\n'
  echo '| collective | C4.5 | leaves | c45 | penalty | optimal |'
  echo '|---|---|---|---|---|---|'
  # shellcheck disable=SC2086
  {
    beside bcast Grig $GRIG
    beside reduce Grig $GRIG
    beside bcast Frodo $FRODO
    beside allgather 'Grig MX' $MX
    beside alltoall Cisco $CISCO
  }
}

unseen() {
  printf '\n### Points that were not seen: mean penalty [%%]\n\n'
  echo '| learner | all points seen | 10 folds | communicator size left out |'
  echo '|---|---|---|---|'
  for learner in 'c45' 'c45 -m 8 -c 5' 'penalty --leaves 40' 'optimal --leaves 40' 'quadtree --depth 3' 'quadtree'; do
    # shellcheck disable=SC2086
    set -- $learner
    name=$1
    shift
    # shellcheck disable=SC2086
    learn "$name" bcast $GRIG "$@" --folds 10 --leave-out
    echo "| $learner | $(field '%.2f | %.2f | %.2f' 'penalties[0].mean_percent' 'penalties[1].mean_percent' \
      'penalties[2].mean_percent') |"
  done
}

# ---- section 6.6 ----

against() { # LIBRARY RANKS DECISION: improvements min, max, mean
  "$tutti" penalty --collective bcast --platform grig_fast_ethernet --db "$out/library.db" --against "library:$1" \
    --ranks "$2" "$3" | awk -v ranks="$2" '$1 != "best" && $2 == ranks { printf "%s | %s | %s", $3, $4, $5 }'
}

table_6_9() {
  tuning="--platform grig_fast_ethernet --db $out/tuning.db"
  # shellcheck disable=SC2086
  {
    "$tutti" learn c45 bcast $tuning -o "$work/C4.5" >/dev/null
    "$tutti" learn c45 bcast $tuning -a ranks -a bytes -a total -o "$work/C4.5_w!ts" >/dev/null
    "$tutti" learn quadtree bcast $tuning --depth 4 -o "$work/QT_md_4" >/dev/null
    "$tutti" learn quadtree bcast $tuning --depth 3 -o "$work/QT_md_3" >/dev/null
    "$tutti" learn optimal bcast $tuning --leaves 20 -o "$work/optimal,_20_leaves" >/dev/null
  }
  printf '\n### Table 6.9: improvement of tuned broadcast on Grig (Fast Ethernet) over the libraries, 1 B to 2 MB [%%]\n\n'
  echo '| decision | ranks | over Open MPI 1.x: min | max | mean (published) | over MPICH: min | max | mean (published) | over Open MPI 4.1: min | max | mean |'
  echo '|---|---|---|---|---|---|---|---|---|---|---|'
  for ranks in 24 64; do
    for decision in 'C4.5' 'C4.5 w/ts' 'QT md 4' 'QT md 3' 'optimal, 20 leaves'; do
      file=$work/$(echo "$decision" | tr ' /' '_!')
      echo "| $decision | $ranks | $(against openmpi-1.x $ranks "$file") ($(published table_6_9 "$decision,$ranks" 5)) |" \
        "$(against mpich-4.0 $ranks "$file") ($(published table_6_9 "$decision,$ranks" 8)) |" \
        "$(against openmpi-4.1 $ranks "$file") |"
    done
  done
}

# ---- figures ----

picture() { # FILE COLLECTIVE SELECTION... [-- MAP OPTIONS]
  file=$1 collective=$2
  shift 2
  "$tutti" map "$collective" "$@" --plot "$out/$file" >/dev/null
}

decide() { # NAME ARGUMENTS OF LEARN...: the decision file that is drawn next
  decision=$work/$1
  shift
  "$tutti" learn "$@" -o "$decision" >/dev/null
}

accuracy_curves() { # NAME COLLECTIVE SELECTION...: accuracy, mean depth, mean penalty; then maximum depths
  name=$1 collective=$2
  shift 2
  for file in accuracy depth; do
    [ ! -s "$work/$file" ] || printf '\n\n' >>"$work/$file"
    printf '"%s"\n' "$name" >>"$work/$file"
  done
  for accuracy in 10 20 30 40 45 50 55 60 65 70 75 80 90 100; do
    learn quadtree "$collective" "$@" --accuracy $accuracy
    echo "$accuracy $(field '%.4f %.4f' 'trees[0].mean_depth' 'penalties[0].mean_percent')" >>"$work/accuracy"
  done
  for depth in 1 2 3 4 5 6; do
    learn quadtree "$collective" "$@" --depth $depth
    field '%.4f %.4f' 'trees[0].mean_depth' 'penalties[0].mean_percent' >>"$work/depth"
  done
}

# shellcheck disable=SC2086
figures() {
  for machine in grig frodo; do
    [ $machine = grig ] && selection=$GRIG || selection=$FRODO
    picture figure_6_7_${machine}_exact.svg bcast $selection
    for depth in 3 2; do
      decide "quadtree of depth $depth" quadtree bcast $selection --depth $depth
      picture figure_6_7_${machine}_depth_$depth.svg bcast $selection --decision "$decision"
      picture figure_6_8_${machine}_depth_$depth.svg bcast $selection --decision "$decision" --loss
    done
    for accuracy in 50 70; do
      decide "quadtree of $accuracy % accuracy" quadtree bcast $selection --accuracy $accuracy
      picture figure_6_9_${machine}_accuracy_$accuracy.svg bcast $selection --decision "$decision"
    done
  done
  accuracy_curves 'bcast, Grig' bcast $GRIG
  accuracy_curves 'reduce, Grig' reduce $GRIG
  accuracy_curves 'bcast, Frodo' bcast $FRODO
  accuracy_curves 'reduce, Frodo' reduce $FRODO
  LC_ALL=C.UTF-8 gnuplot -d -c "$TUTTI_PLOTS/quadtrees.gp" "$work/accuracy" "$work/depth" "$out/figure_6_10_6_11.svg"
  for options in '-m 2 -c 25' '-m 40 -c 5'; do
    name=$(echo "$options" | tr -d ' -')
    decide "C4.5 $options" c45 bcast $GRIG $options
    picture figure_6_12_$name.svg bcast $GRIG --decision "$decision"
  done
  picture figure_6_13_reduce_exact.svg reduce $GRIG
  for options in '-m 2 -c 25' '-m 20 -c 5'; do
    name=$(echo "$options" | tr -d ' -')
    decide "C4.5 $options for both" c45 bcast reduce $GRIG $options
    for collective in reduce bcast; do
      picture figure_6_13_${collective}_$name.svg $collective $GRIG --decision "$decision"
    done
  done
  picture figure_6_14_exact.svg alltoall $CISCO
  decide "C4.5" c45 alltoall $CISCO
  picture figure_6_14_c45.svg alltoall $CISCO --decision "$decision"
  decide "C4.5 with total size" c45 alltoall $CISCO -a ranks -a bytes -a total
  picture figure_6_14_total.svg alltoall $CISCO --decision "$decision"
  picture figure_6_15_exact.svg allgather $MX
  decide "C4.5 -m 5, composite" c45 allgather $MX -m 5 $COMPOSITE
  picture figure_6_15_composite.svg allgather $MX --decision "$decision"
}

{
  echo '# Quadtrees and C4.5 trees, simulated (published)'
  # shellcheck disable=SC2086
  quadtrees table_6_4 'Table 6.4: quadtrees of broadcast on Frodo (MX)' $FRODO
  # shellcheck disable=SC2086
  quadtrees table_6_5 'Table 6.5: quadtrees of broadcast on Grig (Fast Ethernet)' $GRIG
  table_6_7
  table_6_8
  composite
  table_6_9
  learners_beside
  unseen
} >"$out/learners.md"
if command -v gnuplot >/dev/null; then
  figures
fi
