#!/bin/sh
# Every platform of the project loads in SimGrid, sends messages, and has its published parameters.
#
# usage: platforms.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid

says() { # PROPERTY: the file has it
  grep -q "<prop id=\"tutti/$1\" value=\"..*\"/>" "$file"
}

count=0 published=0
for file in "$source"/platforms/*.xml; do
  "$tutti" platform check "$file" --measure >out 2>err || die "status $? of $file: $(cat out err)"
  [ ! -s err ] || die "$file: $(cat err)"
  says description && says source || die "$file does not say what it is and where its numbers come from"
  if says published-alpha || says published-beta; then
    grep -q '^alpha.* 0\.00 %$' out && grep -q '^beta.* 0\.00 %$' out || die "$file is off: $(cat out)"
    published=$((published + 1))
  fi
  grep -q "^| \`$(basename "$file" .xml)\` |" "$source/platforms/README.md" || die "$file is not in platforms/README.md"
  count=$((count + 1))
done
[ $published -ge 8 ] || die "only $published of $count platforms have published values"
"$tutti" platform list >out 2>err || die "list: $(cat err)"
[ "$(wc -l <out)" -gt "$count" ] || die "$count files, listed are: $(cat out)"
echo "$count platforms load and send, $published meet published values"
