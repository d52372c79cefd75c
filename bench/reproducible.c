/* What the bits of a library's reductions depend on, by experiment: sums of the same numbers, in messages of several
   lengths and after several arrivals, compared on all ranks and with the sum in the aligned tree
   (include/tutti/reproducible.h). Plain MPI: the library runs what it was told to by its settings (reproducible.sh).

   A line for each collective: NAME RANKS ranks=yes arrival=yes size=no aligned=no. "no" is proven by a sum that
   differs; "yes" was not refuted by the sums of all seeds. */
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/splitmix64.h"

enum { SEEDS = 12, LONG_SEEDS = 3, LONGEST = 100000, ARRIVALS = 3 };

static const int counts[] = {1, 2, 7, 64, 1000, 20000, LONGEST};
enum { COUNTS = sizeof counts / sizeof *counts };

struct bench {
  int rank, size;
  double *input, *output;
  int *blocks; /* [size] */
};

/* Of either sign and of 16 magnitudes: an order of additions shows in some of the sums. */
static double number(int seed, int rank)
{
  const uint64_t hash = tutti_splitmix64(tutti_splitmix64((uint64_t)seed + 1) + (uint64_t)rank);
  return ldexp((double)(int64_t)hash / 9.3e18, (int)(hash % 16));
}

static double aligned(int seed, int first, int count)
{
  int left = 1;
  if (count == 1)
    return number(seed, first);
  while (left * 2 < count)
    left *= 2;
  return aligned(seed, first, left) + aligned(seed, first + left, count - left);
}

/* Runs the collective on `count` elements; returns how many elements of output this rank has. */
typedef int run_function(struct bench *bench, int count);

static int run_allreduce(struct bench *b, int count)
{
  MPI_Allreduce(b->input, b->output, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return count;
}

static int run_reduce(struct bench *b, int count)
{
  MPI_Reduce(b->input, b->output, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return b->rank == 0 ? count : 0;
}

static int run_reduce_scatter_block(struct bench *b, int count)
{
  const int block = count / b->size + 1;
  MPI_Reduce_scatter_block(b->input, b->output, block, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return block;
}

static int run_reduce_scatter(struct bench *b, int count)
{
  for (int r = 0; r < b->size; r++)
    b->blocks[r] = count / b->size + 1 + r % 2;
  MPI_Reduce_scatter(b->input, b->output, b->blocks, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return b->blocks[b->rank];
}

static int run_scan(struct bench *b, int count)
{
  MPI_Scan(b->input, b->output, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return count;
}

static int run_exscan(struct bench *b, int count)
{
  MPI_Exscan(b->input, b->output, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return b->rank == 0 ? 0 : count;
}

static const struct collective {
  const char *name;
  run_function *run;
  bool same; /* all ranks get the same result */
  int extra; /* ranks that are combined at rank r: r + extra; 0: all */
} collectives[] = {
    {"allreduce", run_allreduce, true, 0},
    {"reduce", run_reduce, false, 0},
    {"reduce_scatter_block", run_reduce_scatter_block, false, 0},
    {"reduce_scatter", run_reduce_scatter, false, 0},
    {"scan", run_scan, false, 1},
    {"exscan", run_exscan, false, -1},
};

static bool same(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0;
}

static int begin(struct bench *b, const struct collective *c, int seed, int count)
{
  for (int i = 0; i < count + 2 * b->size; i++)
    b->input[i] = number(seed, b->rank);
  return c->run(b, count);
}

enum { RANKS, ARRIVAL, SIZE, ALIGNED, CLASSES };

static double aligned_at(const struct bench *b, const struct collective *c, int seed)
{
  const int operands = c->extra == 0 ? b->size : c->extra > 0 ? b->rank + 1 : b->rank;
  return operands > 0 ? aligned(seed, 0, operands) : 0;
}

static void look_at_count(struct bench *b, const struct collective *c, int seed, int count, double *first,
                          int refuted[CLASSES])
{
  int elements = begin(b, c, seed, count);
  const double expected = aligned_at(b, c, seed);
  double at_0 = 0;
  if (elements > 0 && isnan(*first))
    *first = b->output[0];
  for (int i = 0; i < elements; i++) {
    refuted[SIZE] |= !same(b->output[i], *first);
    refuted[ALIGNED] |= !same(b->output[i], expected);
  }
  if (c->same) {
    double *copy = malloc((size_t)count * sizeof *copy);
    memcpy(copy, b->output, (size_t)count * sizeof *copy);
    MPI_Bcast(b->output, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < elements; i++)
      refuted[RANKS] |= !same(copy[i], b->output[i]);
    memcpy(b->output, copy, (size_t)count * sizeof *copy);
    free(copy);
  }
  at_0 = elements > 0 ? b->output[elements - 1] : 0;
  for (int i = 0; i < ARRIVALS && count <= 1000; i++) {
    usleep((useconds_t)(tutti_splitmix64((uint64_t)(seed * 64 + i * b->size + b->rank + 1)) % 2000));
    elements = begin(b, c, seed, count);
    refuted[ARRIVAL] |= elements > 0 && !same(b->output[elements - 1], at_0);
  }
}

static void look_at(struct bench *b, const struct collective *c)
{
  int refuted[CLASSES] = {0};
  for (int seed = 0; seed < SEEDS; seed++) {
    double first = NAN;
    for (int i = 0; i < COUNTS && (seed < LONG_SEEDS || counts[i] <= 1000); i++)
      look_at_count(b, c, seed, counts[i], &first, refuted);
  }
  MPI_Allreduce(MPI_IN_PLACE, refuted, CLASSES, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
  if (b->rank != 0)
    return;
  printf("%s %d ranks=%s arrival=%s size=%s aligned=%s\n", c->name, b->size,
         !c->same         ? "-"
         : refuted[RANKS] ? "no"
                          : "yes",
         refuted[ARRIVAL] ? "no" : "yes", refuted[SIZE] ? "no" : "yes", refuted[ALIGNED] ? "no" : "yes");
  fflush(stdout);
}

int main(int argc, char **argv)
{
  struct bench b;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &b.size);
  const size_t elements = LONGEST + 2 * (size_t)b.size;
  b.input = malloc(elements * sizeof *b.input);
  b.output = calloc(elements, sizeof *b.output);
  b.blocks = malloc((size_t)b.size * sizeof *b.blocks);
  if (!b.input || !b.output || !b.blocks)
    MPI_Abort(MPI_COMM_WORLD, 2);
  for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
    if (argc < 2 || strcmp(argv[1], collectives[i].name) == 0)
      look_at(&b, &collectives[i]);
  free(b.input);
  free(b.output);
  free(b.blocks);
  MPI_Finalize();
  return 0;
}
