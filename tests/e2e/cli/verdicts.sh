#!/bin/sh
# The verdict of a long table stands first as well as last; that of a short one once.
#
# usage: verdicts.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

lines() { # PATTERN: numbers of the lines of out that have it
  grep -nE -- "$1" out | cut -d: -f1 | tr '\n' ' '
}
twice() { # PATTERN: in the first 8 lines, and in the last 8
  pattern=$1
  set -- $(lines "$pattern")
  [ $# -eq 2 ] && [ "$1" -le 8 ] && [ "$2" -gt $(($(wc -l <out) - 8)) ] || die "'$pattern' on the lines '$*' of: $(cat out)"
}
once() { # PATTERN
  [ "$(lines "$1" | wc -w)" -eq 1 ] || die "'$1' not once: $(cat out)"
}

# --- lint ---

{ printf '1\n7\n1\n2 9\n'; for size in 0 1 2 3 4 5 6 7 8; do echo "$size 99 0 0"; done; } >many.rules
printf '1\n7\n1\n2 1\n0 99 0 0\n' >one.rules
run 1 lint many.rules
twice '^many.rules for openmpi-4.1.4: 9 errors'
run 1 lint one.rules
once '^one.rules for openmpi-4.1.4: 1 error'

# --- measured: guidelines, penalty ---

run 0 bench bcast,scatter,gather,allgather,reduce,allreduce --platform grig_mx --engine fast -P 2,4,7,8,16 -s 8..64KB*8 --scheme window -q
run 1 guidelines --platform grig_mx --top 30
twice '^  [0-9]+ of [0-9]+ checks violated by more than 5 %'
run 0 penalty bcast/linear bcast/binomial --platform grig_mx --worst 20
expect '^  bcast/linear loses [0-9.]+ % in the mean, [0-9.]+ % at worst$'
[ "$(tail -n 1 out | grep -c '^  bcast/binomial loses .* at worst$')" -eq 1 ] || die "the verdict is not last: $(cat out)"
run 0 penalty bcast/linear bcast/binomial --platform grig_mx --worst 2
! grep -q 'at worst$' out || die "a verdict again below a short list: $(cat out)"

# --- explain ---

run 0 explain bcast -P 16 -s 32KB --decision bcast/linear --platform grig_mx --top 60
twice '^  bcast/linear$'
run 0 explain bcast -P 16 -s 32KB --decision bcast/linear
once '^  bcast/linear$'
exit 0
