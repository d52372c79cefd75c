/* Nonblocking and persistent collectives: every one of them; several at a time; and ranks that wait in other functions
   of MPI for one that the library could not go on with alone. Answers are checked; run.sh looks at the report. */
#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#include "checks.h"

#if MPI_VERSION >= 4
#define INIT(name)         MPI_##name##_init
#define LIBRARY_INIT(name) PMPI_##name##_init
#else
#define INIT(name)         MPIX_##name##_init
#define LIBRARY_INIT(name) PMPIX_##name##_init
#endif

enum { COUNT = 300, MAX_RANKS = 8, MANY = 40 };

static int rank, size;

/* ---- every collective, once nonblocking, then persistent and started again ---- */

struct buffers {
  int own[MAX_RANKS * COUNT], all[MAX_RANKS * COUNT], counts[MAX_RANKS], places[MAX_RANKS], bytes[MAX_RANKS];
  MPI_Datatype types[MAX_RANKS];
};

static void prepare(struct buffers *b, int turn)
{
  for (int r = 0; r < size; r++) {
    fill(b->own + r * COUNT, 10000 * rank + 1000 * r + turn, COUNT);
    b->counts[r] = COUNT;
    b->places[r] = r * COUNT;
    b->bytes[r] = r * COUNT * (int)sizeof(int);
    b->types[r] = MPI_INT;
  }
  memset(b->all, -1, sizeof b->all);
}

/* The sum over the ranks below `ranks` of what they have in block `block` at place 0; it grows by `ranks` each place.
 */
static bool is_sum(const int *data, int ranks, int block, int turn)
{
  const int first = 10000 * ranks * (ranks - 1) / 2 + ranks * (1000 * block + turn);
  for (int i = 0; i < COUNT; i++)
    if (data[i] != first + ranks * i)
      return false;
  return true;
}

static bool are_blocks(const struct buffers *b, bool of_all, int block, int turn)
{
  bool good = true;
  for (int r = 0; r < size; r++)
    good = good && holds(b->all + r * COUNT, 10000 * (of_all ? r : rank) + 1000 * (of_all ? block : r) + turn, COUNT);
  return good;
}

enum { KINDS = 17 };

#define CASE(number, Name, name, ...)                                                                                  \
  case number:                                                                                                         \
    if (persistent)                                                                                                    \
      INIT(Name)(__VA_ARGS__, MPI_INFO_NULL, request);                                                                 \
    else                                                                                                               \
      MPI_I##name(__VA_ARGS__, request);                                                                               \
    return #name;

static const char *call(int kind, bool persistent, struct buffers *b, MPI_Comm comm, MPI_Request *request)
{
  const int root = size - 1;
  switch (kind) {
    CASE(0, Barrier, barrier, comm)
    CASE(1, Bcast, bcast, b->own, COUNT, MPI_INT, root, comm)
    CASE(2, Scatter, scatter, b->own, COUNT, MPI_INT, b->all, COUNT, MPI_INT, root, comm)
    CASE(3, Scatterv, scatterv, b->own, b->counts, b->places, MPI_INT, b->all, COUNT, MPI_INT, root, comm)
    CASE(4, Gather, gather, b->own, COUNT, MPI_INT, b->all, COUNT, MPI_INT, root, comm)
    CASE(5, Gatherv, gatherv, b->own, COUNT, MPI_INT, b->all, b->counts, b->places, MPI_INT, root, comm)
    CASE(6, Allgather, allgather, b->own, COUNT, MPI_INT, b->all, COUNT, MPI_INT, comm)
    CASE(7, Allgatherv, allgatherv, b->own, COUNT, MPI_INT, b->all, b->counts, b->places, MPI_INT, comm)
    CASE(8, Alltoall, alltoall, b->own, COUNT, MPI_INT, b->all, COUNT, MPI_INT, comm)
    CASE(9, Alltoallv, alltoallv, b->own, b->counts, b->places, MPI_INT, b->all, b->counts, b->places, MPI_INT, comm)
    CASE(10, Alltoallw, alltoallw, b->own, b->counts, b->bytes, b->types, b->all, b->counts, b->bytes, b->types, comm)
    CASE(11, Reduce, reduce, b->own, b->all, COUNT, MPI_INT, MPI_SUM, root, comm)
    CASE(12, Reduce_scatter_block, reduce_scatter_block, b->own, b->all, COUNT, MPI_INT, MPI_SUM, comm)
    CASE(13, Reduce_scatter, reduce_scatter, b->own, b->all, b->counts, MPI_INT, MPI_SUM, comm)
    CASE(14, Allreduce, allreduce, b->own, b->all, COUNT, MPI_INT, MPI_SUM, comm)
    CASE(15, Scan, scan, b->own, b->all, COUNT, MPI_INT, MPI_SUM, comm)
    CASE(16, Exscan, exscan, b->own, b->all, COUNT, MPI_INT, MPI_SUM, comm)
  }
  return NULL;
}

static bool is_right(int kind, const struct buffers *b, int turn)
{
  const int root = size - 1;
  switch (kind) {
  case 1:
    return holds(b->own, 10000 * root + turn, COUNT);
  case 2:
  case 3:
    return holds(b->all, 10000 * root + 1000 * rank + turn, COUNT);
  case 4:
  case 5:
    return rank != root || are_blocks(b, true, 0, turn);
  case 6:
  case 7:
    return are_blocks(b, true, 0, turn);
  case 8:
  case 9:
  case 10:
    return are_blocks(b, true, rank, turn);
  case 11:
    return rank != root || is_sum(b->all, size, 0, turn);
  case 12:
  case 13:
    return is_sum(b->all, size, rank, turn);
  case 14:
    return is_sum(b->all, size, 0, turn);
  case 15:
    return is_sum(b->all, rank + 1, 0, turn);
  case 16:
    return rank == 0 || is_sum(b->all, rank, 0, turn);
  default:
    return true;
  }
}

static void every_collective(MPI_Comm comm)
{
  static struct buffers b[KINDS];
  const char *names[KINDS];
  MPI_Request requests[KINDS];
  MPI_Status statuses[KINDS]; /* gcc takes MPICH's MPI_STATUSES_IGNORE for too short an array */
  for (int kind = 0; kind < KINDS; kind++) {
    prepare(&b[kind], 0);
    names[kind] = call(kind, false, &b[kind], comm, &requests[kind]);
  }
  /* Each rank waits in another order. */
  for (int i = 0; i < KINDS; i++)
    MPI_Wait(&requests[(i * (rank + 1) + rank) % KINDS], MPI_STATUS_IGNORE);
  for (int kind = 0; kind < KINDS; kind++)
    check(is_right(kind, &b[kind], 0), names[kind]);
  for (int kind = 0; kind < KINDS; kind++) {
    prepare(&b[kind], 0);
    names[kind] = call(kind, true, &b[kind], comm, &requests[kind]);
  }
  for (int turn = 0; turn < MANY; turn++) {
    for (int kind = 0; kind < KINDS; kind++)
      prepare(&b[kind], turn);
    if (rank % 2) /* the order of the starts is free */
      for (int kind = KINDS - 1; kind >= 0; kind--)
        MPI_Start(&requests[kind]);
    else
      MPI_Startall(KINDS, requests);
    MPI_Waitall(KINDS, requests, statuses);
    for (int kind = 0; kind < KINDS; kind++)
      check(is_right(kind, &b[kind], turn), names[kind]);
  }
  for (int kind = 0; kind < KINDS; kind++) {
    check(requests[kind] != MPI_REQUEST_NULL, "a persistent request lives on");
    MPI_Request_free(&requests[kind]);
  }
}

/* ---- a rank waits elsewhere for one that waits for the broadcast, which it has to forward ---- */

enum {
  IN_RECV,
  IN_PROBE,
  IN_WAIT,
  IN_TEST,
  IN_SSEND,
  IN_SENDRECV,
  IN_BARRIER,
  IN_ALLREDUCE,
  IN_DUP,
  IN_FENCE,
  IN_LOCK,
  PLACES
};

/* Rank 1, where the chain goes on, is held up there until the last rank has the data. */
static void hold_up(int place, MPI_Comm other, MPI_Win window, int *word)
{
  const int last = size - 1;
  MPI_Request request;
  MPI_Comm twin;
  int found = 0, back;
  switch (place) {
  case IN_PROBE:
    MPI_Probe(last, 1, other, MPI_STATUS_IGNORE); /* fall through */
  case IN_RECV:
    MPI_Recv(word, 1, MPI_INT, last, 1, other, MPI_STATUS_IGNORE);
    break;
  case IN_WAIT:
    MPI_Irecv(word, 1, MPI_INT, last, 1, other, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    break;
  case IN_TEST:
    MPI_Irecv(word, 1, MPI_INT, last, 1, other, &request);
    while (!found)
      MPI_Test(&request, &found, MPI_STATUS_IGNORE);
    break;
  case IN_SSEND:
    MPI_Ssend(word, 1, MPI_INT, last, 1, other);
    break;
  case IN_SENDRECV:
    MPI_Sendrecv(word, 1, MPI_INT, last, 1, &back, 1, MPI_INT, last, 1, other, MPI_STATUS_IGNORE);
    break;
  case IN_BARRIER:
    MPI_Barrier(other);
    break;
  case IN_ALLREDUCE:
    MPI_Allreduce(word, &back, 1, MPI_INT, MPI_SUM, other);
    break;
  case IN_DUP:
    MPI_Comm_dup(other, &twin);
    MPI_Comm_free(&twin);
    break;
  case IN_FENCE:
    MPI_Win_fence(0, window);
    break;
  default:
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, last, 0, window);
    MPI_Win_unlock(last, window);
    break;
  }
}

static void let_go(int place, MPI_Comm other, MPI_Win window, int *word)
{
  int back;
  if (rank < size - 1 && (place < IN_BARRIER || place == IN_LOCK))
    return;
  if (place == IN_SSEND)
    MPI_Recv(word, 1, MPI_INT, 1, 1, other, MPI_STATUS_IGNORE);
  else if (place == IN_SENDRECV)
    MPI_Sendrecv(word, 1, MPI_INT, 1, 1, &back, 1, MPI_INT, 1, 1, other, MPI_STATUS_IGNORE);
  else if (place < IN_BARRIER)
    MPI_Send(word, 1, MPI_INT, 1, 1, other);
  else if (place < IN_LOCK)
    hold_up(place, other, window, word);
}

static void elsewhere(MPI_Comm comm, MPI_Comm other)
{
  int memory = 0, word = 5;
  MPI_Win window;
  MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, other, &window);
  for (int place = 0; place < PLACES && size > 2; place++) {
    int data[COUNT];
    MPI_Request request;
    fill(data, rank == 0 ? place : -1, COUNT);
    MPI_Barrier(other);
    if (place == IN_FENCE)
      MPI_Win_fence(0, window);
    if (place == IN_LOCK && rank == size - 1)
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
    if (place == IN_LOCK)
      MPI_Barrier(other);
    MPI_Ibcast(data, COUNT, MPI_INT, 0, comm, &request);
    if (rank == 1)
      hold_up(place, other, window, &word);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (place == IN_LOCK && rank == size - 1)
      MPI_Win_unlock(rank, window);
    if (rank != 1)
      let_go(place, other, window, &word);
    if (place == IN_FENCE)
      MPI_Win_fence(0, window);
    check(holds(data, place, COUNT), "a broadcast while a rank waits elsewhere");
  }
  MPI_Win_free(&window);
}

/* ---- functions that complete, and what is freed too early ---- */

static void completions(MPI_Comm comm)
{
  enum { REQUESTS = 6 };
  int data[REQUESTS], done = 0, count, index, indices[REQUESTS];
  MPI_Request requests[REQUESTS];
  MPI_Status status, statuses[REQUESTS];
  for (int i = 0; i < REQUESTS; i++) {
    data[i] = rank == i % size ? 50 + i : -1;
    MPI_Ibcast(&data[i], 1, MPI_INT, i % size, comm, &requests[i]);
  }
  MPI_Waitany(REQUESTS, requests, &index, &status);
  MPI_Waitsome(REQUESTS, requests, &count, indices, statuses);
  for (int i = 0; i < REQUESTS && !done; i++)
    if (requests[i] != MPI_REQUEST_NULL) {
      while (!done)
        MPI_Request_get_status(requests[i], &done, &status);
      check(requests[i] != MPI_REQUEST_NULL, "MPI_Request_get_status leaves the request");
    }
  done = 0;
  while (!done)
    MPI_Testall(REQUESTS, requests, &done, statuses);
  for (int i = 0; i < REQUESTS; i++)
    check(data[i] == 50 + i && requests[i] == MPI_REQUEST_NULL, "functions that complete");
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
  (void)type;
  for (int i = 0; i < *count; i++)
    ((int *)inout)[i] += ((int *)in)[i];
}

static void freed_too_early(MPI_Comm comm)
{
  int own = rank + 1, sum = 0, pairs[2 * COUNT], word = -1;
  MPI_Comm twin;
  MPI_Op op;
  MPI_Datatype type;
  MPI_Request requests[3];
  MPI_Status statuses[3];
  MPI_Comm_dup(comm, &twin);
  MPI_Op_create(add, 1, &op);
  MPI_Type_vector(COUNT, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  for (int i = 0; i < 2 * COUNT; i++)
    pairs[i] = rank == 0 ? i : -1;
  word = rank == 0 ? 3 : -1;
  MPI_Ibcast(pairs, 1, type, 0, twin, &requests[0]);
  MPI_Iallreduce(&own, &sum, 1, MPI_INT, op, twin, &requests[1]);
  INIT(Bcast)(&word, 1, MPI_INT, 0, twin, MPI_INFO_NULL, &requests[2]);
  MPI_Type_free(&type);
  MPI_Op_free(&op);
  MPI_Comm_free(&twin);
  check(op == MPI_OP_NULL, "MPI_Op_free");
  MPI_Start(&requests[2]);
  MPI_Waitall(3, requests, statuses);
  MPI_Request_free(&requests[2]);
  for (int i = 0; i < COUNT; i++)
    check(pairs[2 * i] == 2 * i && (rank == 0 || pairs[2 * i + 1] == -1), "a vector that was freed");
  check(sum == size * (size + 1) / 2, "an operation that was freed");
  check(word == 3, "a communicator that was freed");
}

/* Calls that differ in nothing but addresses, each after the other and in pairs. */
static void again_and_again(MPI_Comm comm)
{
  int own[MANY], sums[MANY], all[MANY][MAX_RANKS];
  MPI_Request requests[2];
  MPI_Status statuses[2];
  bool good = true;
  for (int i = 0; i < MANY; i++) {
    own[i] = rank + i;
    sums[i] = rank - i;
    MPI_Iallreduce(i % 3 == 2 ? MPI_IN_PLACE : &own[i], &sums[i], 1, MPI_INT, MPI_SUM, comm, &requests[0]);
    MPI_Iallgather(&own[i], 1, MPI_INT, all[i], 1, MPI_INT, comm, &requests[1]);
    MPI_Waitall(2, requests, statuses);
  }
  for (int i = 0; i < MANY; i++) {
    good = good && sums[i] == size * (size - 1) / 2 + (i % 3 == 2 ? -1 : 1) * size * i;
    for (int r = 0; r < size; r++)
      good = good && all[i][r] == r + i;
  }
  check(good, "calls with other addresses");
}

/* More than there are tags, and none is waited for before all are begun. */
static void very_many(MPI_Comm comm, int number)
{
  MPI_Request *requests = malloc((size_t)number * sizeof *requests);
  int *data = malloc((size_t)number * sizeof *data);
  MPI_Status *statuses = malloc((size_t)number * sizeof *statuses);
  bool good = true;
  for (int i = 0; i < number; i++) {
    data[i] = rank == i % size ? i : -1;
    MPI_Ibcast(&data[i], 1, MPI_INT, i % size, comm, &requests[i]);
  }
  MPI_Waitall(number, requests, statuses);
  for (int i = 0; i < number; i++)
    good = good && data[i] == i;
  check(good, "very many broadcasts");
  free(requests);
  free(data);
  free(statuses);
}

/* A persistent collective of the library, after all those that were not. MPICH 4.0.2 leaves one waiting for ever after
   certain requests. */
static void beside_the_library(MPI_Comm comm)
{
  int own = 0, sum = 0;
  MPI_Request request;
  LIBRARY_INIT(Allreduce)(&own, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
  for (int turn = 0; turn < 3; turn++) {
    own = rank + turn;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(sum == size * (size - 1) / 2 + size * turn, "a persistent collective of the library");
  }
  MPI_Request_free(&request);
}

/* A count that differs: who expects more knows, and the others go on. */
static void errors(MPI_Comm comm)
{
  int data[2] = {1, 2};
  MPI_Request request;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Ibcast(data, rank == size - 1 ? 2 : 1, MPI_INT, 0, comm, &request);
  const int result = MPI_Wait(&request, MPI_STATUS_IGNORE);
  check((result == MPI_SUCCESS) == (rank < size - 1), "a broadcast of two lengths");
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
  MPI_Comm twin, other;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  every_collective(MPI_COMM_WORLD);
  every_collective(twin);
  elsewhere(MPI_COMM_WORLD, other);
  completions(twin);
  again_and_again(twin);
  again_and_again(MPI_COMM_WORLD);
  freed_too_early(twin);
  very_many(twin, argc > 1 ? atoi(argv[1]) : 200);
  beside_the_library(twin);
  errors(twin);
  MPI_Comm_free(&twin);
  MPI_Comm_free(&other);
  return end_checks();
}
