#!/bin/sh
# peak.sh FILE COMMAND...: run the command and write the largest resident memory it had, in KiB, to FILE.
file=$1
shift
"$@" &
child=$!
peak=0
while kill -0 "$child" 2>/dev/null; do
  now=$(awk '/^VmHWM/ { print $2 }' "/proc/$child/status" 2>/dev/null)
  [ -n "$now" ] && peak=$now
  sleep 0.05
done
wait "$child"
status=$?
echo "$peak" >"$file"
exit "$status"
