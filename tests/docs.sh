#!/bin/sh
# Documentation: every link of a page, and every file and function of this project that a page names, exists; the index
# has every page.
#
# usage: docs.sh SOURCE_DIR
cd "$1" || exit 2
pages=$(find README.md docs experiments/README.md platforms/README.md bench/README.md -name '*.md')
missing=$(for page in $pages; do
  folder=$(dirname "$page")
  grep -oE '\]\([^)#:]+[)#]' "$page" | sed 's/^](//; s/[)#]$//' | while read -r link; do
    [ -e "$folder/$link" ] || echo "$page: link to $link"
  done
  # What a fenced block shows may be made by the reader.
  awk '/^```/ { fenced = !fenced } !fenced' "$page" >"${TMPDIR:-/tmp}/docs.$$"
  grep -oE '(^|[^A-Za-z0-9_./-])(src|include|tests|docs|scripts|bench|plots|cmake|experiments|packaging|python)/[A-Za-z0-9_./-]*[A-Za-z0-9_](/|[^A-Za-z0-9_*]|$)' \
    "${TMPDIR:-/tmp}/docs.$$" | sed 's/^[^a-z]//; s/[^A-Za-z0-9_]$//' | sort -u |
    grep -vE '/(ROOM|NAME|COLLECTIVE)' | while read -r path; do
    [ -e "$path" ] || echo "$page: file $path"
  done
  grep -oE '`tutti_[a-z0-9_]+\(\)`' "${TMPDIR:-/tmp}/docs.$$" | tr -d '`()' | sort -u | while read -r name; do
    grep -rqE "\b$name\(" src include || grep -rqE ", $name[,)]" src --include='*.def' || echo "$page: function $name()"
  done
  rm -f "${TMPDIR:-/tmp}/docs.$$"
done
for page in docs/*/*.md; do
  grep -qF "(${page#docs/})" docs/README.md || echo "docs/README.md: no link to $page"
done)
[ -z "$missing" ] && exit 0
echo "$missing" | sed 's/^/docs.sh: not found: /' >&2
exit 1
