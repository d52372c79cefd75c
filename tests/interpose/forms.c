/* The other forms of the collectives: nonblocking, persistent, of neighbors, and with counts of MPI_Count. Answers are
   checked; the interposer's report is looked at by run.sh. */
#include <mpi.h>
#include <sys/mman.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#include "checks.h"

enum { COUNT = 5, MAX_RANKS = 8 };

/* Rank 0 is in a receive when the others complete the broadcast, which it starts as soon as it can. */
static void nonblocking(MPI_Comm comm)
{
  int rank, size, data[COUNT], sum[COUNT], own[COUNT], both[COUNT], word = -1;
  MPI_Request requests[3];
  MPI_Status statuses[3]; /* gcc takes MPICH's MPI_STATUSES_IGNORE for too short an array */
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  fill(data, rank == 0 ? 70 : -1, COUNT);
  fill(own, rank, COUNT);
  fill(both, rank, COUNT);
  MPI_Ibcast(data, COUNT, MPI_INT, 0, comm, &requests[0]);
  if (rank == 0)
    MPI_Recv(&word, 1, MPI_INT, size - 1, 0, comm, MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  if (rank == size - 1)
    MPI_Send(data, 1, MPI_INT, 0, 0, comm);
  check(holds(data, 70, COUNT) && (rank > 0 || word == 70), "MPI_Ibcast");
  MPI_Iallreduce(own, sum, COUNT, MPI_INT, MPI_SUM, comm, &requests[0]);
  MPI_Ibarrier(comm, &requests[1]);
#ifdef SMPI_HELPERS_H /* SMPI 3.32 forgets the own data in place */
  MPI_Iallreduce((int[COUNT]){rank, rank + 1, rank + 2, rank + 3, rank + 4}, both, COUNT, MPI_INT, MPI_SUM, comm,
                 &requests[2]);
#else
  MPI_Iallreduce(MPI_IN_PLACE, both, COUNT, MPI_INT, MPI_SUM, comm, &requests[2]);
#endif
  MPI_Waitall(3, requests, statuses);
  for (int i = 0; i < COUNT; i++)
    check(sum[i] == size * (size - 1) / 2 + size * i && both[i] == sum[i], "MPI_Iallreduce");
}

static void gathers(MPI_Comm comm)
{
  int rank, size, own[COUNT], all[MAX_RANKS * COUNT], counts[MAX_RANKS], places[MAX_RANKS], good = 1;
  MPI_Request request;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  fill(own, 100 * rank, COUNT);
  for (int r = 0; r < size; r++) {
    counts[r] = COUNT;
    places[r] = r * COUNT;
  }
  MPI_Iallgatherv(own, COUNT, MPI_INT, all, counts, places, MPI_INT, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int r = 0; r < size; r++)
    good = good && holds(all + r * COUNT, 100 * r, COUNT);
  check(good, "MPI_Iallgatherv");
}

#if MPI_VERSION >= 4
#define INIT(name) MPI_##name##_init
#elif defined OMPI_HAVE_MPI_EXT_PCOLLREQ
#define INIT(name) MPIX_##name##_init
#endif

#ifdef INIT
static void persistent(MPI_Comm comm)
{
  int rank, size, data[COUNT], word, sum;
  MPI_Request requests[3];
  MPI_Status statuses[3]; /* gcc takes MPICH's MPI_STATUSES_IGNORE for too short an array */
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  INIT(Bcast)(data, COUNT, MPI_INT, size - 1, comm, MPI_INFO_NULL, &requests[0]);
  INIT(Allreduce)(&word, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &requests[1]);
  INIT(Barrier)(comm, MPI_INFO_NULL, &requests[2]);
  for (int i = 0; i < 3; i++) {
    fill(data, rank == size - 1 ? 1000 * i : -1, COUNT);
    word = rank + i;
    MPI_Startall(3, requests);
    MPI_Waitall(3, requests, statuses);
    check(holds(data, 1000 * i, COUNT), "a persistent broadcast");
    check(sum == size * (size - 1) / 2 + size * i, "a persistent allreduce");
  }
  for (int i = 0; i < 3; i++)
    MPI_Request_free(&requests[i]);
}
#endif

#ifndef SMPI_HELPERS_H /* which has the functions, but says that they are not implemented */
/* A ring: from the left and the right neighbor. */
static void neighbors(MPI_Comm comm)
{
  int rank, size, periodic = 1, left, right, own[COUNT], both[2 * COUNT], counts[2] = {COUNT, COUNT},
                  places[2] = {COUNT, 0}, different[2] = {1, 2}, from[3] = {7, 8, 9}, to[3] = {-1, -1, -1};
  MPI_Comm ring;
  MPI_Request request;
  MPI_Comm_size(comm, &size);
  MPI_Cart_create(comm, 1, &size, &periodic, 0, &ring);
  MPI_Comm_rank(ring, &rank);
  MPI_Cart_shift(ring, 0, 1, &left, &right);
  fill(own, 100 * rank, COUNT);
  MPI_Neighbor_allgather(own, COUNT, MPI_INT, both, COUNT, MPI_INT, ring);
  check(holds(both, 100 * left, COUNT) && holds(both + COUNT, 100 * right, COUNT), "MPI_Neighbor_allgather");
  MPI_Neighbor_allgatherv(own, COUNT, MPI_INT, both, counts, places, MPI_INT, ring);
  check(holds(both, 100 * right, COUNT) && holds(both + COUNT, 100 * left, COUNT), "MPI_Neighbor_allgatherv");
  if (size > 2) /* else both neighbors are the same, and libraries differ in which block is whose */
    MPI_Ineighbor_alltoallv(from, different, (int[2]){0, 1}, MPI_INT, to, (int[2]){2, 1}, (int[2]){1, 0}, MPI_INT, ring,
                            &request);
  if (size > 2)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  check(size <= 2 || (to[0] == 7 && to[1] == 8 && to[2] == 9), "MPI_Ineighbor_alltoallv");
  MPI_Comm_free(&ring);
}
#endif

#if MPI_VERSION >= 4

static void regular_counts(MPI_Comm comm)
{
  int rank, size, own[COUNT], all[MAX_RANKS * COUNT], good = 1, sum[COUNT];
  const MPI_Count count = COUNT;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int call = 0; call < 3; call++) {
    fill(own, rank == 1 ? 70 : -1, COUNT);
    MPI_Bcast_c(own, count, MPI_INT, 1, comm);
    check(holds(own, 70, COUNT), "MPI_Bcast_c");
    fill(own, 100 * rank, COUNT);
    MPI_Allgather_c(own, count, MPI_INT, all, count, MPI_INT, comm);
    for (int r = 0; r < size; r++)
      good = good && holds(all + r * COUNT, 100 * r, COUNT);
    check(good, "MPI_Allgather_c");
    MPI_Allreduce_c(own, sum, count, MPI_INT, MPI_MAX, comm);
    check(holds(sum, 100 * (size - 1), COUNT), "MPI_Allreduce_c");
  }
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  check(MPI_Bcast_c(own, -1, MPI_INT, 0, comm) != MPI_SUCCESS, "MPI_Bcast_c of a negative count");
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
}

/* The same arrays of int and of MPI_Count, after each other: neither call may be taken for the other one. */
static void irregular_counts(MPI_Comm comm)
{
  int rank, size, own[COUNT], all[MAX_RANKS * COUNT], short_counts[MAX_RANKS], short_places[MAX_RANKS], good = 1;
  MPI_Count counts[MAX_RANKS];
  MPI_Aint places[MAX_RANKS];
  MPI_Datatype types[MAX_RANKS];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int r = 0; r < size; r++) {
    counts[r] = short_counts[r] = 1 + r % COUNT;
    places[r] = short_places[r] = r * COUNT;
    types[r] = MPI_INT;
  }
  fill(own, 100 * rank, COUNT);
  for (int call = 0; call < 3; call++) {
    memset(all, 0, sizeof all);
    MPI_Allgatherv_c(own, counts[rank], MPI_INT, all, counts, places, MPI_INT, comm);
    for (int r = 0; r < size; r++)
      good = good && holds(all + r * COUNT, 100 * r, (int)counts[r]) &&
             (counts[r] == COUNT || all[r * COUNT + short_counts[r]] == 0);
    memset(all, 0, sizeof all);
    MPI_Allgatherv(own, short_counts[rank], MPI_INT, all, short_counts, short_places, MPI_INT, comm);
    for (int r = 0; r < size; r++)
      good = good && holds(all + r * COUNT, 100 * r, short_counts[r]);
    MPI_Gatherv_c(own, counts[rank], MPI_INT, all, counts, places, MPI_INT, 0, comm);
    memset(own, 0, sizeof own);
    MPI_Scatterv_c(all, counts, places, MPI_INT, own, counts[rank], MPI_INT, 0, comm);
    good = good && holds(own, 100 * rank, (int)counts[rank]);
    fill(own, 100 * rank, COUNT);
  }
  check(good, "MPI_Allgatherv_c, MPI_Gatherv_c, MPI_Scatterv_c");
  for (int r = 0; r < size; r++) {
    counts[r] = 1;
    places[r] = r * (MPI_Aint)sizeof(int);
    all[r] = 10 * rank + r;
  }
  MPI_Alltoallw_c(MPI_IN_PLACE, NULL, NULL, NULL, all, counts, places, types, comm);
  for (int r = 0; r < size; r++)
    check(all[r] == 10 * r + rank, "MPI_Alltoallw_c in place");
  for (int r = 0; r < size; r++)
    all[r] = r;
  MPI_Reduce_scatter_c(all, own, counts, MPI_INT, MPI_SUM, comm);
  check(own[0] == rank * size, "MPI_Reduce_scatter_c");
}

/* Displacements that int cannot hold, in memory of which only the blocks are touched; nonblocking and persistent, too.
 */
static void far_apart(MPI_Comm comm)
{
  const MPI_Aint apart = (MPI_Aint)3 << 30;
  int rank, size, good = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const size_t bytes = (size_t)apart * (size_t)size;
  char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0), own;
  MPI_Count counts[MAX_RANKS];
  MPI_Aint places[MAX_RANKS];
  MPI_Request request;
  if (memory == MAP_FAILED)
    return;
  for (int r = 0; r < size; r++) {
    counts[r] = 1;
    places[r] = r * apart;
  }
  for (int form = 0; form < 3; form++) {
    own = (char)(rank + form);
    if (form == 0)
      MPI_Allgatherv_c(&own, 1, MPI_CHAR, memory, counts, places, MPI_CHAR, comm);
    else if (form == 1)
      MPI_Iallgatherv_c(&own, 1, MPI_CHAR, memory, counts, places, MPI_CHAR, comm, &request);
    else
      MPI_Allgatherv_init_c(&own, 1, MPI_CHAR, memory, counts, places, MPI_CHAR, comm, MPI_INFO_NULL, &request);
    if (form == 2)
      MPI_Start(&request);
    if (form > 0)
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (form == 2)
      MPI_Request_free(&request);
    for (int r = 0; r < size; r++)
      good = good && memory[r * apart] == r + form;
  }
  check(good, "displacements beyond 2^31");
  munmap(memory, bytes);
}

/* Rank 1 gives addresses where the others give places in their buffers. */
static void addresses(MPI_Comm comm)
{
  const MPI_Count bytes = sizeof(int);
  int rank, size, own, all[MAX_RANKS];
  MPI_Count counts[MAX_RANKS];
  MPI_Aint places[MAX_RANKS], start = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  void *base = rank == 1 ? MPI_BOTTOM : (void *)all;
  if (rank == 1)
    MPI_Get_address(all, &start);
  for (int r = 0; r < size; r++) {
    counts[r] = bytes;
    places[r] = start + r * bytes;
  }
  for (int call = 0; call < 3; call++) {
    memset(all, -1, sizeof all);
    own = rank + call;
    MPI_Allgatherv_c(&own, bytes, MPI_BYTE, base, counts, places, MPI_BYTE, comm);
    check(holds(all, call, size), "MPI_Allgatherv_c to addresses");
    own = 20 + rank;
    MPI_Gatherv_c(&own, bytes, MPI_BYTE, base, counts, places, MPI_BYTE, 1, comm);
    check(rank != 1 || holds(all, 20, size), "MPI_Gatherv_c to addresses");
    own = -1;
    MPI_Scatterv_c(base, counts, places, MPI_BYTE, &own, bytes, MPI_BYTE, 1, comm);
    check(own == 20 + rank, "MPI_Scatterv_c from addresses");
    fill(all, 10 * rank, size);
    MPI_Alltoallv_c(MPI_IN_PLACE, NULL, NULL, MPI_BYTE, base, counts, places, MPI_BYTE, comm);
    for (int r = 0; r < size; r++)
      check(all[r] == 10 * r + rank, "MPI_Alltoallv_c at addresses");
  }
}

#endif

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  nonblocking(MPI_COMM_WORLD);
  gathers(MPI_COMM_WORLD);
#ifdef INIT
  persistent(MPI_COMM_WORLD);
#endif
#ifndef SMPI_HELPERS_H
  neighbors(MPI_COMM_WORLD);
#endif
#if MPI_VERSION >= 4
  regular_counts(MPI_COMM_WORLD);
  irregular_counts(MPI_COMM_WORLD);
  far_apart(MPI_COMM_WORLD);
  addresses(MPI_COMM_WORLD);
#endif
  return end_checks();
}
