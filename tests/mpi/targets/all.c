/* Every collective operation of the library itself, blocking, nonblocking and over neighbors, in one group and between
   two, in place, with operations of all kinds, with blocks that are equal or not, with no data, few and much: what a
   selection file must cover. Sums are checked. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 18 }; /* ints in a buffer */

struct world {
  MPI_Comm comm, inter, ring;
  int rank, ranks, others;
  bool first_group;
  int *in, *out, *counts, *places;
  MPI_Datatype *types;
  MPI_Op ordered;
  int faults;
};

/* Associative, not commutative: the right operand, which is what the last rank has. */
static void keep_right(void *left, void *right, int *length, MPI_Datatype *type)
{
  (void)left;
  (void)right;
  (void)length;
  (void)type;
}

static void wait_for(MPI_Request request)
{
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Blocks of `count` elements, or growing with the rank. */
static void lay_out(struct world *w, int ranks, int count, bool growing)
{
  int place = 0;
  for (int i = 0; i < ranks; i++) {
    w->counts[i] = count && growing ? count + i % 3 : count;
    w->places[i] = place;
    place += w->counts[i];
  }
}

static void expect(struct world *w, const char *what, int got, int wanted)
{
  if (got == wanted)
    return;
  fprintf(stderr, "%s: rank %d has %d instead of %d\n", what, w->rank, got, wanted);
  w->faults++;
}

static void reductions(struct world *w, int n, MPI_Op op)
{
  int wanted = op == MPI_SUM ? w->ranks * (w->ranks + 1) / 2 : w->ranks;
  MPI_Request request;
  for (int i = 0; i < MOST; i++)
    w->in[i] = w->rank + 1;
  w->out[0] = wanted;
  MPI_Allreduce(w->in, w->out, n, MPI_INT, op, w->comm);
  expect(w, "allreduce", w->out[0], wanted);
  MPI_Iallreduce(w->in, w->out, n, MPI_INT, op, w->comm, &request);
  wait_for(request);
  expect(w, "iallreduce", w->out[0], wanted);
  MPI_Reduce(w->in, w->out, n, MPI_INT, op, w->ranks - 1, w->comm);
  expect(w, "reduce", w->out[0], wanted);
  MPI_Ireduce(w->in, w->out, n, MPI_INT, op, 0, w->comm, &request);
  wait_for(request);
  memcpy(w->out, w->in, (size_t)n * sizeof *w->in);
  MPI_Allreduce(MPI_IN_PLACE, w->out, n, MPI_INT, op, w->comm);
  MPI_Scan(w->in, w->out, n, MPI_INT, op, w->comm);
  MPI_Iscan(w->in, w->out, n, MPI_INT, op, w->comm, &request);
  wait_for(request);
  MPI_Exscan(w->in, w->out, n, MPI_INT, op, w->comm);
  MPI_Iexscan(w->in, w->out, n, MPI_INT, op, w->comm, &request);
  wait_for(request);
}

static void scattered_reductions(struct world *w, int n, MPI_Op op)
{
  MPI_Request request;
  MPI_Reduce_scatter_block(w->in, w->out, n, MPI_INT, op, w->comm);
  if (n > 0 && op == MPI_SUM)
    expect(w, "reduce_scatter_block", w->out[0], w->ranks * (w->ranks + 1) / 2);
  MPI_Ireduce_scatter_block(w->in, w->out, n, MPI_INT, op, w->comm, &request);
  wait_for(request);
  for (int growing = 0; growing < 2; growing++) {
    lay_out(w, w->ranks, n, growing);
    MPI_Reduce_scatter(w->in, w->out, w->counts, MPI_INT, op, w->comm);
    if (n > 0 && op == MPI_SUM)
      expect(w, "reduce_scatter", w->out[0], w->ranks * (w->ranks + 1) / 2);
    MPI_Ireduce_scatter(w->in, w->out, w->counts, MPI_INT, op, w->comm, &request);
    wait_for(request);
  }
}

static void rooted(struct world *w, int n)
{
  MPI_Request request;
  w->out[0] = w->rank;
  MPI_Bcast(w->out, n, MPI_INT, w->ranks - 1, w->comm);
  if (n > 0)
    expect(w, "bcast", w->out[0], w->ranks - 1);
  MPI_Ibcast(w->out, n, MPI_INT, 0, w->comm, &request);
  wait_for(request);
  MPI_Gather(w->in, n, MPI_INT, w->out, n, MPI_INT, 0, w->comm);
  MPI_Igather(w->in, n, MPI_INT, w->out, n, MPI_INT, 0, w->comm, &request);
  wait_for(request);
  MPI_Scatter(w->in, n, MPI_INT, w->out, n, MPI_INT, 0, w->comm);
  MPI_Iscatter(w->in, n, MPI_INT, w->out, n, MPI_INT, 0, w->comm, &request);
  wait_for(request);
  lay_out(w, w->ranks, n, true);
  MPI_Gatherv(w->in, w->counts[w->rank], MPI_INT, w->out, w->counts, w->places, MPI_INT, 0, w->comm);
  MPI_Igatherv(w->in, w->counts[w->rank], MPI_INT, w->out, w->counts, w->places, MPI_INT, 0, w->comm, &request);
  wait_for(request);
  MPI_Scatterv(w->in, w->counts, w->places, MPI_INT, w->out, w->counts[w->rank], MPI_INT, 0, w->comm);
  MPI_Iscatterv(w->in, w->counts, w->places, MPI_INT, w->out, w->counts[w->rank], MPI_INT, 0, w->comm, &request);
  wait_for(request);
}

static void gathered(struct world *w, int n, MPI_Comm comm, int ranks)
{
  MPI_Request request;
  MPI_Barrier(comm);
  MPI_Ibarrier(comm, &request);
  wait_for(request);
  MPI_Allgather(w->in, n, MPI_INT, w->out, n, MPI_INT, comm);
  MPI_Iallgather(w->in, n, MPI_INT, w->out, n, MPI_INT, comm, &request);
  wait_for(request);
  lay_out(w, ranks, n, false);
  MPI_Allgatherv(w->in, n, MPI_INT, w->out, w->counts, w->places, MPI_INT, comm);
  MPI_Iallgatherv(w->in, n, MPI_INT, w->out, w->counts, w->places, MPI_INT, comm, &request);
  wait_for(request);
}

static void exchanged(struct world *w, int n, MPI_Comm comm, int ranks)
{
  MPI_Request request;
  MPI_Alltoall(w->in, n, MPI_INT, w->out, n, MPI_INT, comm);
  MPI_Ialltoall(w->in, n, MPI_INT, w->out, n, MPI_INT, comm, &request);
  wait_for(request);
  lay_out(w, ranks, n, false);
  MPI_Alltoallv(w->in, w->counts, w->places, MPI_INT, w->out, w->counts, w->places, MPI_INT, comm);
  MPI_Ialltoallv(w->in, w->counts, w->places, MPI_INT, w->out, w->counts, w->places, MPI_INT, comm, &request);
  wait_for(request);
  for (int i = 0; i < ranks; i++)
    w->places[i] *= (int)sizeof(int);
  MPI_Alltoallw(w->in, w->counts, w->places, w->types, w->out, w->counts, w->places, w->types, comm);
  MPI_Ialltoallw(w->in, w->counts, w->places, w->types, w->out, w->counts, w->places, w->types, comm, &request);
  wait_for(request);
}

static void in_place(struct world *w, int n)
{
  lay_out(w, w->ranks, n, false);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, w->out, n, MPI_INT, w->comm);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, w->out, n, MPI_INT, w->comm);
  MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_INT, w->out, w->counts, w->places, MPI_INT, w->comm);
  for (int i = 0; i < w->ranks; i++)
    w->places[i] *= (int)sizeof(int);
  MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, w->out, w->counts, w->places, w->types, w->comm);
}

static void between_groups(struct world *w, int n)
{
  int root = w->first_group ? w->rank == 0 ? MPI_ROOT : MPI_PROC_NULL : 0;
  MPI_Request request;
  gathered(w, n, w->inter, w->others);
  exchanged(w, n, w->inter, w->others);
  MPI_Bcast(w->out, n, MPI_INT, root, w->inter);
  MPI_Ibcast(w->out, n, MPI_INT, root, w->inter, &request);
  wait_for(request);
  MPI_Reduce(w->in, w->out, n, MPI_INT, MPI_SUM, root, w->inter);
  MPI_Gather(w->in, n, MPI_INT, w->out, n, MPI_INT, root, w->inter);
  MPI_Scatter(w->in, n, MPI_INT, w->out, n, MPI_INT, root, w->inter);
  MPI_Allreduce(w->in, w->out, n, MPI_INT, MPI_SUM, w->inter);
  MPI_Iallreduce(w->in, w->out, n, MPI_INT, MPI_SUM, w->inter, &request);
  wait_for(request);
}

static void among_neighbors(struct world *w, int n)
{
  MPI_Aint places[2] = {0, 0};
  MPI_Request request;
  lay_out(w, 2, n, false);
  MPI_Neighbor_allgather(w->in, n, MPI_INT, w->out, n, MPI_INT, w->ring);
  MPI_Ineighbor_allgather(w->in, n, MPI_INT, w->out, n, MPI_INT, w->ring, &request);
  wait_for(request);
  MPI_Neighbor_allgatherv(w->in, n, MPI_INT, w->out, w->counts, w->places, MPI_INT, w->ring);
  MPI_Ineighbor_allgatherv(w->in, n, MPI_INT, w->out, w->counts, w->places, MPI_INT, w->ring, &request);
  wait_for(request);
  MPI_Neighbor_alltoall(w->in, n, MPI_INT, w->out, n, MPI_INT, w->ring);
  MPI_Ineighbor_alltoall(w->in, n, MPI_INT, w->out, n, MPI_INT, w->ring, &request);
  wait_for(request);
  MPI_Neighbor_alltoallv(w->in, w->counts, w->places, MPI_INT, w->out, w->counts, w->places, MPI_INT, w->ring);
  MPI_Ineighbor_alltoallv(w->in, w->counts, w->places, MPI_INT, w->out, w->counts, w->places, MPI_INT, w->ring,
                          &request);
  wait_for(request);
  places[1] = (MPI_Aint)((size_t)n * sizeof(int));
  MPI_Neighbor_alltoallw(w->in, w->counts, places, w->types, w->out, w->counts, places, w->types, w->ring);
  MPI_Ineighbor_alltoallw(w->in, w->counts, places, w->types, w->out, w->counts, places, w->types, w->ring, &request);
  wait_for(request);
}

/* Two groups of a communicator of at least two ranks: the lower half and the upper half. */
static void make_groups(struct world *w)
{
  MPI_Comm half;
  int period = 1, lower = w->ranks / 2;
  w->first_group = w->rank < lower;
  w->others = w->first_group ? w->ranks - lower : lower;
  MPI_Comm_split(w->comm, w->first_group, w->rank, &half);
  MPI_Intercomm_create(half, 0, w->comm, w->first_group ? lower : 0, 1, &w->inter);
  MPI_Comm_free(&half);
  MPI_Cart_create(w->comm, 1, &w->ranks, &period, 0, &w->ring);
}

static void run_all(struct world *w, int n)
{
  reductions(w, n, MPI_SUM);
  reductions(w, n, w->ordered);
  for (int i = 0; i < MOST; i++)
    w->in[i] = w->rank + 1;
  scattered_reductions(w, n, MPI_SUM);
  scattered_reductions(w, n, w->ordered);
  rooted(w, n);
  gathered(w, n, w->comm, w->ranks);
  exchanged(w, n, w->comm, w->ranks);
  in_place(w, n);
  if (w->inter != MPI_COMM_NULL)
    between_groups(w, n);
  if (w->ring != MPI_COMM_NULL)
    among_neighbors(w, n);
}

int main(int argc, char **argv)
{
  static const int sizes[] = {0, 1, 3, 40, 700, 9000};
  struct world w = {.inter = MPI_COMM_NULL, .ring = MPI_COMM_NULL};
  int all;
  MPI_Init(&argc, &argv);
  w.comm = MPI_COMM_WORLD;
  MPI_Comm_rank(w.comm, &w.rank);
  MPI_Comm_size(w.comm, &w.ranks);
  w.in = calloc(MOST, sizeof *w.in);
  w.out = calloc(MOST, sizeof *w.out);
  w.counts = calloc((size_t)w.ranks + 2, sizeof *w.counts);
  w.places = calloc((size_t)w.ranks + 2, sizeof *w.places);
  w.types = calloc((size_t)w.ranks + 2, sizeof *w.types);
  for (int i = 0; i < w.ranks + 2; i++)
    w.types[i] = MPI_INT;
  MPI_Op_create(keep_right, 0, &w.ordered);
  if (w.ranks > 1)
    make_groups(&w);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    run_all(&w, sizes[i]);
  MPI_Allreduce(&w.faults, &all, 1, MPI_INT, MPI_SUM, w.comm);
  if (w.rank == 0)
    printf("%d faults\n", all);
  MPI_Op_free(&w.ordered);
  MPI_Finalize();
  return all != 0;
}
