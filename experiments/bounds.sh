#!/bin/sh
# How far the best methods are from the lower bound of any method (docs/explanation/bounds.md), over the maps of all experiments of
# this folder that measure collectives, each measured by the fast engine into a store of its own; later only what is missing.
#
# usage: sh experiments/bounds.sh [DIRECTORY [EXPERIMENT...]]    (default: bounds, all)
# writes DIRECTORY/bounds.tsv, a line a map, and prints the sum over all points.
# BUILD: the build folder (default build). SECONDS_EACH: after so long an experiment is left out (default 300).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tutti=$(cd "${BUILD:-$here/../build}" && pwd)/tutti
out=${1:-bounds}
[ $# -eq 0 ] || shift
mkdir -p "$out/gaps"
[ $# -gt 0 ] || set -- $(cd "$here" && grep -l '<sweep collective' ./*.xml | sed 's/^..//; s/\.xml$//')

for name; do
  db=$out/$name.db
  timeout "${SECONDS_EACH:-300}" "$tutti" bench "$here/$name.xml" --engine fast --db "$db" -q >"$out/$name.log" 2>&1 || [ $? -eq 1 ] ||
    { echo "$name is left out: $(tail -1 "$out/$name.log")" && continue; }
  sqlite3 -separator ' ' "$db" "SELECT DISTINCT collective, platform, scheme, root, ranks_per_node FROM points
    WHERE flavor = 'fast' AND arrival = 'none' AND noise = 'none' AND method NOT GLOB '*/native*'" >"$out/maps"
  while read -r collective platform scheme root ranks_per_node; do
    "$tutti" map "$collective" --platform "$platform" --flavor fast --scheme "$scheme" --root "$root" --ranks-per-node "$ranks_per_node" \
      --arrival none --noise none --db "$db" --gap --json >"$out/gaps/$name.$collective.$platform.$scheme.$root.$ranks_per_node.json" 2>>"$out/$name.log" ||
      rm "$out/gaps/$name.$collective.$platform.$scheme.$root.$ranks_per_node.json"
  done <"$out/maps"
done

python3 - "$out" <<'PYTHON'
import collections, glob, json, os, statistics, sys
percents, terms, lines, in_model = [], collections.Counter(), [], 0
for path in sorted(glob.glob(sys.argv[1] + "/gaps/*.json")):
    gap = json.load(open(path))["gap"]
    here = [row["gap_percent"] for row in gap["bounds"] if row["gap_percent"] is not None]
    if not here:
        continue
    percents += here
    in_model += gap["optimal_in_model"]
    terms.update(row["bound_by"] for row in gap["bounds"] if row["gap_percent"] is not None)
    lines.append("%s\t%d\t%d\t%.2f\t%.2f" % (os.path.basename(path)[:-5], gap["points"], gap["optimal"], gap["median_percent"], gap["max_percent"]))
with open(sys.argv[1] + "/bounds.tsv", "w") as table:
    print("map\tpoints\tno_faster_by_1_percent\tmedian_percent\tmax_percent", *lines, sep="\n", file=table)
print("%d maps, %d points: in the median %.1f %% over the bound, at most %.0f %%; at %d points no method can be faster by more than 1 %%, at %d by more than 10 %%; at %d others none under the round model"
      % (len(lines), len(percents), statistics.median(percents), max(percents), sum(p <= 1 for p in percents), sum(p <= 10 for p in percents), in_model))
print("bound by " + ", ".join("%s at %d" % item for item in terms.most_common()))
PYTHON
