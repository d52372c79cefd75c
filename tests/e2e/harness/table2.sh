#!/bin/sh
# The published numbers of messages are reproduced: Centralized within one message, Shrink-and-Hash and Shrink-and-Balance as
# far as different members allow.
#
# usage: table2.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need sqlite3 sqlite3

TUTTI=$tutti MAX_RANKS=8192 sh "$2/experiments/langer_table_2.sh" >out 2>err || die "$(cat err)"

worst() { # BUILDER LIMIT: cells and the worst difference in percent
  awk -v builder="$1" -v limit="$2" '$2 == builder && $4 == 21 && $9 + 0 > 0 && $9 <= limit { good = 1 } END { exit !good }' out ||
    die "$1: not 21 cells within $2 %: $(cat out)"
}

worst centralized 0.05
worst shrink-hash/no-filler 1.5
worst shrink-balance/leaf-as-filler 5
grep -q '^Time' out && die "times without a store: $(cat out)"
TUTTI=$tutti MAX_RANKS=2048 sh "$2/experiments/langer_table_2.sh" missing.db >out 2>err && die "a store that is not there is taken"
grep -q "cannot read the store 'missing.db'" err || die "$(cat err)"
echo "63 published numbers of messages are met"
