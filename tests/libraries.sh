#!/bin/sh
# Libraries that pages, help texts and experiments name exist: rules by name (library:openmpi-4.1), and versions whose
# files are written or read (--format openmpi-5, --target mpich-4.0).
#
# usage: libraries.sh TUTTI SOURCE_DIR
tutti=$1
cd "$2" || exit 2
named() { # PATTERN OF A NAME: FILE:NAME of each place
  grep -roE -e "$1" README.md docs experiments platforms/README.md bench/README.md src/cli scripts --include='*.md' --include='*.xml' \
    --include='*.[ch]' --include='*.sh' --include='*.json' | sort -u
}

# FILE:NAME lines on standard input, of which `tutti ARGUMENTS... NAME ARGUMENTS` says whether it knows the name.
unknown() { # COMMAND, in which NAME stands for the name
  sed 's/[.]*$//' | while IFS=: read -r file name; do
    case $(sh -c "$(echo "$1" | sed "s|NAME|$name|")" 2>&1) in
    *"known are"* | *"these are"* | *"nothing is written for"*) echo "$file: $name" ;;
    esac
  done
}

rules=$(named 'library:[a-z][a-z0-9.-]*[a-z0-9]')
formats=$(named '--(format|target) (openmpi|mpich)[a-z0-9.-]*' | sed 's/--[a-z]* //')
[ "$(echo "$rules" | wc -l)" -gt 8 ] && [ "$(echo "$formats" | wc -l)" -gt 8 ] ||
  { echo "libraries.sh: hardly any library is named: $rules $formats" >&2; exit 1; }

missing=$(
  echo "$rules" | sed 's/:library:/:/' | unknown "'$tutti' explain bcast -P 4 -s 8 --decision library:NAME"
  echo "$formats" | unknown "'$tutti' lint --target NAME README.md"
)
[ -z "$(echo 'x:openmpi-5' | unknown "'$tutti' explain bcast -P 4 -s 8 --decision library:NAME")" ] && missing="this test finds nothing"
[ -z "$(echo 'x:openmpi-99' | unknown "'$tutti' lint --target NAME README.md")" ] && missing="this test finds nothing"
[ -z "$missing" ] && exit 0
echo "$missing" | sed 's/^/libraries.sh: no such library: /' >&2
exit 1
