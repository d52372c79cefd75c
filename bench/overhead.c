/* What Tutti costs on top of its messages: small collectives through Tutti, blocking and persistent, beside the same
   algorithm written by hand with MPI calls, in turns, in one run.

   mpiexec -n 4 overhead [ROUNDS [CALLS]]: ratios are medians over rounds of CALLS calls each. */
#include <stdio.h>
#include <stdlib.h>

#include "tutti/collectives.h"

enum { BCAST, BARRIER, ALLREDUCE, OPERATIONS };
enum { BY_HAND, BLOCKING, PERSISTENT, VARIANTS };
enum { TAG = 7, MAX_ROUNDS = 10000 };

static const char *const methods[OPERATIONS] = {"bcast/binomial", "barrier/recursive-doubling",
                                                "allreduce/recursive-doubling"};

struct bench {
  tutti_view view;
  int rank, size;
  double data, result; /* 8 bytes */
  tutti_method method[OPERATIONS];
  tutti_request *request[OPERATIONS];
};

/* ---- by hand ---- */

static void bcast_by_hand(struct bench *b)
{
  MPI_Request requests[32];
  int count = 0, bit = 1;
  while (bit <= b->rank)
    bit *= 2;
  if (b->rank > 0)
    MPI_Recv(&b->data, 1, MPI_DOUBLE, b->rank - bit / 2, TAG, b->view.comm, MPI_STATUS_IGNORE);
  for (; b->rank + bit < b->size; bit *= 2)
    MPI_Isend(&b->data, 1, MPI_DOUBLE, b->rank + bit, TAG, b->view.comm, &requests[count++]);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

/* Both need a power of two of ranks. */
static void barrier_by_hand(struct bench *b)
{
  for (int bit = 1; bit < b->size; bit *= 2)
    MPI_Sendrecv(NULL, 0, MPI_BYTE, b->rank ^ bit, TAG, NULL, 0, MPI_BYTE, b->rank ^ bit, TAG, b->view.comm,
                 MPI_STATUS_IGNORE);
}

static void allreduce_by_hand(struct bench *b)
{
  double other;
  b->result = b->data;
  for (int bit = 1; bit < b->size; bit *= 2) {
    int peer = b->rank ^ bit;
    MPI_Sendrecv(&b->result, 1, MPI_DOUBLE, peer, TAG, &other, 1, MPI_DOUBLE, peer, TAG, b->view.comm,
                 MPI_STATUS_IGNORE);
    MPI_Reduce_local(&other, &b->result, 1, MPI_DOUBLE, MPI_SUM);
  }
}

static void by_hand(struct bench *b, int operation)
{
  if (operation == BCAST)
    bcast_by_hand(b);
  else if (operation == BARRIER)
    barrier_by_hand(b);
  else
    allreduce_by_hand(b);
}

/* ---- by Tutti ---- */

static void must(tutti_status status, const tutti_error *error)
{
  if (status == TUTTI_OK)
    return;
  fprintf(stderr, "overhead: %s\n", error->message);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void blocking(struct bench *b, int operation)
{
  tutti_error error;
  const tutti_method *method = &b->method[operation];
  if (operation == BCAST)
    must(tutti_bcast(method, &b->data, 1, MPI_DOUBLE, 0, &b->view, &error), &error);
  else if (operation == BARRIER)
    must(tutti_barrier(method, &b->view, &error), &error);
  else
    must(tutti_allreduce(method, &b->data, &b->result, 1, MPI_DOUBLE, MPI_SUM, &b->view, &error), &error);
}

static void persistent(struct bench *b, int operation)
{
  tutti_error error;
  must(tutti_start(b->request[operation], &error), &error);
  must(tutti_wait(&b->request[operation], &error), &error);
}

static void prepare(struct bench *b)
{
  tutti_error error;
  for (int o = 0; o < OPERATIONS; o++)
    must(tutti_method_parse(methods[o], &b->method[o], &error), &error);
  must(tutti_bcast_init(&b->method[BCAST], &b->data, 1, MPI_DOUBLE, 0, &b->view, &b->request[BCAST], &error), &error);
  must(tutti_barrier_init(&b->method[BARRIER], &b->view, &b->request[BARRIER], &error), &error);
  must(tutti_allreduce_init(&b->method[ALLREDUCE], &b->data, &b->result, 1, MPI_DOUBLE, MPI_SUM, &b->view,
                            &b->request[ALLREDUCE], &error),
       &error);
}

/* ---- timing ---- */

static void perform(struct bench *b, int operation, int variant)
{
  if (variant == BY_HAND)
    by_hand(b, operation);
  else if (variant == BLOCKING)
    blocking(b, operation);
  else
    persistent(b, operation);
}

/* Seconds of a call; of the slowest rank. */
static double time_calls(struct bench *b, int operation, int variant, int calls)
{
  double slowest;
  MPI_Barrier(b->view.comm);
  double begin = MPI_Wtime();
  for (int i = 0; i < calls; i++)
    perform(b, operation, variant);
  double mine = (MPI_Wtime() - begin) / calls;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, b->view.comm);
  return slowest;
}

static int compare(const void *left, const void *right)
{
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static double median(double *values, int count)
{
  qsort(values, (size_t)count, sizeof *values, compare);
  return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static void measure(struct bench *b, int operation, int rounds, int calls)
{
  static double seconds[MAX_ROUNDS], ratio[VARIANTS][MAX_ROUNDS];
  for (int round = 0; round < rounds; round++) {
    double time[VARIANTS];
    for (int turn = 0; turn < VARIANTS; turn++) { /* each variant goes first equally often */
      int variant = (turn + round) % VARIANTS;
      time[variant] = time_calls(b, operation, variant, calls);
    }
    seconds[round] = time[BY_HAND];
    for (int v = 0; v < VARIANTS; v++)
      ratio[v][round] = time[v] / time[BY_HAND];
  }
  if (b->rank == 0)
    printf("%-30s %10.3f us %10.3f %10.3f\n", methods[operation], 1e6 * median(seconds, rounds),
           median(ratio[BLOCKING], rounds), median(ratio[PERSISTENT], rounds));
}

int main(int argc, char **argv)
{
  static struct bench bench;
  tutti_progress progress;
  tutti_error error;
  MPI_Init(&argc, &argv);
  int rounds = argc > 1 ? atoi(argv[1]) : 300, calls = argc > 2 ? atoi(argv[2]) : 200;
  must(tutti_view_of(MPI_COMM_WORLD, &bench.view, &error), &error);
  bench.rank = bench.view.rank;
  bench.size = bench.view.size;
  if (rounds < 1 || rounds > MAX_ROUNDS || calls < 1 || (bench.size & (bench.size - 1)) != 0) {
    if (bench.rank == 0)
      fprintf(stderr, "overhead: 1 to %d rounds of calls, on a power of two of ranks\n", MAX_ROUNDS);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  tutti_progress_init(&progress);
  bench.view.progress = &progress;
  prepare(&bench);
  if (bench.rank == 0)
    printf("%d ranks, %d rounds of %d calls\n%-30s %13s %10s %10s\n", bench.size, rounds, calls, "method", "by hand",
           "blocking", "persistent");
  for (int o = 0; o < OPERATIONS; o++)
    measure(&bench, o, rounds, calls);
  for (int o = 0; o < OPERATIONS; o++)
    must(tutti_request_free(&bench.request[o], &error), &error);
  tutti_progress_free(&progress);
  MPI_Finalize();
  return 0;
}
