#!/bin/sh
# Fidelity: every published number that an experiment file claims, what a store has of it, their ratio and the verdict.
#
# usage: sh experiments/fidelity.sh STORE >experiments/fidelity.tsv
#        sh experiments/fidelity.sh STORE DIRECTORY    (the experiments of another folder)
#        sh experiments/fidelity.sh --table    (how many hold by paper, of experiments/fidelity.tsv: the table of docs/reference/fidelity.md)
# STORE: filled by `tutti bench --all --engine fast --db STORE`; what it lacks is "not measured".
# TUTTI: the command (default build/tutti). ENGINE: whose times (default fast, SMPI's where that engine does not measure).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tutti=${TUTTI:-$here/../build/tutti}
[ $# -ge 1 ] || { echo "usage: sh experiments/fidelity.sh STORE [DIRECTORY]" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "$1" = --table ]; then
  echo '| paper | experiments with claims | claims that hold | predictions that hold | formulas that hold | calibrations | self-checks | host timings | not comparable |'
  echo '|---|---|---|---|---|---|---|---|---|'
  COUNTS="printf('%d | %d of %d | %d of %d | %d of %d | %d | %d | %d | %d', count(DISTINCT iif(predicts + follows, experiment, NULL)),
      total((predicts + follows) * holds), total(predicts + follows), total(predicts * holds), total(predicts),
      total(follows * holds), total(follows), total(kind = 'calibration'), total(kind = 'self-check'),
      total(kind = 'host-timing'), total(kind = 'not-comparable'))"
  sqlite3 -batch :memory: '.mode ascii' '.separator "\t" "\n"' ".import '$here/fidelity.tsv' row" "
    CREATE VIEW claim AS SELECT *, substr(source, 1, instr(source, ' 20') + 4) paper, kind = 'prediction' predicts,
      kind = 'formula' follows, verdict = 'reproduced' holds FROM row;
    SELECT '| ' || paper || ' | ' || $COUNTS || ' |' FROM claim GROUP BY paper;
    SELECT '| all | ' || $COUNTS || ' |' FROM claim;"
  exit
fi

code=0 # 1: claims differ that no file explains, which the page shows
"$tutti" bench --all --list "${2:-$here}" --engine "${ENGINE:-fast}" --db "$1" --json -q >"$work/json" 2>"$work/error" || code=$?
[ $code -le 1 ] || { cat "$work/error" >&2; exit $code; }

sqlite3 -batch "$work/db" "
  CREATE TABLE experiment AS SELECT json_extract(value, '\$.experiment') name, json_extract(value, '\$.source') source,
      json_extract(value, '\$.claims') claims
    FROM json_each(readfile('$work/json'), '\$.experiments');
  CREATE TABLE claim AS SELECT name, source, key place, json_extract(value, '\$.what') what,
      json_extract(value, '\$.published') published, coalesce(' ' || json_extract(value, '\$.unit'), '') unit,
      coalesce(' within ' || json_extract(value, '\$.within'), '') within, json_extract(value, '\$.kind') kind,
      json_extract(value, '\$.measured') ours, json_extract(value, '\$.ratio') ratio,
      json_extract(value, '\$.verdict') verdict, json_extract(value, '\$.known_to_differ') known
    FROM experiment, json_each(claims);"

# Four digits, and whole numbers whole.
OURS="CASE WHEN ours IS NULL THEN '-' WHEN published IN ('true', 'false') THEN iif(ours <> 0, 'true', 'false')
  WHEN abs(ours) < 1e15 AND ours = round(ours) THEN printf('%d', ours) WHEN abs(ours) >= 1000 THEN printf('%.0f', ours)
  ELSE printf('%.4g', ours) END"
COUNTED="kind IN ('prediction', 'formula')"

printf 'experiment\tsource\tclaim\tpublished\tours\tratio\tkind\tverdict\n'
sqlite3 -batch "$work/db" '.mode ascii' '.separator "\t" "\n"' "
  SELECT name, source, what, published || unit || within, $OURS, iif(ratio IS NULL, '-', printf('%.3g', ratio)), kind,
    verdict || iif(verdict = 'differs' AND NOT known AND $COUNTED, ', not explained', '')
    FROM claim ORDER BY substr(name, 1, 4), name, place"
