#!/bin/sh
# Messages above 2^31 bytes on two ranks: large.sh FLAVOR PROGRAM SOURCE_DIR
set -u
available=$(awk '/^MemAvailable:/ {print int($2 / 1048576)}' /proc/meminfo)
[ "$available" -ge 12 ] || { echo "skipped: $available GiB of memory available, 12 are needed"; exit 77; }
exec sh "$3/tests/mpi/run.sh" "$1" 2 "$2" "$3"
