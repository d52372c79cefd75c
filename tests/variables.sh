#!/bin/sh
# Variables of the environment: the interposer refuses names that begin with TUTTI_ and are not in one list. That list has
# every name that a source reads, and each of its names is on the interposer's page.
#
# usage: variables.sh SOURCE_DIR
cd "$1" || exit 2
list=src/decision/libraries/tutti/variables.c page=docs/how-to/interpose.md
listed=$(grep -oE '"TUTTI_[A-Z_]+"' $list | tr -d '"')
read=$({
  grep -rhoE '"TUTTI_[A-Z_]+"' src bench --include="*.c" --include=steps.h
  grep -rhoE 'getenv\("TUTTI_[A-Z_]+"' tests
  grep -rhoE '\$\{?TUTTI_[A-Z_]+' .ci scripts tests bench --include=run --include='*.sh'
  grep -rhoE '^ +TUTTI_[A-Z_]+:' docs # workflows
} | grep -oE 'TUTTI_[A-Z_]+' | sort -u)
[ "$(echo "$read" | wc -l)" -gt 8 ] || { echo "variables.sh: hardly any variable is read: $read" >&2; exit 1; }

missing=$(
  for name in $read; do
    case $name in TUTTI_TEST_*) name=TUTTI_TEST_ ;; esac
    echo "$listed" | grep -qx "$name" || echo "$list: $name"
  done
  for name in $listed; do
    grep -q "\`$name" $page || echo "$page: $name"
  done
)
[ -z "$missing" ] && exit 0
echo "$missing" | sed 's/^/variables.sh: not in /' >&2
exit 1
