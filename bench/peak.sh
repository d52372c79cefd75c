#!/bin/sh
# peak.sh FILE COMMAND...: run the command and write to FILE its largest resident memory in KiB and its processor time in
# seconds.
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
times >"$file.times" # user and system time: of this shell, then of its children
processor=$(awk 'NR == 2 { gsub("s", ""); split($1, user, "m"); split($2, kernel, "m")
                           print 60 * user[1] + user[2] + 60 * kernel[1] + kernel[2] }' "$file.times")
rm -f "$file.times"
echo "$peak $processor" >"$file"
exit "$status"
