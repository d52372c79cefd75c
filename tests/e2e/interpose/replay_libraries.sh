#!/bin/sh
# Traces of programs on MPICH and Open MPI: calls of which only the time is known, communicators of MPI_Comm_idup, what a
# trace does not have, and a program that spills.
#
# usage: replay_libraries.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

cat >many.c <<'C'
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/* Two ranks whose communicators of MPI_Comm_idup are first used in another order than they were made. */
static void use_later(int rank)
{
  MPI_Comm made[2];
  MPI_Request requests[2];
  MPI_Status statuses[2];
  char word[2] = "";
  for (int i = 0; i < 2; i++)
    MPI_Comm_idup(MPI_COMM_WORLD, &made[i], &requests[i]);
  MPI_Waitall(2, requests, statuses);
  for (int i = 0; i < 2; i++)
    if (rank == 0)
      MPI_Isend(&word[i], 1, MPI_CHAR, 1, i, made[i], &requests[i]);
    else
      MPI_Irecv(&word[i], 1, MPI_CHAR, 0, 1 - i, made[1 - i], &requests[i]);
  MPI_Waitall(2, requests, statuses);
}

/* What a trace does not record; a matched probe takes a message from the trace, of which the send alone is there. */
static void use_more(int rank)
{
  MPI_Comm other;
  MPI_Request requests[2];
  MPI_Win window;
  MPI_File file;
  MPI_Message message;
  char word[2] = "";
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN); /* no windows on one rank in Open MPI */
  if (MPI_Win_create(word, 1, 1, MPI_INFO_NULL, MPI_COMM_SELF, &window) == MPI_SUCCESS)
    MPI_Win_free(&window);
  if (MPI_File_open(MPI_COMM_SELF, "many.c", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS)
    MPI_File_close(&file);
  MPI_Isend(word, 1, MPI_CHAR, 0, 1, MPI_COMM_SELF, &requests[0]);
  MPI_Mprobe(0, 1, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(word + 1, 1, MPI_CHAR, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Irecv(word, 1, MPI_CHAR, 0, 2, MPI_COMM_SELF, &requests[1]);
  MPI_Cancel(&requests[1]);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 3, &other);
  MPI_Sendrecv(word, 1, MPI_CHAR, 0, 4, word + 1, 1, MPI_CHAR, 0, 4, other, MPI_STATUS_IGNORE);
  MPI_Comm_free(&other);
}

#if MPI_VERSION >= 4
#define INIT(name) MPI_##name##_init
#else
#include <mpi-ext.h>
#define INIT(name) MPIX_##name##_init
#endif

/* Two collectives under way while a message goes, which the one rank sends before it begins them and the other one
   receives after that; persistent ones that ranks start in different orders; those of neighbors in all forms. `early`:
   the communicator is freed before one is started, which Open MPI 4.1 itself does not survive. */
static void use_forms(int rank, int early)
{
  enum { COUNT = 100 };
  int data[COUNT] = {0}, word = rank, sum = 0, both[2 * COUNT], counts[2] = {1, 2}, places[2] = {0, 1};
  MPI_Comm ring;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  if (rank == 1)
    MPI_Send(&word, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
  MPI_Ibcast(data, COUNT, MPI_INT, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Iallreduce(&word, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
  if (rank == 0)
    MPI_Recv(&word, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&requests[rank], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[1 - rank], MPI_STATUS_IGNORE);
  INIT(Bcast)(data, COUNT, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  INIT(Allreduce)(&word, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  for (int i = 0; i < 3; i++) {
    MPI_Start(&requests[rank]);
    MPI_Start(&requests[1 - rank]);
    MPI_Waitall(2, requests, statuses);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){2}, (int[]){0}, 0, &ring);
  MPI_Neighbor_allgather(data, COUNT, MPI_INT, both, COUNT, MPI_INT, ring);
  MPI_Ineighbor_alltoallv(data, counts, places, MPI_INT, both, (int[]){2, 1}, (int[]){0, 2}, MPI_INT, ring,
                          &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  INIT(Neighbor_alltoall)(data, 2, MPI_INT, both, 2, MPI_INT, ring, MPI_INFO_NULL, &requests[0]);
  if (early)
    MPI_Comm_free(&ring);
  for (int i = 0; i < 4; i++) {
    MPI_Start(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&requests[0]);
  if (!early)
    MPI_Comm_free(&ring);
}

/* Persistent messages whose communicator and datatype are freed before they are started. */
static void use_freed(int rank)
{
  int own = rank, other = 0;
  MPI_Comm turned;
  MPI_Datatype type;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
  MPI_Type_contiguous(1, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Send_init(&own, 1, type, rank, 8, turned, &requests[0]); /* to the other one */
  MPI_Recv_init(&other, 1, type, MPI_ANY_SOURCE, 8, turned, &requests[1]);
  MPI_Type_free(&type);
  MPI_Comm_free(&turned);
  for (int i = 0; i < 2; i++) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, statuses);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

static void *receive(void *word)
{
  MPI_Recv(word, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return NULL;
}

/* Rank 0 is in two calls: the one that ends first waits for what the other one sends. */
static void use_threads(int rank)
{
  char word = 0, got = 0, other = 0;
  pthread_t thread;
  if (rank == 1) {
    MPI_Recv(&word, 1, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&word, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    usleep(300000);
    MPI_Send(&word, 1, MPI_CHAR, 0, 3, MPI_COMM_WORLD);
    return;
  }
  pthread_create(&thread, NULL, receive, &other);
  MPI_Sendrecv(&word, 1, MPI_CHAR, 1, 2, &got, 1, MPI_CHAR, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  pthread_join(thread, NULL);
}

/* Two threads take turns, if they are told to: another one makes every second call. */
static void *meet(void *unused)
{
  MPI_Barrier(MPI_COMM_WORLD);
  return unused;
}

static void take_turns(bool others)
{
  pthread_t thread;
  for (int i = 0; i < 4; i++)
    if (others && i % 2 && pthread_create(&thread, NULL, meet, NULL) == 0)
      pthread_join(thread, NULL);
    else
      meet(NULL);
}

/* A probe that finds a message does not wait: rank 1 is busy with them. */
static void probe(int rank)
{
  char word = 0;
  int found = 0;
  if (rank == 0)
    MPI_Send(&word, 1, MPI_CHAR, 1, 5, MPI_COMM_WORLD);
  while (rank == 1 && !found)
    MPI_Iprobe(0, 5, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  const double begun = MPI_Wtime();
  for (int i = 0; rank == 1 && i < 100000; i++)
    MPI_Iprobe(0, 5, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  if (rank == 1) {
    printf("probed %.9f\n", MPI_Wtime() - begun);
    MPI_Recv(&word, 1, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char **argv)
{
  double from = 1, to;
  int rank, level = argc > 1 && *argv[1] == 't'   ? MPI_THREAD_MULTIPLE
                    : argc > 1 && *argv[1] == 's' ? MPI_THREAD_SERIALIZED
                                                  : MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, level, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1 && *argv[1] == 'p') {
    probe(rank);
    return MPI_Finalize();
  }
  if (argc > 1 && *argv[1] == 'f') {
    use_forms(rank, argc > 2 && *argv[2] == '1');
    use_freed(rank);
    return MPI_Finalize();
  }
  if (argc > 1 && *argv[1] == 't') {
    use_threads(rank);
    return MPI_Finalize();
  }
  if (argc > 1 && *argv[1] == 's') {
    take_turns(argv[1][1] == 't');
    return MPI_Finalize();
  }
  use_later(rank);
  if (argc > 1)
    use_more(rank);
  for (int i = 0; i < 6000; i++)
    MPI_Allreduce(&from, &to, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 3; i++)
    MPI_Barrier(MPI_COMM_SELF);
  return MPI_Finalize();
}
C
for flavor in mpich openmpi; do
  [ -e "$build/$flavor/libtutti_mpi.so" ] && command -v mpicc.$flavor >/dev/null || continue
  mpicc.$flavor -pthread -o many.$flavor many.c || die "the program does not compile for $flavor"
  OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 TUTTI_TRACE=many.trace TUTTI_BARRIER=native \
    mpiexec.$flavor -n 2 env LD_PRELOAD="$build/$flavor/libtutti_mpi.so" ./many.$flavor >out 2>&1 ||
    die "$flavor: $(cat out)"
  run 0 replay many.trace --platform grig_mx --json
  expect '"ranks": 2, "unknown_calls": 6, .*"unmatched_messages": 0,'
  expect '^ "unrecorded": \[\],'
  expect '"collective": "allreduce", "calls": 12000, "messages": 12000,'
  [ ! -e many.trace.0 ] && [ ! -e many.trace.1 ] || die "$flavor: files of ranks are left"
  OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 TUTTI_TRACE=more.trace TUTTI_VERBOSE=1 \
    mpiexec.$flavor -n 2 env LD_PRELOAD="$build/$flavor/libtutti_mpi.so" ./many.$flavor more >out 2>&1 ||
    die "$flavor: $(cat out)"
  expect '^tutti: not in the trace: one-sided communication$'
  run 0 replay more.trace --platform grig_mx
  expect '^Of 4 messages one end alone was recorded: left out.$'
  for word in 'one-sided communication' 'files of MPI' 'matched probes .MPI_Mprobe.' 'cancelled messages' \
    'messages on communicators .* intercommunicators'; do
    expect "^The program used what a trace does not record: $word\.$"
  done
  run 0 replay more.trace --platform grig_mx --json
  expect '"unmatched_messages": 4,'
  expect '^ "unrecorded": \["one-sided communication", "files of MPI", .*intercommunicators"\],'
  near=native
  for served in 0 1; do # messages: one, those of the neighbors, of binomial trees and exchanges, and persistent ones
    OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 TUTTI_TRACE=forms.trace TUTTI_NONBLOCKING=$served \
      TUTTI_NEIGHBORS=$near TUTTI_VERBOSE=1 mpiexec.$flavor -n 2 env LD_PRELOAD="$build/$flavor/libtutti_mpi.so" \
      ./many.$flavor forms $served >out 2>&1 || die "$flavor: $(cat out)"
    grep -q 'not in the trace' out && die "$flavor: $(cat out)"
    run 0 replay forms.trace --platform grig_mx --json --decision bcast/binomial --decision allreduce/recursive-doubling
    expect '"ranks": 2, "unknown_calls": 0, .*"unmatched_messages": 0,'
    expect '^ "unrecorded": \[\],'
    expect '"collective": "bcast", "calls": 8, "messages": 4, "sent_B": 1600,'
    expect '"collective": "allreduce", "calls": 8, "messages": 8, "sent_B": 32,'
    expect '"collective": "messages", "calls": 34, "messages": 17, "sent_B": 896,'
    expect 'collectives of neighbors are priced as a message to each neighbor'
    near=linear
  done
  OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 TUTTI_TRACE=threads.trace TUTTI_VERBOSE=1 \
    mpiexec.$flavor -n 2 env LD_PRELOAD="$build/$flavor/libtutti_mpi.so" ./many.$flavor threads >out 2>&1 ||
    die "$flavor: $(cat out)"
  expect '^tutti: not in the trace: which calls of several threads were under way at the same time$'
  run 2 replay threads.trace --platform grig_mx
  expect 'waits for ever; the program used what a trace does not record: which calls of several threads were'
  for turns in st ss; do
    OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 TUTTI_TRACE=$turns.trace TUTTI_VERBOSE=1 \
      mpiexec.$flavor -n 2 env LD_PRELOAD="$build/$flavor/libtutti_mpi.so" ./many.$flavor $turns >out 2>&1 ||
      die "$flavor: $(cat out)"
    case $turns in
    st) expect '^tutti: not in the trace: which of several threads that take turns made a call' ;;
    *) grep 'not in the trace' out && die "$flavor: one thread alone takes no turns" ;;
    esac
    run 0 replay $turns.trace --platform grig_mx
    grep -q 'several threads that take turns' out || [ $turns = ss ] || die "$flavor: turns are not said: $(cat out)"
  done
  OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 TUTTI_TRACE=probed.trace \
    mpiexec.$flavor -n 2 env LD_PRELOAD="$build/$flavor/libtutti_mpi.so" ./many.$flavor probe >probed 2>&1 ||
    die "$flavor: $(cat probed)"
  run 0 replay probed.trace --platform grig_mx --json
  computed=$(sed -n 's/.*"compute_s": \([^,]*\),.*/\1/p' out)
  awk -v computed="$computed" '$1 == "probed" { found = 1; late = 2 * computed < 0.9 * $2 }
    END { exit !(found && !late) }' probed || die "$flavor: $(cat probed), of which is computation: $computed"
  TUTTI_TRACE=none/trace mpiexec.$flavor -n 2 env LD_PRELOAD="$build/$flavor/libtutti_mpi.so" ./many.$flavor >out 2>&1
  grep -q 'TUTTI_TRACE: none/trace: No such file' out || die "$flavor: a file that cannot be written: $(cat out)"
done
echo '1 passed, 0 failed'
