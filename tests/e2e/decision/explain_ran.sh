#!/bin/sh
# tutti run --ran and tutti explain --ran: what Open MPI did in each kind of call, told by its own messages, is what explain
# says of it; and where the library is told another algorithm, that is found.
#
# usage: explain_ran.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need mpicc.openmpi openmpi
[ -e "$build/openmpi/libtutti_mpi.so" ] || { echo 'skipped: not built for Open MPI'; exit 77; }

cat >sweep.c <<'C'
#include <mpi.h>
#include <stdlib.h>
/* Eight collectives at sizes from 1 element to 128 Ki, two calls each; a broadcast among some ranks. */
int main(int argc, char **argv)
{
  int rank, size;
  MPI_Comm some;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int most = 1 << 17;
  double *in = calloc((size_t)most * (size_t)size, sizeof *in), *out = calloc((size_t)most * (size_t)size, sizeof *out);
  for (int twice = 0; twice < 2; twice++)
    for (int n = 1; n <= most; n *= 8) {
      MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      MPI_Bcast(in, n, MPI_DOUBLE, 1, MPI_COMM_WORLD);
      MPI_Reduce(in, out, n, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
      MPI_Allgather(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, MPI_COMM_WORLD);
      MPI_Alltoall(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, MPI_COMM_WORLD);
      MPI_Gather(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
      MPI_Scatter(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
      MPI_Barrier(MPI_COMM_WORLD);
    }
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &some);
  MPI_Bcast(in, 8, MPI_DOUBLE, 0, some);
  MPI_Comm_free(&some);
  MPI_Finalize();
  free(in);
  free(out);
  return 0;
}
C
mpicc.openmpi sweep.c -o sweep || die "sweep.c is not compiled"
ranks=4
sweep() { # FILE VARIABLE=VALUE...: on $ranks
  file=$1
  shift
  env "$@" timeout "$PATIENCE" "$tutti" run --build-dir "$build" --ran "$file" -- mpiexec.openmpi --oversubscribe -n $ranks \
    ./sweep >out 2>err || die "sweep: $(cat out err)"
}

sweep ran.tsv
grep -q 'nothing is noted of 1 call that the library did' err || die "the call of some ranks: $(cat err)"
grep -q '^# OpenMPI-[0-9.]*$' ran.tsv || die "the library is not named: $(head -1 ran.tsv)"
[ "$(wc -l <ran.tsv)" -eq 45 ] || die "not 6 sizes of 7 collectives, and a barrier: $(cat ran.tsv)"
run 0 explain --ran ran.tsv --decision library:openmpi-4.1
grep -q ' another$' out && die 'another algorithm than explained'
expect '^allreduce +4 +8B +2 +8 .* as explained$'
# Persistent sends (alltoall/linear) are not told.
[ "$(grep -c ' as explained$' out)" -ge 40 ] || die "not as explained: $(cat out)"
[ "$(grep -c ' not told$' out)" -le 3 ] || die "too many are not known: $(cat out)"
grep ' not recognized$' out && die 'messages that no method sends'
run 0 explain bcast --ran ran.tsv --decision library:openmpi-4.1 --csv
[ "$(wc -l <out)" -eq 7 ] || die "not the broadcasts alone: $(cat out)"

# Told another algorithm by settings that explain does not see.
sweep told.tsv OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_allreduce_algorithm=4
run 1 explain allreduce --ran told.tsv --decision library:openmpi-4.1
expect ' allreduce/recursive-doubling +allreduce/ring +another$'

# What is found does not depend on the decision, nor are methods named that Open MPI does not have.
sweep told.tsv OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_allreduce_algorithm=1 \
  OMPI_MCA_coll_tuned_barrier_algorithm=6
linear=allreduce/reduce-bcast/reduce=linear/bcast=linear
for decision in library:openmpi-4.1 library:mpich-4.0 allreduce/ring; do
  run 1 explain allreduce --ran told.tsv --decision $decision
  [ "$(grep -c " $linear  another$" out)" -eq 6 ] || die "$decision: $(cat out)"
done
run 0 explain allreduce --ran told.tsv --decision $linear
[ "$(grep -c " $linear  as explained$" out)" -eq 6 ] || die "$linear: $(cat out)"
run 1 explain barrier --ran told.tsv --decision barrier/linear
expect ' barrier/linear +barrier/tree +another$'
run 1 explain allreduce --ran told.tsv # of what ran
grep -q 'the own choice of openmpi-' err || die "not the own choice of Open MPI: $(cat err)"
run 1 explain allreduce --ran told.tsv --decision library:mpich-4.0
grep -q 'warning: openmpi-.* ran, and explained is mpich-4.0' err || die "another library: $(cat err)"

# Messages of Open MPI's own code, where ours are others; also of ranks beyond a power of two, and of fewer elements.
for ranks in 4 6 7; do
  for bcast in 8 9; do
    sweep own.tsv OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_bcast_algorithm=$bcast \
      OMPI_MCA_coll_tuned_reduce_algorithm=6 OMPI_MCA_coll_tuned_reduce_algorithm_segmentsize=$((bcast * 1024)) \
      OMPI_MCA_coll_tuned_barrier_algorithm=6 OMPI_MCA_coll_tuned_gather_algorithm=3
    for told in bcast/scatter-recursive-doubling bcast/scatter-ring reduce/in-order-binary/$((bcast))KB barrier/tree gather/linear-sync; do
      case $bcast$told in
      8bcast/scatter-ring | 9bcast/scatter-recursive*) continue ;;
      esac
      run 0 explain ${told%%/*} --ran own.tsv --decision $told
      grep -Eq ' as explained$' out || die "$told on $ranks ranks: $(cat out)"
      grep -Ev ' as explained$|^collective |^as explained|^$' out && die "$told on $ranks ranks: $(cat out)"
    done
  done
done
ranks=4

# On 4 ranks a 4-ary tree is linear: as explained, by what Open MPI calls it.
run 0 explain allreduce --ran told.tsv --decision allreduce/k-ary
[ "$(grep -c " allreduce/k-ary  $linear  as explained$" out)" -eq 6 ] || die "a 4-ary tree: $(cat out)"

for other in mpich-4.0.2 tutti openmpi-1.0 openmpi-5.0.7; do # only Open MPI can have run
  sed "1s/.*/# $other/" told.tsv >other.tsv
  run 1 explain allreduce --ran other.tsv --decision library:openmpi-4.1
  [ "$(grep -c " $linear  another$" out)" -eq 6 ] || die "of $other: $(cat out)"
done

# What cannot be read, and a library that tells nothing.
sed '3s/\t0\t/\tx\t/' ran.tsv >bad.tsv
run 2 explain --ran bad.tsv
expect 'bad.tsv:3: not a row of such a file'
echo 'collective ranks' >bad.tsv
run 2 explain --ran bad.tsv
expect 'bad.tsv:1: not the heading of a file that TUTTI_RAN writes'
run 2 explain allreduce --ran ran.tsv -P 4 -s 8
expect 'the file says the calls'
run 2 explain
expect 'which collective'
sweep none.tsv OMPI_MCA_pml_monitoring_enable=0
grep -q 'TUTTI_RAN: no file: the library told nothing' err || die "not said: $(cat err)"
echo '1 passed, 0 failed'
