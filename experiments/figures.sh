#!/bin/sh
# The figures of the pages of docs and of experiments/README.md, drawn from what is measured for them, mostly by the fast
# engine: an hour on two processors with an empty DIRECTORY, later what is missing.
#
# usage: sh experiments/figures.sh [DIRECTORY]    (default: figures)
# writes learners/figure_6_*.svg (learners.sh), models/models_*.svg (models.sh), bgp_*.svg, groups_*.svg, engine_growth.svg
# BUILD: the build folder (default build).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${BUILD:-$here/../build}" && pwd)
TUTTI=$build/tutti
export TUTTI
out=${1:-figures}
mkdir -p "$out"

sh "$here/learners.sh" "$out/learners"
sh "$here/models.sh" "$out/models"
sh "$here/../bench/engine_growth.sh" "$build" "$out/engine_growth.svg"

db=$out/figures.db
for name in bgp_maps langer_figure_7 langer_figure_8; do
  "$TUTTI" bench "$here/$name.xml" --engine fast --db "$db" -q || [ $? -eq 1 ] # 1: claims differ, as the list says
done
for collective in bcast allreduce; do
  "$TUTTI" map $collective --platform bgp --db "$db" --plot "$out/bgp_$collective.svg" >"$out/bgp_$collective.txt"
done

groups() { # FIGURE ARGUMENTS...
  figure=$1
  shift
  "$TUTTI" group "$@" --db "$db" --plot "$out/groups_$figure.svg" >"$out/groups_$figure.txt"
}
fractions=0.001,0.01,0.1,0.3,0.6,0.9,0.99
three='centralized shrink-balance/leaf-as-filler shrink-hash/no-filler'
# shellcheck disable=SC2086
groups messages $three -P 65536 --seed 7 --fraction $fractions --in-process --y messages --relative centralized
# shellcheck disable=SC2086
groups time $three -P 65536 --platform bgp --engine fast --fraction $fractions --relative centralized
groups fillers shrink-hash/no-filler shrink-hash/leaf-as-filler shrink-hash/child-as-filler -P 32768 --platform bgp \
  --engine fast --fraction $fractions
groups memory -P 128,1024,8192,65536 --y memory
