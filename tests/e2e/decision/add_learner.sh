#!/bin/sh
# docs/how-to/add-a-learner.md: its file and its line, put into a copy of the sources, make a learner that tutti learn
# has: in its help, with its options, figures and name.
#
# usage: add_learner.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need sqlite3 sqlite3
page=how-to/add-a-learner.md

copy_sources
file=src/decision/learners/single.c
block $page "c $file" >copy/$file
block $page "c src/decision/learners/learners.def" >>copy/src/decision/learners/learners.def

SUITES=learn build_copy tutti unit-decision

# A small store, measured by the programs of the build that is tested.
cat >small.xml <<'XML'
<experiment name="small">
  <platform name="grig_fast_ethernet"/>
  <sweep collective="bcast" root="0">
    <ranks>2 4 8 16</ranks>
    <sizes>1 1KB 64KB</sizes>
    <method algorithm="linear"/>
    <method algorithm="binomial"/>
    <method algorithm="pipeline" segments="1KB"/>
  </sweep>
</experiment>
XML
run 0 bench small.xml --db results.db --quiet

tutti=build/tutti
block $page sh | grep '^build/tutti' >commands
[ "$(wc -l <commands)" -ge 4 ] || die "no commands in the page"
sh -eu commands >out 2>err || die "the page's commands: $(cat out err)"
block $page text >text
[ "$(grep -xF -f text out | sort -u | wc -l)" -eq "$(wc -l <text)" ] || die "the page promises '$(cat text)', but: $(cat out)"
expect '"single_percent": [0-9]'
expect '^single bcast +12 +[0-9]+ +1 +0 '
expect '"decision": "unseen fold"'
sqlite3 results.db .dump 2>/dev/null | grep -q 'single/by=worst' || die "the penalty is not in the store under its name"
run 2 learn single bcast --platform grig_fast_ethernet --leaves 3
expect '--leaves, --mean go with penalty and optimal'
run 2 learn c45 bcast --platform grig_fast_ethernet --by worst
expect '--by, --tolerance go with single'
build/tests/unit-decision learn >out 2>err || die "the descriptor is wrong: $(cat err)"
