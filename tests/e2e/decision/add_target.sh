#!/bin/sh
# docs/how-to/add-a-target.md: its file and its line, put into a copy of the sources, make a target that is written.
#
# usage: add_target.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

copy_sources
page=how-to/add-a-target.md
file=src/decision/libraries/markdown/markdown.c
mkdir copy/src/decision/libraries/markdown
block $page "c $file" >copy/$file
block $page "c src/decision/libraries/libraries.def" >>copy/src/decision/libraries/libraries.def

SUITES=targets build_copy tutti unit-decision
tutti=build/tutti
block $page sh | grep '^build/tutti' >commands
[ "$(wc -l <commands)" -ge 2 ] || die "no commands in the page"
sh -eu commands >out 2>err || die "the page's commands: $(cat out err)"
block $page text >text
[ "$(grep -cxF -f text out)" -ge "$(wc -l <text)" ] || die "the page promises '$(cat text)', but: $(cat out)"
build/tests/unit-decision targets >out 2>err || die "the tests of targets: $(tail -n 5 err)"

# Lists, messages and files know it; libraries without tuning files are no targets of the linter.
run 2 export bcast/binomial --format lam
expect ', tutti, nccl, ncclx, markdown$'
printf 'bcast/binary bytes=..999\nbcast/pipeline/1KB\n' >rules.txt
run 0 export rules.txt --format markdown -o rules.md
expect "^cat '$PWD/rules.md'\$"
grep -qxF '| bcast | 2 | 1000 | bcast/pipeline/1KB |' rules.md || die "not the steps: $(cat rules.md)"
run 2 lint --target markdown rules.md
expect "'markdown' is no library with tuning files"
echo '1 passed, 0 failed'
