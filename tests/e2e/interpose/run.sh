#!/bin/sh
# tutti run: the interposer of the program's library is found and preloaded, its variables reach the ranks, the exit status
# is that of the program; what is wrong is said before anything starts.
#
# usage: run.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need cc gcc
OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_mpi_yield_when_idle
flavors=
for flavor in mpich openmpi; do
  command -v mpicc.$flavor >/dev/null && [ -e "$build/$flavor/libtutti_mpi.so" ] && flavors="$flavors $flavor"
done
[ -n "$flavors" ] || { echo "skipped: no interposer for MPICH or Open MPI"; exit 77; }

cat >program.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
  static char buffer[1 << 10];
  char line[64] = "";
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 20; i++)
    MPI_Bcast(buffer, sizeof buffer, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (argc > 1 && strcmp(argv[1], "row") == 0) {
    static char both[2];
    MPI_Comm row;
    MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){2}, (int[]){0}, 0, &row);
    for (int i = 0; i < 2; i++)
      MPI_Neighbor_allgather(buffer, 1, MPI_CHAR, both, 1, MPI_CHAR, row);
    MPI_Comm_free(&row);
  }
  if (rank == 0 && argc > 2 && fgets(line, sizeof line, stdin))
    printf("read %s", line);
  MPI_Finalize();
  return argc > 1 ? atoi(argv[1]) : 0;
}
END
# A program that only its library is linked with MPI by, found by its own path.
echo 'int main(int argc, char **argv) { extern int inner(int, char **); return inner(argc, argv); }' >outer.c
printf 'bcast/binomial\n' >my.rules
cd "$place" || exit 1

launch() { # STATUS OPTIONS... -- COMMAND...
  wanted=$1
  shift
  timeout $PATIENCE "$tutti" run "$@" >out 2>err </dev/null
  code=$?
  [ $code -eq "$wanted" ] || die "run $*: status $code instead of $wanted: $(cat out err)"
}

for flavor in $flavors; do
  rm -rf "with space" && mkdir "with space"
  mpicc.$flavor -o "with space/program" program.c || die "the program does not compile"
  mpicc.$flavor -shared -fPIC -Dmain=inner -o libinner.so program.c && cc -o outer outer.c -L. -linner -Wl,-rpath,'$ORIGIN' ||
    die "the library does not compile"

  # The built-in rules; a decision; the library itself, of which a file decides some calls.
  launch 0 --verbose -- mpiexec.$flavor -n 2 "with space/program"
  expect '^tutti: 2 ranks, built-in rules$'
  expect '^tutti: +40 .* bcast/linear$'
  launch 0 --verbose --decision my.rules -- mpiexec.$flavor -n 2 "with space/program"
  expect "^tutti: 2 ranks, rules of $place/my.rules$"
  expect '^tutti: +40 .* bcast/binomial$'
  launch 0 --verbose --decision bcast/chain/256B -- mpiexec.$flavor -n 2 "with space/program"
  expect '^tutti: +40 .* bcast/chain/256B$'
  launch 0 --verbose --native -- mpiexec.$flavor -n 2 "with space/program"
  expect "^tutti: 2 ranks, the library's own choice$"
  expect '^tutti: +40 .* bcast passed through: by TUTTI_NATIVE$'
  launch 0 --verbose --native --decision my.rules -- mpiexec.$flavor -n 2 "with space/program"
  expect '^tutti: +40 .* bcast/binomial$'

  # Plug-ins are for the commands.
  TUTTI_PLUGINS=$place/none.so launch 2 -- mpiexec.$flavor -n 2 ./outer
  TUTTI_PLUGINS=$place/none.so LD_PRELOAD=$build/$flavor/libtutti_mpi.so TUTTI_VERBOSE=1 mpiexec.$flavor -n 2 ./outer >out 2>err </dev/null ||
    die "with TUTTI_PLUGINS: $(cat out err)"
  [ "$(grep -c 'the interposer loads no plug-ins' err)" -eq 1 ] || die "not said once: $(cat out err)"

  # Neighborhood collectives that cannot be combined: why, once.
  launch 0 --neighbors combining --verbose -- mpiexec.$flavor -n 2 "with space/program" row
  [ "$(grep -c 'of 2 ranks run linear, not combining: its neighbors are those of no stencil' err)" -eq 1 ] ||
    die "not said once: $(cat out err)"

  # By a library, and with a variable that is set already.
  TUTTI_BCAST=binomial TUTTI_VERBOSE=1 launch 0 -- mpiexec.$flavor -n 2 ./outer
  expect '^tutti: +40 .* bcast/binomial$'

  # Recorded: into this folder, wherever the ranks run.
  launch 0 --profile app.profile --trace app.trace --native -- mpiexec.$flavor -n 2 "with space/program"
  grep -q "^tutti-program .*program=program " app.profile || die "no profile: $(cat app.profile)"
  run 0 replay app.trace --platform grig_mx
  expect '^bcast +40 '
  launch 0 --adapt=found.rules -- mpiexec.$flavor -n 2 "with space/program"
  grep -q bcast found.rules || die "nothing was adapted: $(cat found.rules)"

  # The end of the program, and its input.
  launch 3 -- mpiexec.$flavor -n 2 "with space/program" 3
  echo words | timeout $PATIENCE "$tutti" run -- mpiexec.$flavor -n 2 "with space/program" 0 input >out 2>err
  grep -qx 'read words' out || die "no input: $(cat out err)"

  # What would run, as a shell reads it, runs.
  launch 0 --print --verbose -- mpiexec.$flavor -n 2 "with space/program"
  case $flavor in mpich) way="-genv TUTTI_VERBOSE 1" ;; *) way="-x TUTTI_VERBOSE=1" ;; esac
  expect "^mpiexec.$flavor .*LD_PRELOAD.*/$flavor/libtutti_mpi.so $way -n 2 'with space/program'$"
  timeout $PATIENCE sh ./out >run.out 2>run.err || die "the printed line fails: $(cat out run.out run.err)"
  grep -q '^tutti: 2 ranks' run.err || die "the printed line does not preload: $(cat run.err)"
  cp "with space/program" program.$flavor

  # Slurm: what would change srun itself is told, not set.
  launch 0 --print --native -- srun -n 2 ./program.$flavor
  expect "^env TUTTI_NATIVE=1 srun --export=ALL,LD_PRELOAD=[^ ]*/$flavor/libtutti_mpi.so -n 2 ./program.$flavor$"
  launch 2 -- srun --export=NONE -n 2 ./program.$flavor
  expect '^tutti: --export=NONE: tutti run says --export itself'
  launch 0 --print -- ./program.$flavor
  expect "^env LD_PRELOAD=[^ ]*/$flavor/libtutti_mpi.so ./program.$flavor$"
  LD_PRELOAD=libm.so.6 launch 0 --print -- ./program.$flavor
  expect "^env LD_PRELOAD=[^ ]*/$flavor/libtutti_mpi.so:libm.so.6 ./program.$flavor$"
done

# Several programs: Open MPI's -x is of one of them.
if [ -e program.openmpi ]; then
  launch 0 --verbose --decision bcast/binomial -- mpiexec.openmpi -n 1 ./program.openmpi : -n 1 ./program.openmpi
  expect '^tutti: +40 .* bcast/binomial$'
fi

# A script is started by the launcher of a library; another library's launcher is warned of.
if [ -e program.openmpi ] && [ -e program.mpich ]; then
  printf '#!/bin/sh\nexec ./program.mpich\n' >script && chmod +x script
  launch 0 --verbose -- mpiexec.mpich -n 2 ./script
  expect '^tutti: 2 ranks, built-in rules$'
  launch 0 --print -- mpiexec.openmpi -n 2 ./program.mpich
  expect 'warning: mpiexec.openmpi starts programs of Open MPI, and ./program.mpich is linked with MPICH'
  launch 0 --print --flavor mpich -- ./script
  expect '/mpich/libtutti_mpi.so ./script$'
fi

# --- refused before anything starts ---

printf '\177ELF' >cut && chmod +x cut
head -c 3000 "$tutti" >short && chmod +x short
for program in ./cut ./short ./my.rules true; do
  launch 2 -- $program
  expect '^tutti: .*: no word of the command is linked with an MPI library that is known: say which with --flavor'
done
launch 2 -- smpirun -np 2 ./short
expect '^tutti: smpirun: .*interpose.md'
launch 2 --
expect 'which command'
launch 2 --flavor lam -- true
expect "'lam' is none of mpich, openmpi, abi"
launch 2 --flavor mpich --build-dir nowhere -- true
expect '^tutti: nowhere/mpich/libtutti_mpi.so: not there'
flavor=${flavors##* }
launch 2 --flavor $flavor --decision missing.rules -- true
expect '^tutti: missing.rules: No such file'
launch 2 --flavor $flavor --decision my.rules --decision other.rules -- true
expect '^tutti: --decision other.rules: one file decides, and that is my.rules'
launch 2 --flavor $flavor --profile nowhere/app.profile -- true
expect 'nowhere'
launch 2 --flavor $flavor --profile my.rules --decision my.rules -- true
expect 'my.rules: would be replaced, and is the file of --decision, too'
launch 2 --flavor $flavor --candidates my.rules -- true
expect '--candidates goes with --adapt'
launch 2 --flavor $flavor -- ./is-not-there
expect '^tutti: cannot start ./is-not-there: No such file'
exit 0
