#!/bin/sh
# docs/how-to/add-an-algorithm.md, add-a-command.md, add-a-learner.md and add-a-target.md: their files and lines, put into one
# copy of the sources, make an algorithm that verifies, a command, a learner and a target, and the unit tests that look at
# all of their kind hold.
#
# usage: add_parts.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need sqlite3 sqlite3
before=$tutti

say() { # PAGE LEAST: the commands of the page, of which there are as many, print what it promises
  block "$1" sh | grep '^build/tutti' >commands
  [ "$(wc -l <commands)" -ge "$2" ] || die "$1: no commands"
  sh -eu commands >out 2>err || die "$1: the page's commands: $(cat out err)"
  block "$1" text >text
  [ "$(grep -xF -f text out | sort -u | wc -l)" -ge "$(sort -u text | wc -l)" ] || die "$1 promises '$(cat text)', but: $(cat out)"
}
unit() { # WING SUITE
  "build/tests/unit-$1" "$2" >out 2>&1 || die "unit.$2 with it: $(grep -v '  OK ' out | tail -n 8)"
}

# ---- the pages' files and lines ----

copy_sources
algorithm=how-to/add-an-algorithm.md method=src/algorithms/catalogue/bcast/fibonacci.c
block $algorithm "c $method" >copy/$method
list=src/algorithms/catalogue/catalogue.def # the line comes below the last one of its collective
block $algorithm "c $list" >line
awk 'FNR == NR { new = new $0 "\n"; next }
  /---- barrier ----/ { print new }
  { print }' line "$source/$list" >copy/$list
grep -q fibonacci copy/$list || die "the line was not added"

command=how-to/add-a-command.md
block $command "c src/cli/rounds.c" >copy/src/cli/rounds.c
block $command "txt src/cli/help/rounds.txt" >copy/src/cli/help/rounds.txt
block $command "c src/cli/commands.def" >>copy/src/cli/commands.def
schema=copy/docs/reference/tutti.schema.json
block $command "json docs/reference/tutti.schema.json" >keys
sed -i '/^  "row": {/,/"properties": {/{
  /"properties": {/r keys
}' $schema

learner=how-to/add-a-learner.md
block $learner "c src/decision/learners/single.c" >copy/src/decision/learners/single.c
block $learner "c src/decision/learners/learners.def" >>copy/src/decision/learners/learners.def

target=how-to/add-a-target.md
mkdir copy/src/decision/libraries/markdown
block $target "c src/decision/libraries/markdown/markdown.c" >copy/src/decision/libraries/markdown/markdown.c
block $target "c src/decision/libraries/libraries.def" >>copy/src/decision/libraries/libraries.def

SUITES="verify;count;method_order;marks;learn;targets" build_copy tutti unit-algorithms unit-cli unit-decision
tutti=build/tutti

# ---- the algorithm ----

say $algorithm 2
run 0 algorithms bcast
expect '^bcast/fibonacci$'
build/tests/unit-algorithms verify bcast/fibonacci >out 2>err || die "is not proven for all numbers of ranks: $(tail -n 5 err)"
unit algorithms count
unit algorithms method_order
unit cli marks

# ---- the command ----

say $command 4
run 0 --help
expect '^  rounds +count what the algorithms of a collective send$'
run 0 rounds barrier --json
python3 -c 'import json; document = json.load(open("out")); rows = document["methods"]
assert all(r["rounds"] > 0 for r in rows) and len(rows) > 2
assert document["collective"] == "barrier" and document["ranks"] == 8' ||
  die "JSON: $(cat out)"
python3 "$source/tests/e2e/json_keys.py" $schema out >faults || die "keys: $(cat faults)"
python3 "$source/tests/e2e/json_keys.py" "$source/docs/reference/tutti.schema.json" out >faults &&
  die "the new keys are listed already: the page needs others"
run 0 rounds bcast --csv
expect '^collective,ranks,method,rounds,messages,elements'
run 2 rounds
expect '^tutti rounds: which collective[?]$'
run 2 rounds bcast --ranks 0
expect "^tutti rounds: --ranks: '0' is not a whole number from 1 to 4096$"
run 2 round bcast
expect "did you mean 'rounds'"
if command -v help2man >/dev/null; then # name and summary of its manual page are those of the descriptor
  cmake --build build -t man >>log 2>&1 || die "no manual pages: $(tail -n 20 log)"
  grep -q 'count what the algorithms of a collective send' build/man/tutti-rounds.1 || die "tutti-rounds.1"
fi

# ---- the learner, in help, with its options, figures and name, from a store that the build which is tested measures ----

if [ -e "$before" ] && [ -e "${before%/tutti}/smpi/tutti-bench" ]; then
  tutti=$before
  run 0 bench bcast --platform grig_fast_ethernet -P 2..16*2 -s 1,1KB,64KB --methods linear,binomial,pipeline/1KB --db results.db --quiet
  tutti=build/tutti
  say $learner 4
  expect '"single_percent": [0-9]'
  expect '^single bcast +12 +[0-9]+ +1 +0 '
  expect '"decision": "unseen fold"'
  sqlite3 results.db .dump 2>/dev/null | grep -q 'single/by=worst' || die "the penalty is not in the store under its name"
  run 2 learn single bcast --platform grig_fast_ethernet --leaves 3
  expect '--leaves, --mean go with penalty and optimal'
  run 2 learn c45 bcast --platform grig_fast_ethernet --by worst
  expect '--by, --tolerance go with single'
fi
unit decision learn

# ---- the target: lists, messages and files know it; libraries without tuning files are no targets of the linter ----

say $target 2
unit decision targets
run 2 export bcast/binomial --format lam
expect ', tutti, nccl, ncclx, markdown$'
printf 'bcast/binary bytes=..999\nbcast/pipeline/1KB\n' >rules.txt
run 0 export rules.txt --format markdown -o rules.md
expect "^cat '$PWD/rules.md'\$"
grep -qxF '| bcast | 2 | 1000 | bcast/pipeline/1KB |' rules.md || die "not the steps: $(cat rules.md)"
run 2 lint --target markdown rules.md
expect "'markdown' is no library with tuning files"

# ---- a fault in the algorithm is found ----

sed -i 's/received = tutti_add_recv(builder, holder/received = tutti_add_recv(builder, next == 1 ? 0 : holder/; s/own == cut/own == cut \&\& cut != 3/' copy/$method
cmake --build build -t tutti >>log 2>&1 || die "the faulty one does not build: $(tail -n 20 log)"
run 1 schedule bcast/fibonacci -P 8 -n 1000
