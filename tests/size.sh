#!/bin/sh
# No part of the house has more lines than its budget: tests/size.tsv, a line a part: its name, its lines, and the reason
# of its last rise. A part is a wing of src; include, tests, bench; docs without pictures.
#
# usage: size.sh SOURCE_DIR
set -eu
cd "$1"
lines_of() { # FOLDER: of its text files
  find "$1" -type f ! -name '*.svg' ! -name '*.png' ! -name '*.db' ! -name '*.gz' ! -path '*/.*' -exec cat {} + | wc -l
}
failed=0
while IFS='	' read -r part budget reason; do
  case $part in '#'*) continue ;; esac
  folder=src/$part
  [ -d "$folder" ] || folder=$part
  lines=$(lines_of "$folder")
  echo "$part: $lines of $budget lines"
  if [ "$lines" -gt "$budget" ]; then
    echo "size: $folder: $((lines - budget)) lines above its budget in tests/size.tsv: delete as many, or say the reason there" >&2
    failed=1
  fi
done <tests/size.tsv
exit $failed
