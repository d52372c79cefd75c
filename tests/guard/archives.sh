#!/bin/sh
# Archives that try to reach beyond themselves: nothing but the store is written, no program is started, a file that
# holds a secret is not opened, no control character is told, and an end comes within some time and memory, whatever
# is in them.
#
# usage: archives.sh BUILD_DIR SOURCE_DIR [COUNT [FIRST]]
#
# COUNT folders of PICO (100) with an archive each, from number FIRST (0) on, are imported; some archives also by
# themselves. By hand: archives.sh build . 10000
set -u
first=${4:-0}
. "$2/tests/guard/begin.sh"
count=${3:-100}
"$build/tests/smuggle-archives" "$first" "$count" "$work/victim.txt" "$work/secret.txt" "$work/files" \
  "$source"/tests/fuzz/seeds/*.archive || exit 2
find files | sort >before

# An import may keep texts of 1 GB. Sanitizers need more addresses than there is memory.
kilobytes=$((3 << 20))
(ulimit -v $kilobytes && "$tutti" --version) >/dev/null 2>&1 || kilobytes=unlimited
control=$(printf '[\001-\010\013-\037\177]\\|\302[\200-\237]')
bounded() { # FILE
  rm -rf s.db*
  (
    ulimit -v $kilobytes && ulimit -t 40 || exit
    watched timeout 60 "$tutti" import --format pico "$1" --db s.db
    echo "$faults $status" >told
  )
  read -r faults status <told
  ! LC_ALL=C grep -q "$control" out err || fault "control characters: $(cat -v out err)"
  [ $status -le 2 ] || [ $status -ge 99 ] || fault "status $status: $(tail -n 3 err)"
}

taken=0 rows=0 alone=0
for file in "$work"/files/*; do
  bounded "$file"
  if [ $status -eq 0 ]; then
    taken=$((taken + 1)) rows=$((rows + $(sed -n 's/^\([0-9]*\) measurement.*/\1/p' out)))
  fi
  case $file in
  *[048]) ;;
  *) continue ;;
  esac
  alone=$((alone + 1))
  bounded "$(echo "$file"/*.tar.gz)"
done
find files | sort | cmp -s before - || { echo "files were made or removed" >&2; faults=$((faults + 1)); }
[ -z "$(ls tmp)" ] || { echo "left in TMPDIR: $(ls tmp)" >&2; faults=$((faults + 1)); }
check_victim
echo "$count archives, $taken of them taken with $rows measurements, $alone also by themselves; $faults faults"
[ $faults -eq 0 ] && [ $taken -gt 0 ]
