#!/bin/sh
# The commands of docs/how-to/interpose.md that go from a program to the points that it calls, to tutti compare at these,
# and to what a tuning file wins for the program.
#
# usage: own_program.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need mpicc.openmpi openmpi
[ -e "$build/openmpi/libtutti_mpi.so" ] || { echo "skipped: no interposer for Open MPI"; exit 77; }
ln -s "$build" build
PATH=$build:$PATH
OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export PATH OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_mpi_yield_when_idle

cat >program.c <<'END'
#include <mpi.h>

int main(int argc, char **argv)
{
  static char buffer[1 << 20];
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 60; i++) {
    MPI_Bcast(buffer, sizeof buffer, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(buffer, 1 << 10, MPI_CHAR, 0, MPI_COMM_WORLD);
  }
  return MPI_Finalize();
}
END
mpicc.openmpi -o program program.c || die "the program does not compile"

# Segments of 1 KB of messages of 1 MB: a thousand messages in place of a few.
printf '1\n7\n1\n0\n2\n0 0 0 0\n1048576 2 1 1024\n' >my.rules

page=$source/docs/how-to/interpose.md
commands() { # NUMBER: the block of commands of the section
  awk -v wanted="$1" '/^## / { inside = /What a tuning file wins/ } /^```$/ { printed = 0 } printed { print }
    inside && /^```sh/ { printed = ++count == wanted }' "$page"
}

commands 1 | sed 's/^tutti compare .*/& --platform here --oversubscribe --rounds 10 --repetitions 60 -q >compared/' >first.sh
commands 2 >second.sh
grep -q compare first.sh && grep -q mpiexec second.sh || die "the page has no such commands"

gain() {
  rm -f ./*.db*
  # 1: the file loses somewhere
  sh ./first.sh >out 2>err
  [ $? -eq 1 ] && grep -Eq '^bcast +2 +1MB .* lost$' compared || return 1
  # in place of no file the bad one, so that the mended one wins
  OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename=$PWD/my.rules TUTTI_VERBOSE=1 \
    TUTTI_BCAST=native sh ./second.sh >turns
  [ "$(grep -c ': median [0-9.]* s, from [0-9.]* to [0-9.]*$' turns)" -eq 4 ] &&
    awk '/^all collectives/ { median[$3] = $7 } /of 10 turns/ && ++n == 1 { won = $5 }
      END { exit !(median["with"] > 0 && median["with"] < median["without"] && won >= 9) }' turns
}

retry 5 "the program gains by the mended file" gain || die "$(cat out err report compared turns)"
grep -Eqx 'tutti:   --collective bcast -P 2 -s 1KB,1MB' report || die "not the points of the program: $(cat report)"
cat turns
