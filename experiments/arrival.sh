#!/bin/sh
# Decisions tuned for ranks that arrive together, and for robustness, under patterns that were tuned for and under
# others: the tables of docs/how-to/arrival.md. Two minutes on two cores; the store and the decisions stay in DIRECTORY.
#
# usage: experiments/arrival.sh BUILD_DIR [DIRECTORY]
set -eu
[ $# -ge 1 ] && [ -x "$1/tutti" ] || { echo "usage: $0 BUILD_DIR [DIRECTORY]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
tutti=$(cd "$1" && pwd)/tutti
: "${TUTTI_PLATFORM_PATH=$here/../platforms}"
export TUTTI_PLATFORM_PATH
mkdir -p "${2:-.}"
cd "${2:-.}"

tuned=none,uniform/2ms/seed=1,uniform/2ms/seed=2,straggler/5ms/seed=1,sorted/2ms
other=uniform/2ms/seed=3,uniform/2ms/seed=4,straggler/5ms/seed=3
noises=detour/1ms/100us/seed=1,exponential/10us/seed=1
store="--db arrival.db --platform grig_fast_ethernet"

"$tutti" bench "$here/arrival.xml" --db arrival.db --quiet
"$tutti" learn optimal bcast $store -o none.tree > none.txt
"$tutti" learn optimal bcast $store --arrival $tuned --robust mean -o mean.tree > mean.txt
"$tutti" learn optimal bcast $store --arrival $tuned --robust worst -o worst.tree > worst.txt

row() { # NAME OPTIONS...: mean and highest penalties of the three decisions
  name=$1
  shift
  "$tutti" penalty $store --json "$@" none.tree mean.tree worst.tree |
    awk -v name="$name" '
      /"decision"/ {
        match($0, /"mean_percent": [^,]*/); mean = substr($0, RSTART + 16, RLENGTH - 16)
        match($0, /"max_percent": [^,]*/); most = substr($0, RSTART + 15, RLENGTH - 15)
        row = row sprintf(" %.2f (%.0f) |", mean, most)
      }
      END { printf "| `%s` |%s\n", name, row }'
}

rows() { # OPTION PATTERNS
  for pattern in $(echo "$2" | tr , ' '); do
    row "$pattern" "$1" "$pattern"
  done
}

echo "| mean (highest) penalty [%] under | tuned for none | mean of five | worst of five |"
echo "|---|---|---|---|"
rows --arrival $tuned
rows --arrival $other
rows --noise $noises
