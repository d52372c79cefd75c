#!/bin/sh
# Run an MPI test program with every rank under valgrind: valgrind.sh FLAVOR RANKS PROGRAM SOURCE_DIR
set -u
flavor=$1 ranks=$2 program=$3 source=$4
command -v valgrind >/dev/null || { echo "skipped: no valgrind (Debian: apt-get install valgrind)"; exit 77; }
exec sh "$source/tests/mpi/run.sh" "$flavor" "$ranks" "$program" "$source" \
  valgrind --quiet --num-callers=40 --leak-check=full --errors-for-leak-kinds=definite --error-exitcode=99 \
  --suppressions="$source/tests/mpi/$flavor.supp"
