#!/bin/sh
# docs/tutorial/ten-minutes.md: its commands, run in order, print what it shows.
#
# usage: tutorial.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
. "$source/tests/e2e/page.sh"
unset TUTTI_PLATFORM_PATH
HOME=$place/home
PATH=$build:$PATH
export HOME PATH
mkdir home
ln -s "$build" build
for folder in experiments platforms scripts; do
  ln -s "$source/$folder" "$folder"
done

run_page tutorial/ten-minutes.md 10
grep -q '<html' report.html || die "no report"
[ -x "$build/openmpi/tutti-bench" ] || { echo "skipped: Open MPI is not built"; exit 77; }
