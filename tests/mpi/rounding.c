/* Classes of reproducibility (tutti/reproducible.h) of methods that are called directly: sums of floating-point numbers
   have the same bits where the catalogue says so, and other bits where it does not. That is what the interposer keeps
   from unchanged programs (interpose/bits.c). */
#include "base/splitmix64.h"
#include "check.h"
#include "tutti/collectives.h"
#include "tutti/reproducible.h"

enum { MAX_RANKS = 16, SEEDS = 24, LONG = 37, NUMBERS = 100 };

/* Of either sign and of 16 magnitudes: an order of additions shows in some of the sums. */
static double number(int seed, uint64_t index)
{
  const uint64_t hash = tutti_splitmix64(tutti_splitmix64((uint64_t)seed + 1) + index);
  return ldexp((double)(int64_t)hash / 9.3e18, (int)(hash % 16));
}

static double aligned(int seed, uint64_t first, uint64_t count)
{
  uint64_t left = 1;
  if (count == 1)
    return number(seed, first);
  while (left * 2 < count)
    left *= 2;
  return aligned(seed, first, left) + aligned(seed, first + left, count - left);
}

static bool same(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0;
}

static bool anywhere(bool here)
{
  int found = here;
  MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
  return found;
}

static void sum(struct checks *checks, const tutti_view *view, const char *name, int seed, int count, double *sums)
{
  double terms[LONG];
  tutti_method method;
  tutti_error error = {.message = ""};
  for (int i = 0; i < count; i++)
    terms[i] = number(seed, (uint64_t)view->rank);
  const bool done =
      tutti_method_parse(name, &method, &error) == TUTTI_OK &&
      tutti_allreduce(&method, terms, sums, (uint64_t)count, MPI_DOUBLE, MPI_SUM, view, &error) == TUTTI_OK;
  check(checks, done, "%s: %s", name, error.message);
}

/* What of a class is refuted by any rank and seed. */
typedef bool differs_function(struct checks *checks, const tutti_view *view, const char *name, int seed);

static bool ranks_differ(struct checks *checks, const tutti_view *view, const char *name, int seed)
{
  double own = 0, first;
  sum(checks, view, name, seed, 1, &own);
  first = own;
  MPI_Bcast(&first, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return !same(own, first);
}

static bool sizes_differ(struct checks *checks, const tutti_view *view, const char *name, int seed)
{
  double one = 0, sums[LONG] = {0};
  bool found = false;
  sum(checks, view, name, seed, 1, &one);
  sum(checks, view, name, seed, LONG, sums);
  for (int i = 0; i < LONG; i++)
    found = found || !same(sums[i], one);
  return found;
}

static bool nodes_differ(struct checks *checks, const tutti_view *view, const char *name, int seed)
{
  int nodes[2][MAX_RANKS];
  double sums[2] = {0, 0};
  tutti_view placed = *view;
  for (int i = 0; i < 2; i++) {
    for (int r = 0; r < view->size; r++)
      nodes[i][r] = i == 0 ? r / 2 : r % 3;
    placed.nodes = nodes[i];
    sum(checks, &placed, name, seed, 1, &sums[i]);
  }
  return !same(sums[0], sums[1]);
}

static bool is_not_aligned(struct checks *checks, const tutti_view *view, const char *name, int seed)
{
  double own = 0;
  sum(checks, view, name, seed, 1, &own);
  return !same(own, aligned(seed, 0, (uint64_t)view->size));
}

/* Messages arrive in another order. */
static bool arrivals_differ(struct checks *checks, const tutti_view *view, const char *name, int seed)
{
  double sums[2] = {0, 0};
  sum(checks, view, name, seed, 1, &sums[0]);
  usleep((useconds_t)(tutti_splitmix64((uint64_t)(seed * view->size + view->rank + 1)) % 2000));
  sum(checks, view, name, seed, 1, &sums[1]);
  return !same(sums[0], sums[1]);
}

/* All numbers on the first ranks, 1 to all of them, in parts of equal and of other lengths. */
static bool distributions_differ(struct checks *checks, const tutti_view *view, const char *name, int seed)
{
  double own[NUMBERS], result = 0;
  uint64_t leaves[MAX_RANKS + 1] = {0};
  bool found = false;
  for (int size = 1; size <= view->size; size++) {
    tutti_view part;
    tutti_method method;
    tutti_error error = {.message = ""};
    for (int r = 1; r <= size; r++)
      leaves[r] = r == size  ? NUMBERS
                  : seed % 2 ? (uint64_t)(NUMBERS * r / size)
                             : leaves[r - 1] + (NUMBERS - leaves[r - 1]) * (uint64_t)(r % 3) / 5;
    if (tutti_view_range(view, 0, size - 1, 1, &part, &error) != TUTTI_OK || part.rank < 0)
      continue;
    for (uint64_t i = leaves[part.rank]; i < leaves[part.rank + 1]; i++)
      own[i - leaves[part.rank]] = number(seed, i);
    const bool done =
        tutti_method_parse(name, &method, &error) == TUTTI_OK &&
        tutti_combine_row(&method, own, leaves, &result, 1, MPI_DOUBLE, MPI_SUM, 0, &part, &error) == TUTTI_OK;
    check(checks, done, "%s on %d ranks: %s", name, size, error.message);
    found = found || !same(result, aligned(seed, 0, NUMBERS));
  }
  return found;
}

/* The class of the method is what the catalogue says, and shows in the sums. */
static void check_class(struct checks *checks, const tutti_view *view, unsigned class, differs_function *differs,
                        const char *name, bool holds)
{
  tutti_method method;
  tutti_error error = {.message = ""};
  bool found = false;
  check(checks, tutti_method_parse(name, &method, &error) == TUTTI_OK, "%s", error.message);
  check(checks, !(tutti_method_reproducible(&method) & class) == !holds, "%s: class %u of the catalogue", name, class);
  for (int seed = 0; seed < SEEDS; seed++)
    found = anywhere(differs(checks, view, name, seed)) || found;
  check(checks, found != holds, "%s: class %u: the bits %s", name, class, found ? "differ" : "never differ");
}

int main(int argc, char **argv)
{
  struct checks checks = {0};
  tutti_view world;
  check_begin(&argc, &argv, &world);
  if (world.size > MAX_RANKS)
    MPI_Abort(MPI_COMM_WORLD, 1);
  check_class(&checks, &world, TUTTI_REPRODUCIBLE_RANKS, ranks_differ, "allreduce/swing-latency", false);
  check_class(&checks, &world, TUTTI_REPRODUCIBLE_RANKS, ranks_differ, "allreduce/census", false);
  check_class(&checks, &world, TUTTI_REPRODUCIBLE_RANKS, ranks_differ, "allreduce/trivance-latency", false);
  check_class(&checks, &world, TUTTI_REPRODUCIBLE_RANKS, ranks_differ, "allreduce/recursive-doubling", true);
  check_class(&checks, &world, TUTTI_REPRODUCIBLE_ARRIVAL, arrivals_differ, "allreduce/allgather-reduce", true);
  check_class(&checks, &world, TUTTI_REPRODUCIBLE_NODES, nodes_differ, "allreduce/two-level", false);
  check_class(&checks, &world, TUTTI_REPRODUCIBLE_NODES, nodes_differ, "allreduce/recursive-doubling", true);
  check_class(&checks, &world, TUTTI_REPRODUCIBLE_SIZE, sizes_differ, "allreduce/ring", false);
  check_class(&checks, &world, TUTTI_REPRODUCIBLE_SIZE, sizes_differ, "allreduce/two-tree", false);
  check_class(&checks, &world, TUTTI_REPRODUCIBLE_SIZE, sizes_differ, "allreduce/rabenseifner", true);
  check_class(&checks, &world, TUTTI_REPRODUCIBLE_SIZE, sizes_differ, "allreduce/recursive-doubling", true);
  check_class(&checks, &world, TUTTI_REPRODUCIBLE_ALIGNED, is_not_aligned, "allreduce/allgather-reduce", false);
  check_class(&checks, &world, TUTTI_REPRODUCIBLE_ALIGNED, is_not_aligned, "allreduce/reduce-bcast", true);
  check_class(&checks, &world, TUTTI_REPRODUCIBLE_ALIGNED, is_not_aligned, "allreduce/fixed-tree", true);
  check_class(&checks, &world, TUTTI_REPRODUCIBLE_DISTRIBUTION, distributions_differ, "allreduce/fixed-tree", true);
  return check_end(&checks);
}
