#!/bin/sh
# The page of fidelity, docs/reference/fidelity.md: every published number that an experiment file claims, what the store
# has of it, their ratio and the verdict. What is no published number that can be reproduced is listed apart and counted nowhere.
#
# usage: sh experiments/fidelity.sh STORE >docs/reference/fidelity.md
#        sh experiments/fidelity.sh STORE DIRECTORY    (the experiments of another folder)
# STORE: filled by `tutti bench --all --engine fast --db STORE`; what it lacks is "not measured".
# TUTTI: the command (default build/tutti). ENGINE: whose times (default fast, SMPI's where that engine does not measure).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tutti=${TUTTI:-$here/../build/tutti}
[ $# -ge 1 ] || { echo "usage: sh experiments/fidelity.sh STORE [DIRECTORY]" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

code=0 # 1: claims differ that no file explains, which the page shows
"$tutti" bench --all --list "${2:-$here}" --engine "${ENGINE:-fast}" --db "$1" --json -q >"$work/json" 2>"$work/error" || code=$?
[ $code -le 1 ] || { cat "$work/error" >&2; exit $code; }

sqlite3 -batch "$work/db" "
  CREATE TABLE experiment AS SELECT json_extract(value, '\$.experiment') name, json_extract(value, '\$.source') source,
      json_extract(value, '\$.verdict') verdict, json_extract(value, '\$.claims') claims
    FROM json_each(readfile('$work/json'), '\$.experiments');
  CREATE TABLE claim AS SELECT name, source, key place, json_extract(value, '\$.what') what,
      json_extract(value, '\$.published') published, coalesce(' ' || json_extract(value, '\$.unit'), '') unit,
      coalesce(' within ' || json_extract(value, '\$.within'), '') within, json_extract(value, '\$.kind') kind,
      json_extract(value, '\$.measured') ours, json_extract(value, '\$.ratio') ratio,
      json_extract(value, '\$.verdict') verdict, json_extract(value, '\$.known_to_differ') known
    FROM experiment, json_each(claims);
  CREATE TABLE paper AS SELECT DISTINCT substr(source, 1, instr(source, ' 20') + 4) title FROM claim;"

sql() {
  sqlite3 -batch "$work/db" "$1"
}

# Four digits, and whole numbers whole.
OURS="CASE WHEN ours IS NULL THEN '-' WHEN published IN ('true', 'false') THEN iif(ours <> 0, 'true', 'false')
  WHEN abs(ours) < 1e15 AND ours = round(ours) THEN printf('%d', ours) WHEN abs(ours) >= 1000 THEN printf('%.0f', ours)
  ELSE printf('%.4g', ours) END"
CELLS="replace(what, '|', '\|') || ' | ' || published || unit || within || ' | ' || $OURS || ' | ' ||
  iif(ratio IS NULL, '-', printf('%.3g', ratio))"
COUNTED="kind IN ('prediction', 'formula')"
OF_PAPER="title = substr(source, 1, instr(source, ' 20') + 4)"

cat <<'END_OF_HEAD'
# Fidelity

<!-- Made by experiments/fidelity.sh; do not edit. -->

Every published number that an experiment file claims, with ours beside it. A *prediction* tests what a simulated machine does; a
*formula* follows from published formulas, parameters or data structures without a machine. Ratio: ours over published, where one number was
published. Why a claim differs is in the [list of experiments](../../experiments/README.md), where each tolerance comes from is in
the experiment files and in `tutti report`.

Listed [below](#not-counted) and counted nowhere:

- *calibration*: what a platform was told, or was fitted to. It must come out again, which shows that the platform is what it says and no more.
- *self-check*: two computations of ours against each other, such as a printed formula against the messages of our schedule. No paper prints the number.
- *host-timing*: times of the processor that ran the command beside those of the authors' processor. No platform predicts them.
- *not-comparable*: the platform fixes the outcome, because it has no parameter for what the paper observed, or is told what follows; or the
  paper publishes several numbers that exclude each other for what is one number here.

Made by

    tutti bench --all --engine fast --db STORE
    sh experiments/fidelity.sh STORE >docs/reference/fidelity.md

Test `e2e.experiments` holds the list of claims to the files, and what comes out of the quick experiments to this page.

## All

| paper | experiments with claims | claims that hold | predictions that hold | formulas that hold | calibrations | self-checks | host timings | not comparable |
|---|---|---|---|---|---|---|---|---|
END_OF_HEAD
COUNTS="printf('%d | %d of %d | %d of %d | %d of %d | %d | %d | %d | %d', count(DISTINCT iif($COUNTED, name, NULL)),
    total($COUNTED AND verdict = 'reproduced'), total($COUNTED),
    total(kind = 'prediction' AND verdict = 'reproduced'), total(kind = 'prediction'),
    total(kind = 'formula' AND verdict = 'reproduced'), total(kind = 'formula'),
    total(kind = 'calibration'), total(kind = 'self-check'), total(kind = 'host-timing'), total(kind = 'not-comparable'))"
sql "SELECT '| ' || title || ' | ' || $COUNTS || ' |' FROM paper JOIN claim ON $OF_PAPER GROUP BY title"
sql "SELECT '| all | ' || $COUNTS || ' |' FROM claim"

sql "SELECT DISTINCT name FROM claim WHERE $COUNTED ORDER BY substr(name, 1, 4), name" | while read -r name; do
  sql "SELECT printf('%s## %s, %s: %s%s', char(10), name, source, verdict, char(10)) FROM experiment WHERE name = '$name'"
  echo '| claim | published | ours | ratio | tests a | verdict |'
  echo '|---|---|---|---|---|---|'
  sql "SELECT '| ' || $CELLS || ' | ' || kind || ' | ' || verdict ||
      iif(verdict = 'differs' AND NOT known, ', not explained', '') || ' |' FROM claim
    WHERE name = '$name' AND $COUNTED ORDER BY place"
done

printf '\n## Not counted\n\n'
echo '| experiment | claim | published | ours | ratio | is a | comes out |'
echo '|---|---|---|---|---|---|---|'
sql "SELECT '| ' || name || ' | ' || $CELLS || ' | ' || kind || ' | ' || CASE verdict WHEN 'reproduced' THEN 'yes' WHEN 'differs' THEN 'no'
    ELSE verdict END || ' |' FROM claim WHERE NOT $COUNTED ORDER BY kind, substr(name, 1, 4), name, place"
