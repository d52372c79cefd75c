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

# docs/reference/fidelity.md: the table is counted of the list of claims, whose rows of papers sum up to that of all.
page=docs/reference/fidelity.md
sh experiments/fidelity.sh --table >"$work/counted" || die "fidelity.sh --table fails"
grep '^|' "$page" | diff - "$work/counted" >"$work/differ" || die "$page: said (<) and counted (>): $(cat "$work/differ")"
awk -F ' *[|] *' '
  /20[0-9][0-9] \|/ || /^\| all \|/ {
    for (i = 3; i <= 10; i++) { split($i, n, " of "); sum[i] += $2 == "all" ? -n[1] : n[1]; of[i] += $2 == "all" ? -n[2] : n[2] }
    papers += $2 != "all"
  }
  END { for (i in sum) wrong += sum[i] != 0 || of[i] != 0; exit wrong > 0 || papers != 4 }' "$page" ||
  die "$page: the row of all is not the sum of four rows"

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
