#!/bin/sh
# docs/how-to/add-a-command.md: its files and its line, put into a copy of the sources, make a command.
#
# usage: add_command.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

page=how-to/add-a-command.md
copy_sources
file=src/cli/rounds.c
block $page "c $file" >copy/$file
block $page "txt src/cli/help/rounds.txt" >copy/src/cli/help/rounds.txt
block $page "c src/cli/commands.def" >>copy/src/cli/commands.def
schema=copy/docs/reference/tutti.schema.json
block $page "json docs/reference/tutti.schema.json" >keys
sed -i '/^  "row": {/,/"properties": {/{
  /"properties": {/r keys
}' $schema

build_copy tutti
tutti=build/tutti
block $page sh | grep '^build/tutti' >commands
[ "$(wc -l <commands)" -ge 4 ] || die "no commands in the page"
sh -eu commands >out 2>err || die "the page's commands: $(cat out err)"
block $page text >text
[ "$(grep -cxF -f text out)" -ge "$(wc -l <text)" ] || die "the page promises '$(cat text)', but: $(cat out)"

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

# Its manual page, if there is help2man: name and summary are those of the descriptor.
if command -v help2man >/dev/null; then
  cmake --build build -t man >>log 2>&1 || die "no manual pages: $(tail -n 20 log)"
  grep -q 'count what the algorithms of a collective send' build/man/tutti-rounds.1 || die "tutti-rounds.1"
fi
