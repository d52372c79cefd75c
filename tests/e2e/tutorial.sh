#!/bin/sh
# docs/tutorial/ten-minutes.md: its commands, run in order, print what it shows.
#
# usage: tutorial.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
unset TUTTI_PLATFORM_PATH
HOME=$place/home
export HOME
mkdir home
ln -s "$build" build
for folder in experiments platforms scripts; do
  ln -s "$source/$folder" "$folder"
done

# One file for each block, in order: 01.sh, 02.text, ...
awk '
  /^```/ {
    if (inside) { inside = 0; close(file); next }
    words = split(substr($0, 4), word, " ")
    file = sprintf("%02d.%s", ++blocks, word[1] (words > 1 ? "-" word[2] : ""))
    inside = 1
    next
  }
  inside { print > file }' "$source/docs/tutorial/ten-minutes.md"
[ "$(ls ./*.sh ./*.sh-* | wc -l)" -ge 10 ] || die "the tutorial has lost its blocks"

run_block() { # FILE STATUS
  sh -eu "$1" >>printed 2>>complaints
  code=$?
  [ $code -eq "$2" ] || die "$(cat "$1"): status $code instead of $2: $(tail -n 20 printed complaints)"
}

for block in [0-9][0-9].*; do
  case $block in
  *.sh-setup) ;;
  *.sh-status) run_block "$block" 1 ;;
  *.sh-openmpi) [ ! -x "$build/openmpi/tutti-bench" ] || run_block "$block" 0 ;;
  *.sh) run_block "$block" 0 ;;
  *.text)
    sed 's/^  *//' printed >lines
    sed 's/^  *//' "$block" | while IFS= read -r line; do
      grep -qxF -e "$line" lines || die "the tutorial shows '$line', which was not printed: $(cat printed)"
    done || exit 1
    ;;
  *) die "$block: which kind of block is it?" ;;
  esac
done
grep -q Incomplete printed && die "methods of the libraries' own choice make the map incomplete: $(cat printed)"
grep -q '<html' report.html || die "no report"
[ -x "$build/openmpi/tutti-bench" ] || { echo "skipped: Open MPI is not built"; exit 77; }
