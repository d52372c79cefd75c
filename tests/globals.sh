#!/bin/sh
# No mutable globals in what is linked into MPI programs: all ranks of a simulation share one address space, so a
# variable would be shared by all ranks. Constants are allowed, relocated ones (.data.rel.ro) too. Two variables belong to
# the process, as the catalogue of algorithms does, and stand in a section of their own: the list of plug-ins, and where
# the command may read.
#
# usage: globals.sh OBJECT_OR_ARCHIVE...
set -u
command -v nm >/dev/null || { echo "skipped: no nm (Debian: apt-get install binutils)"; exit 77; }
[ $# -gt 0 ] || { echo "globals: no objects given" >&2; exit 2; }

# Columns of nm -f sysv: name, value, class, type, size, line, section; a header per file and member.
list() { # FILE: its mutable symbols; fails if it has none of any kind
  nm -A -f sysv "$1" 2>&1 | awk -F'|' '
    NF >= 7 {
      any = 1
      section = $7
      gsub(/[ \t]/, "", section)
      sub(/[ \t]+$/, "", $1)
      if (section ~ /^\.data\.rel\.ro/ || $1 ~ /:DW\.ref\.__gxx_personality_v0$/) # the latter C++ has and never writes
        next
      if (section == "tutti_process" && $1 !~ /(plugins\.c\.o:plugins|input_confine\.c\.o:confined)$/ && $4 !~ /SECTION|FILE/)
        print "globals: " $1 " in " section
      if (section ~ /^\.(t?data|t?bss|sdata|sbss|ldata|lbss)(\.|$)/ || section ~ /COM\*?$/)
        if ($4 !~ /SECTION|FILE/)
          print "globals: " $1 " in " section
    }
    END { exit !any }'
}

found=0
for file in "$@"; do
  symbols=$(list "$file") || { echo "globals: nm finds no symbols in $file" >&2; exit 2; }
  [ -z "$symbols" ] || { echo "$symbols" >&2; found=1; }
done
[ $found -eq 0 ] && echo "no mutable globals in $# objects and archives"
exit $found
