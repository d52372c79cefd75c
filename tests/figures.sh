#!/bin/sh
# Figures that a page says twice: what is derived from a table, or counted of it, is what the table gives.
#
# usage: figures.sh SOURCE_DIR
cd "$1" || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

die() {
  echo "figures.sh: $*" >&2
  exit 1
}

# docs/reference/fidelity.md: the row of all is the sum of the rows, and what is counted below it.
page=docs/reference/fidelity.md
awk -F ' *[|] *' '/^\| all \|/ { print $4; print $5; print $6; for (i = 7; i <= 10; i++) print $i }' "$page" >"$work/said"
sed 's/\\|/!/g' "$page" | awk -F ' *[|] *' '
  /^## / { name = $0 }
  name ~ /^## All/ || !/^\| / || /^\| (claim|experiment) \|/ || /^\|-/ { next }
  name ~ /^## Not counted/ { of[$7]++; next }
  { of[$6]++; holds[$6] += $7 == "reproduced" }
  END {
    printf "%d of %d\n", holds["prediction"] + holds["formula"], of["prediction"] + of["formula"]
    printf "%d of %d\n", holds["prediction"], of["prediction"]
    printf "%d of %d\n", holds["formula"], of["formula"]
    split("calibration self-check host-timing not-comparable", kinds, " ")
    for (i = 1; i <= 4; i++) print of[kinds[i]] + 0
  }' >"$work/counted"
[ "$(wc -l <"$work/said")" -eq 7 ] || die "$page has no row of all"
diff "$work/said" "$work/counted" >"$work/differ" || die "$page: said (<) and counted (>): $(cat "$work/differ")"
sed 's/\\|/!/g' "$page" | awk -F ' *[|] *' '/^## / { all = /^## All/ } all && /20[0-9][0-9] \|/ {
    for (i = 4; i <= 10; i++) { split($i, n, " of "); a[i] += n[1]; b[i] += n[2] } }
  END { for (i = 4; i <= 10; i++) print i < 7 ? a[i] " of " b[i] : a[i] }' >"$work/counted"
diff "$work/said" "$work/counted" >"$work/differ" || die "$page: rows of papers: said (<) and summed (>): $(cat "$work/differ")"

# docs/explanation/machines.md: where the choice is better than the library's own, and where it is not.
page=docs/explanation/machines.md
awk -F ' *[|] *' '/^## Times and choices/ { on = 1; next } /^## / { on = 0 }
  on && /^\| `/ && $3 != "all" {
    split($9, ours, ","); split($11, theirs, " ")
    if (ours[1] + 0 > theirs[1] + 0) print $2, $3
  }' "$page" | sort >"$work/worse"
awk -F ' *[|] *' '/^\| machine \| the library chose better/ { on = 1; next } !/^\|/ { on = 0 }
  on && /^\| `/ { n = split($3, of, ", "); for (i = 1; i <= n; i++) print $2, of[i] }' "$page" | sort >"$work/said"
diff "$work/said" "$work/worse" >"$work/differ" || die "$page: where the library chose better, said (<) and by the table (>): $(cat "$work/differ")"
awk -F ' *[|] *' '/^## Times and choices/ { on = 1; next } /^## / { on = 0 }
  on && /^\| `/ && $3 == "all" { split($9, ours, ","); split($11, theirs, " ")
    print $7 " of " $2 " (" ours[1] " beside " theirs[1] " %)" }' "$page" >"$work/all"
[ "$(wc -l <"$work/all")" -eq 4 ] || die "$page: not four machines"
tr '\n' ' ' <"$page" >"$work/text"
while read -r figures; do
  grep -qF "$figures" "$work/text" || die "$page does not say '$figures'"
done <"$work/all"
echo "counts and comparisons are those of the tables"
