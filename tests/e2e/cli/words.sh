#!/bin/sh
# The words of a command line: those of other tools, other names of collectives and libraries, what is missing.
#
# usage: words.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

# ---- words of other tools ----

run 0 --help
sed -n '/^Subcommands:$/,/^$/s/^  \([a-z-]*\) .*/\1/p' out >commands
[ "$(wc -l <commands)" -gt 20 ] || die "no list of subcommands: $(cat out)"
is_command() {
  grep -qx -e "$1" commands
}

suggests() { # WORD: is not known, and a command that is there is named with what it does
  run 2 "$1"
  tr '\n' ' ' <err | tr -s ' ' >line
  named=$(sed -n "s/^tutti: unknown subcommand '$1': tutti \([a-z-]*\) [a-z].*; tutti --help lists all *\$/\1/p" line)
  [ -n "$named" ] && is_command "$named" || die "tutti $1: $(cat err)"
}

tried=0
for word in tune optimize plot run list undo install simulate record trace profile test verify \
  $(sed -n '/command_meanings/,/^ *{NULL/s/.*{"\([^"]*\)",.*/\1/p' "$source/src/cli/meaning.c"); do
  is_command "$word" && continue
  suggests "$word"
  tried=$((tried + 1))
done
[ $tried -gt 100 ] || die "only $tried words were tried"
run 2 optimize
is_command tune || expect '^tutti: unknown subcommand .optimize.: tutti learn makes rules'
run 2 leanr
expect "^tutti: unknown subcommand 'leanr' \(did you mean 'learn'\?\): tutti --help lists them$"
run 2 xyzzy
expect "^tutti: unknown subcommand 'xyzzy': tutti --help lists them$"
run 2 platform ls
expect "^tutti platform: unknown verb 'ls' \(did you mean 'list'\?\): use list, "
run 2 bench bcast --np 3
expect "unrecognized option '--np' \(did you mean --ranks\?\)"

echo "$tried words of other tools name a command"
