#!/bin/sh
# experiments/models.sh, on a few points: every point has all its predictions, the tables are those of the points, the
# figures are drawn, and a second run simulates nothing and writes the same.
#
# usage: models.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need sqlite3 sqlite3
need gnuplot gnuplot-nox
TUTTI=$tutti
EXPERIMENTS=$PWD/few
export TUTTI EXPERIMENTS

mkdir few
for experiment in pjesivac_figure_6_1 pjesivac_figure_6_1_mx pjesivac_figure_4_21_boba pjesivac_figure_4_21 pjesivac_figure_4_22; do
  awk '
    /segments="none 312B/ { sub(/segments=".*/, "segments=\"none 8KB 10KB\"/>"); print; skipping = 1; next }
    skipping { skipping = 0; next }
    { gsub(/2\.\.32|2\.\.64/, "2 5 8"); sub(/1B\.\.8MB\*2/, "1B 4KB"); print }' \
    "$source/experiments/$experiment.xml" >few/$experiment.xml
done

run() {
  sh "$source/experiments/models.sh" out >said 2>err || die "models.sh failed: $(cat said err)"
  [ ! -s err ] || die "models.sh says: $(cat err)"
}
run
grep -q '^pjesivac_figure_6_1: 6 points measured' said || die "other points: $(cat said)"
grep -q '^pjesivac_figure_4_22: 16 points measured' said || die "other points: $(cat said)"

# Points of a Hockney platform have five lines, of its twin four.
[ "$(wc -l <out/models.csv)" -eq $((1 + (6 + 6 + 12 + 12 + 16) * 9)) ] || die "$(wc -l <out/models.csv) lines of points"
awk -F, '
  NR > 1 && $1 == "boba_gige" && $2 == "reduce/pipeline" && $5 == "hockney" { off = $9 / $7 - 1; count += off < 1e-3 && off > -1e-3 }
  NR > 1 && $2 == "bcast/split-binary/10KB" && $1 == "grig_mx" && $5 == "plogp" { held += $9 / $8 > 1.2 && $7 / $8 > 1.2 }
  END { exit !(count == 8 && held == 2) }' out/models.csv || die "other times: $(cat out/models.csv)"

grep -q '^| reduce, `boba_gige` | 16 |.*| 1\.000 (1\.000 \.\. 1\.000) |$' out/ratios.md || die "other ratios: $(cat out/ratios.md)"
grep -q '^| TCP, 768 KB | Hockney | 10112B | .* | 10116B |$' out/table_6_1.md || die "other sizes: $(cat out/table_6_1.md)"
grep -q '^| TCP, 768 KB | simulated on `grig_fast_ethernet` | 8KB | 0\.0 % | 8KB | 8KB |$' out/table_6_1.md ||
  die "other sizes: $(cat out/table_6_1.md)"
for figure in split_binary_fast_ethernet split_binary_mx barrier_boba_gige barrier_grig_mx reduce_boba_gige; do
  grep -q '</svg>' out/models_$figure.svg || die "no picture models_$figure.svg"
done

cp -r out first
run
grep -q '^pjesivac_figure_6_1: 0 points measured, 6 there already' said || die "measured again: $(cat said)"
for file in models.csv ratios.md table_6_1.md models_split_binary_mx.svg; do
  cmp -s first/$file out/$file || die "$file differs the second time"
done
echo "simulated, priced and formula times stand side by side"
