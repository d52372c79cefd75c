#!/bin/sh
# C4.5 beside WEKA's J48 on the same files: leaves and errors on the training cases of both.
#
#   c45.sh BUILD_DIR [FILE.arff...]    twelve made sets (c45_data.awk), those that come with weka, and the files given
#   c45.sh --speed BUILD_DIR [ROWS]    seconds and memory on ROWS (1000000) rows
#
# "tutti" has the limits of J48 (-n), "release 8" those of Quinlan's program. J48 refuses files with a single class. The
# exit status is 1 if tutti and J48 differ anywhere, or agree nowhere. WEKA_JAR and WEKA_EXAMPLES say where weka is.
set -eu
weka=${WEKA_JAR:-/usr/share/java/weka.jar}
examples=${WEKA_EXAMPLES:-/usr/share/doc/weka/examples}
sources=$(cd "$(dirname "$0")" && pwd)
export LC_ALL=C

speed=
if [ "${1:-}" = --speed ]; then
  speed=1
  shift
fi
[ $# -ge 1 ] || { echo "usage: c45.sh [--speed] BUILD_DIR [FILE.arff... | ROWS]" >&2; exit 2; }
program=$(cd "$1" && pwd)/bench-c45
shift
[ -x "$program" ] || { echo "c45.sh: build bench-c45 first" >&2; exit 2; }
[ -r "$weka" ] || { echo "c45.sh: $weka is not there (package weka)" >&2; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

j48()
{
  java -Xmx12g -cp "$weka" weka.classifiers.trees.J48 -no-cv "$@"
}

# Leaves, and cases classified wrongly.
summary()
{
  awk '/^Number of Leaves/ { leaves = $5 } /^Incorrectly/ { errors = $4 } END { if (leaves) printf "%d %d", leaves, errors }'
}

tutti()
{
  "$program" -q "$@" 2>/dev/null | awk '{ printf "%d %d", $7, $9 }'
}

if [ -n "$speed" ]; then
  awk -v set=methods -v rows="${1:-1000000}" -f "$sources/c45_data.awk" >"$work/methods.arff"
  for options in "-c 25 -m 2" "-u -m 2"; do
    echo "tutti $options"
    # shellcheck disable=SC2086
    "$program" -q -n $options "$work/methods.arff" 2>&1
  done
  echo "J48 -C 0.25 -M 2"
  /usr/bin/time -f "%e s, %U s of it computing, %M KB at most" \
    java -Xmx12g -cp "$weka" weka.classifiers.trees.J48 -no-cv -C 0.25 -M 2 -t "$work/methods.arff" 2>&1 |
    grep -E '^Number of Leaves|^Incorrectly|^Time taken|at most'
  exit 0
fi

for name in rings words mixed many noise integers sparse skewed parity close unknown methods; do
  awk -v set=$name -f "$sources/c45_data.awk" >"$work/$name.arff"
done
agree=0 differ=0
printf '%-18s %6s  %-10s %12s %12s %12s\n' set rows setting J48 tutti "release 8"
for file in "$work"/*.arff "$examples"/*.arff "$@"; do
  # A class that is a number is nothing to classify, text is no attribute of C4.5; weka's own tests have both.
  rows=$("$program" -q "$file" 2>/dev/null | awk '{ print $2 }')
  [ -n "$rows" ] || { echo "$(basename "$file"): left out: $("$program" -q "$file" 2>&1)"; continue; }
  for setting in "-c 25 -m 2" "-c 5 -m 10" "-c 40 -m 5" "-u -m 2"; do
    case $setting in
    "-c 25 -m 2") theirs="-C 0.25 -M 2" ;;
    "-c 5 -m 10") theirs="-C 0.05 -M 10" ;;
    "-c 40 -m 5") theirs="-C 0.40 -M 5" ;;
    *) theirs="-U -M 2" ;;
    esac
    # shellcheck disable=SC2086
    other=$(j48 $theirs -t "$file" 2>/dev/null | summary)
    # shellcheck disable=SC2086
    ours=$(tutti -n $setting "$file")
    # shellcheck disable=SC2086
    printf '%-18s %6s  %-10s %12s %12s %12s' "$(basename "$file" .arff)" "$rows" "$setting" "${other:-refused}" \
      "$ours" "$(tutti $setting "$file")"
    if [ -z "$other" ]; then
      echo
    elif [ "$other" = "$ours" ]; then
      agree=$((agree + 1))
      echo
    else
      differ=$((differ + 1))
      echo "  differs"
    fi
  done
done
echo "$agree agree, $differ differ"
[ $differ -eq 0 ] && [ $agree -gt 0 ]
