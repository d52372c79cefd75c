#!/bin/sh
# Platform files that try to reach beyond themselves: no file but those named is written, no program but the known ones
# is started, and a file beside them that holds a secret is not opened, whatever the file says.
#
# usage: platforms.sh BUILD_DIR SOURCE_DIR [COUNT [EVERY [SEEDS [FIRST]]]]
#
# COUNT files (200) are made from the platforms of SOURCE_DIR and of the folder SEEDS, from number FIRST (0) on. All are
# checked; of those that are taken smpirun gets every EVERY-th (8), and the fast engine four times as many.
# By hand: platforms.sh build . 10000 20 FOLDER
set -u
build=$(cd "$1" && pwd -P) source=$(cd "$2" && pwd -P) count=${3:-200} every=${4:-8} seeds=${5:-} first=${6:-0}
tutti=$build/tutti guard=$build/tests/guard
work=$(mktemp -d) && work=$(cd "$work" && pwd -P) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
"$guard" true 2>/dev/null || { echo "skipped: system calls cannot be watched here"; exit 77; }
mkdir "$work/files" "$work/tmp" && cd "$work" || exit 2
export TMPDIR="$work/tmp" ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
echo mine >victim.txt
echo 'not to be told' >secret.txt
echo 'not to be told' >files/secret.txt # beside them: looked at before it is refused, but not told
chmod 644 ./*.txt

# Seeds that are taken as they are, and are small enough for many runs.
set --
for seed in "$source"/platforms/*.xml ${seeds:+"$seeds"/*.xml}; do
  [ "$(wc -c <"$seed")" -lt 40000 ] || continue
  "$tutti" platform check "$seed" >out 2>/dev/null
  [ $? -le 1 ] && set -- "$@" "$seed"
done
"$build/tests/smuggle" "$first" "$count" "$work/victim.txt" "$work/secret.txt" "$work/files" "$@" || exit 2

watched() { # COMMAND...: the status in $status; what the guard refuses is a failure
  "$guard" --write "$work/s.db*" --write "$work/tmp/*" --write "/dev/shm/*" --never "$work/secret.txt" \
    --run "$build/*" --run '/usr/bin/smpirun' --run '/usr/lib/*/simgrid/smpimain' --run '/usr/bin/dash' --run '/usr/bin/bash' \
    --run '/usr/bin/env' --run '/usr/bin/dirname' --run '/usr/bin/mktemp' --run '/usr/bin/grep' --run '/usr/bin/basename' \
    --run '/usr/bin/true' --run '/usr/bin/rm' timeout 60 "$@" >out 2>err </dev/null
  status=$?
  [ $status -ne 99 ] || fault "$(grep '^guard: ' err)"
  ! grep -q 'not to be told' out err || fault "a file beside it is told: $(cat out err)"
  [ $status -lt 125 ] || fault "status $status: $(tail -n 3 err)"
}
fault() {
  echo "$(basename "$file"): $*" >&2
  mkdir -p "$build/tests/findings" && cp "$file" "$build/tests/findings/"
  faults=$((faults + 1))
}
measure() { # ENGINE
  rm -rf s.db* tmp/*
  ranks=$(sed -n 's/.*: valid, \([0-9]*\) hosts.*/\1/p' checked)
  [ "${ranks:-0}" -ge 2 ] || return
  watched "$tutti" bench bcast --platform "$file" -P 2 -s 8 --engine "$1" --db s.db --quiet
  [ -e s.db ] && [ $status -eq 0 ] && echo "$1" >>measured
}

faults=0 taken=0 simulated=0 engines=0
: >measured
for file in "$work"/files/*.xml; do
  watched "$tutti" platform check "$file"
  [ $status -le 1 ] || continue
  cp out checked
  taken=$((taken + 1))
  [ $((taken * 4 % every)) -lt 4 ] || continue
  engines=$((engines + 1))
  measure fast
  [ $((taken % every)) -eq 0 ] || continue
  simulated=$((simulated + 1))
  measure smpi
done
[ "$(cat victim.txt)" = mine ] || { echo "the file of another was changed" >&2; faults=$((faults + 1)); }
echo "$count files, $taken of them taken: $engines given to the fast engine ($(grep -c fast measured) measured)," \
  "$simulated to smpirun ($(grep -c smpi measured) measured); $faults faults"
[ $faults -eq 0 ] && [ $taken -gt 0 ] && [ "$(grep -c smpi measured)" -gt 0 ]
