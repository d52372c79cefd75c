/* Irregular collectives in which every rank places its blocks in its own way, as MPI allows: with gaps, in another
   order, by another datatype of the same signature, in place, overlapping where they are sent, without data. 4 ranks.
 */
#include "checks.h"

enum { RANKS = 4, ROOT = 2 };

/* How a rank places blocks. */
enum kind { IN_ORDER, WITH_GAPS, BACKWARDS, EVERY_SECOND, KINDS };

static int rank;
static MPI_Datatype spread; /* an integer and as much space */

/* Lengths of blocks, the same on all ranks, and how this rank places them. */
struct test {
  int length;
  bool sparse;
  enum kind kind;
};

/* What rank `from` sends rank `to`, or the other way round. */
static int length_of(const struct test *t, int from, int to)
{
  return t->sparse && (from + to) % 3 == 0 ? 0 : t->length + from + to;
}

static int value(int from, int to, int i)
{
  return from * 1000003 + to * 100003 + i;
}

/* A block for each rank, as MPI has them. */
struct side {
  int counts[RANKS], places[RANKS], bytes[RANKS], stride, length;
  MPI_Datatype type, types[RANKS];
  int *memory;
};

static void place(struct side *side, enum kind kind)
{
  int end = 0;
  for (int b = 0; b < RANKS; b++) {
    const int block = kind == BACKWARDS ? RANKS - 1 - b : b;
    side->places[block] = end;
    side->bytes[block] = end * side->stride * (int)sizeof(int);
    end += side->counts[block] + (kind == WITH_GAPS);
  }
  side->length = end * side->stride + 1;
}

/* `to`: -1 if that is each block's rank. */
static void create(struct side *side, const struct test *t, int to)
{
  const bool spreads = t->kind == EVERY_SECOND;
  *side = (struct side){.stride = spreads ? 2 : 1, .type = spreads ? spread : MPI_INT};
  for (int b = 0; b < RANKS; b++) {
    side->counts[b] = length_of(t, b, to < 0 ? rank : to);
    side->types[b] = side->type;
  }
  place(side, t->kind);
  side->memory = malloc((size_t)side->length * sizeof *side->memory);
  memset(side->memory, -1, (size_t)side->length * sizeof *side->memory);
}

static int *at(const struct side *side, int block, int i)
{
  return side->memory + (side->places[block] + i) * side->stride;
}

static void put(const struct side *side, int block, int from, int to)
{
  for (int i = 0; i < side->counts[block]; i++)
    *at(side, block, i) = value(from, to, i);
}

/* Check that it has a block of each rank, and nothing between them. It is filled again with -1. */
static void expect(const struct side *side, int to, const char *what)
{
  bool right = true;
  for (int b = 0; b < RANKS; b++)
    for (int i = 0; i < side->counts[b]; i++) {
      right = right && *at(side, b, i) == value(b, to, i);
      *at(side, b, i) = -1;
    }
  for (int i = 0; i < side->length; i++)
    right = right && side->memory[i] == -1;
  check(right, what);
}

static void gather(const struct test *t)
{
  struct side all, own;
  create(&all, t, 0);
  create(&own, t, 0);
  put(&own, rank, rank, 0);
  MPI_Allgatherv(at(&own, rank, 0), own.counts[rank], own.type, all.memory, all.counts, all.places, all.type,
                 MPI_COMM_WORLD);
  expect(&all, 0, "allgatherv");
  put(&all, rank, rank, 0);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, all.memory, all.counts, all.places, all.type, MPI_COMM_WORLD);
  expect(&all, 0, "allgatherv in place");
  MPI_Gatherv(at(&own, rank, 0), own.counts[rank], own.type, all.memory, all.counts, all.places, all.type, ROOT,
              MPI_COMM_WORLD);
  if (rank == ROOT)
    expect(&all, 0, "gatherv");
  put(&all, rank, rank, 0);
  MPI_Gatherv(rank == ROOT ? MPI_IN_PLACE : at(&own, rank, 0), own.counts[rank], own.type, all.memory, all.counts,
              all.places, all.type, ROOT, MPI_COMM_WORLD);
  if (rank == ROOT)
    expect(&all, 0, "gatherv in place");
  free(all.memory);
  free(own.memory);
}

static void scatter(const struct test *t, bool overlap)
{
  struct side all, own;
  create(&all, t, 0);
  create(&own, t, 0);
  for (int b = 0; b < RANKS; b++) {
    all.places[b] = overlap ? 0 : all.places[b];
    put(&all, b, ROOT, overlap ? 0 : b);
  }
  MPI_Scatterv(all.memory, all.counts, all.places, all.type, at(&own, rank, 0), own.counts[rank], own.type, ROOT,
               MPI_COMM_WORLD);
  bool right = true;
  for (int i = 0; i < own.counts[rank]; i++)
    right = right && *at(&own, rank, i) == value(ROOT, overlap ? 0 : rank, i);
  check(right, overlap ? "scatterv of blocks that overlap" : "scatterv");
  free(all.memory);
  free(own.memory);
}

static void exchange(const struct test *t, bool overlap)
{
  struct side from, to;
  create(&from, t, -1);
  create(&to, t, -1);
  for (int b = 0; b < RANKS; b++) {
    from.places[b] = overlap ? 0 : from.places[b];
    from.bytes[b] = overlap ? 0 : from.bytes[b];
    put(&from, b, rank, overlap ? 0 : b);
  }
  MPI_Alltoallv(from.memory, from.counts, from.places, from.type, to.memory, to.counts, to.places, to.type,
                MPI_COMM_WORLD);
  expect(&to, overlap ? 0 : rank, overlap ? "alltoallv of blocks that overlap" : "alltoallv");
  MPI_Alltoallw(from.memory, from.counts, from.bytes, from.types, to.memory, to.counts, to.bytes, to.types,
                MPI_COMM_WORLD);
  expect(&to, overlap ? 0 : rank, overlap ? "alltoallw of blocks that overlap" : "alltoallw");
  free(from.memory);
  free(to.memory);
}

static void exchange_in_place(const struct test *t)
{
  struct side all;
  create(&all, t, -1);
  for (int b = 0; b < RANKS; b++)
    put(&all, b, rank, b);
  MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_INT, all.memory, all.counts, all.places, all.type, MPI_COMM_WORLD);
  expect(&all, rank, "alltoallv in place");
  free(all.memory);
}

static void all_collectives(int length, bool sparse, enum kind kind)
{
  const struct test t = {length, sparse, kind};
  for (int overlap = 0; overlap < 2; overlap++) {
    scatter(&t, overlap);
    exchange(&t, overlap);
  }
  exchange_in_place(&t);
  gather(&t);
}

int main(int argc, char **argv)
{
  static const int lengths[] = {1, 4000, 16384}; /* of blocks of 4 B to 64 KB */
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_create_resized(MPI_INT, 0, 2 * (MPI_Aint)sizeof(int), &spread);
  MPI_Type_commit(&spread);
  for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
    for (int sparse = 0; sparse < 2; sparse++) {
      for (int turn = 0; turn < 2; turn++)
        all_collectives(lengths[l], sparse, (enum kind)((rank + turn) % KINDS));
      all_collectives(lengths[l], sparse, rank == 1 ? EVERY_SECOND : IN_ORDER);
    }
  MPI_Type_free(&spread);
  return end_checks();
}
