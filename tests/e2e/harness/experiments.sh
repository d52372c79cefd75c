#!/bin/sh
# The list in experiments/README.md has all files with the time that each needs, and those that need up to 10 seconds have
# the verdicts of the list by the fast engine, up to 5 by SimGrid, too. experiments/fidelity.tsv has all claims, and of those files what comes out.
. "$2/tests/e2e/begin.sh"
need smpirun libsimgrid-dev

# FILE SOURCE TAKES VERDICT of the table.
awk -F ' *\\| *' '/^\| `[a-z_0-9]*\.xml` / { gsub("[`]", "", $2); sub("\\.xml", "", $2); print $2 "|" $4 "|" $5 }' \
  "$source/experiments/README.md" | sort >listed
for file in "$source"/experiments/*.xml; do
  takes=$(sed -n 's/.*<experiment .*takes="\([^"]*\)".*/\1/p' "$file")
  [ -n "$takes" ] || die "$file does not say how long it takes"
  echo "$(basename "$file" .xml)|$takes"
done | sort >there
cut -d '|' -f 1,2 listed | diff - there || die "experiments/README.md lists others, or other times"

# NAME CLAIMS PREDICTIONS CALIBRATIONS SELF-CHECKS HOST-TIMINGS NOT-COMPARABLE of the files and of the table.
"$tutti" bench --all --list "$source/experiments" --db absent.db >list 2>&1 || die "bench --all --list: $(cat list)"
awk '{ for (i = 2; i < NF; i++) if ($i ~ /^[0-9]+\/[0-9]+$/) { sub(".*/", "", $i); print $1, $i, $(i + 1), $(i + 2), $(i + 3), $(i + 4), $(i + 5); next } }' \
  list | grep -v ' 0 0 0 0 0 0$' | sort >counts
awk -F ' *\\| *' '
  function before(words) { return match($6, "[0-9]+ " words) ? substr($6, RSTART) + 0 : 0 }
  /^\| `[a-z_0-9]*\.xml` / && $6 {
    gsub("[`]", "", $2); sub("\\.xml", "", $2)
    print $2, before("claims?"), before("tests? a prediction"), before("calibration inputs?"), before("self-checks?"),
      before("timings? of this host"), before("not comparable")
  }' "$source/experiments/README.md" | grep -v ' 0 0 0 0 0 0$' | sort | diff counts - >differ ||
  die "experiments/README.md counts other claims, predictions and what is not counted (<: the files): $(cat differ)"

# A tolerance says where it comes from.
for file in "$source"/experiments/*.xml; do
  grep -n '<claim .*within=' "$file" | grep -v ' from="' && die "$file: a tolerance does not say where it comes from"
done

# Of two published numbers that one number cannot meet both, at most one is counted.
printf '<experiment><claim published="3.5" within="50%%">SELECT  1</claim>\n<claim published="16.9" within="50%%">SELECT\n1</claim></experiment>' >apart.xml
python3 "$source/tests/e2e/exclusive_claims.py" apart.xml >differ && die "claims that exclude each other are not found"
python3 "$source/tests/e2e/exclusive_claims.py" "$source"/experiments/*.xml >differ || die "$(cat differ)"

fidelity() { # STORE DIRECTORY
  TUTTI=$tutti sh "$source/experiments/fidelity.sh" "$1" "$2"
}

claims() { # TABLE: its columns without what comes out
  cut -f 1-4,7 "$1"
}

table=$source/experiments/fidelity.tsv
fidelity absent.db "$source/experiments" >bare.tsv || die "fidelity.sh fails on an empty store"
claims bare.tsv >there.claims
claims "$table" | diff - there.claims >differ || die "fidelity.tsv has other claims than the files (>): $(cat differ)"
[ "$(wc -l <there.claims)" -ge 700 ] || die "only $(wc -l <there.claims) claims were found"

# The quick ones, with an empty store.
mkdir quick quicker
while IFS='|' read -r name takes; do
  grep -q "^$name|.*|-$" listed && continue # claims nothing
  case $takes in *s) ;; *) continue ;; esac
  [ "${takes%s}" -le 10 ] && cp "$source/experiments/$name.xml" quick/
  [ "${takes%s}" -le 5 ] && cp "$source/experiments/$name.xml" quicker/
done <there
[ "$(ls quick | wc -l)" -ge 20 ] || die "only $(ls quick | wc -l) are quick"
[ "$(ls quicker | wc -l)" -ge 5 ] || die "only $(ls quicker | wc -l) are quick by SimGrid"

measure() { # DIRECTORY OUTPUT ARGUMENTS...: each file has the verdict of the list
  files=$1 output=$2
  shift 2
  "$tutti" bench --all "$files" -q -j 2 --db "$files.db" "$@" >"$output" 2>err ||
    die "bench --all $files $*: status $?: $(cat "$output" err)"
  for file in "$files"/*.xml; do
    name=$(basename "$file" .xml)
    verdict=$(sed -n "s/^$name|[^|]*|//p" listed)
    awk -v name="$name" -v verdict="$verdict" '$1 == name && index($0, " " verdict "  ") { found = 1 } END { exit !found }' "$output" ||
      die "$name is not '$verdict' in: $(cat "$output")"
  done
}

# The table says what comes out of them, whichever engine measured.
measure quick out --engine fast
measure quicker smpi
[ ! -s err ] || die "bench --all says: $(cat err)"
for files in quick quicker; do
  [ $files = quick ] || export ENGINE=smpi
  fidelity $files.db $files | sort >$files.rows
  grep -q 'not measured' $files.rows && die "not all is measured: $(grep 'not measured' $files.rows)"
  sort "$table" | comm -23 $files.rows - >differ
  [ ! -s differ ] || die "fidelity.tsv says otherwise of $files: $(cat differ)"
done
[ "$(wc -l <quick.rows)" -ge 100 ] || die "the quick ones have only $(wc -l <quick.rows) claims"

# Nothing is measured or run twice.
measure quicker again
for text in smpi again; do
  sed -n '/ verdict /,$ { s,\( [0-9]*/[0-9]*\) .*,\1,; p; }' $text >$text.verdicts # without the times
done
cmp smpi.verdicts again.verdicts || die "the second time it says otherwise"
echo "$(ls quick | wc -l) experiments come to what experiments/README.md says"
