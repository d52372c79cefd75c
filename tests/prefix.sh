#!/bin/sh
# Every symbol that an installed library exports begins with tutti_.
#
# usage: prefix.sh ARCHIVE...
set -eu
command -v nm >/dev/null || { echo "skipped: no nm (Debian: apt-get install binutils)"; exit 77; }
nm -A -g --defined-only "$@" | awk '
  NF >= 3 && $NF == "DW.ref.__gxx_personality_v0" { next } # C++ has it in each object
  NF >= 3 && $NF !~ /^tutti_/ { print "prefix: " $NF " in " $1; failed = 1 }
  NF >= 3 { symbols++ }
  END {
    if (!symbols) { print "prefix: no symbols"; failed = 1 }
    if (!failed) print symbols " symbols, all begin with tutti_"
    exit failed
  }'
