#!/bin/sh
# guard ends a command that writes, opens or starts what was not named, and lets all others be.
# usage: guard.sh GUARD
set -u
guard=$1 work=$(mktemp -d) || exit 2
work=$(cd "$work" && pwd -P)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
"$guard" true 2>err || { grep -q "cannot follow\|no filter" err && { echo "skipped: $(cat err)"; exit 77; }; }
failed=0
expect() { # STATUS NAME COMMAND...
  wanted=$1 name=$2
  shift 2
  "$guard" "$@" >out 2>err
  status=$?
  [ $status -eq "$wanted" ] || { echo "$name: status $status, not $wanted: $(cat err)" >&2; failed=1; }
}
echo mine >victim
ln -s victim link
mkdir folder
expect 3 "status of the command" sh -c 'exit 3'
expect 137 "signal of the command" sh -c 'kill -9 $$'
expect 0 "reading" sh -c 'read -r line <victim'
expect 0 "writing what is named" --write "$work/new" sh -c 'echo >new'
expect 0 "/dev/null" sh -c 'echo >/dev/null'
expect 99 "writing" sh -c 'echo >victim'
expect 99 "appending" sh -c 'echo >>victim'
expect 99 "writing through a link" --write "$work/link" sh -c 'echo >link'
expect 99 "writing from a folder" --write "$work/victim" sh -c 'cd folder; echo >victim'
expect 99 "removing" rm -f victim
expect 99 "renaming" --write "$work/other" mv victim other
expect 99 "renaming onto" --write "$work/new" mv new victim
expect 99 "making a link" ln -s victim other
expect 99 "making a folder" mkdir other
expect 99 "starting" sh -c 'date; true'
expect 0 "starting what is named" --run "$(realpath "$(command -v date)")" sh -c 'date; true'
expect 99 "opening" --never '*/victim' cat victim
expect 99 "opening through a link" --never '*/victim' cat link
expect 99 "writing by a child" --run '*' sh -c 'sh -c "echo >victim" & wait; true'
[ "$(cat victim)" = mine ] || { echo "the file was changed" >&2; failed=1; }
exit $failed
