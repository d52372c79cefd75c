/* Element types, names and output positions of sorting. */
#include "base/numbers.h"
#include "base/words.h"
#include "groups/mpich_methods.h"
#include "tutti/sort.h"

static int compare_double(const void *left, const void *right, void *context)
{
  (void)context;
  double l = *(const double *)left, r = *(const double *)right;
  if (l < r || l > r)
    return l < r ? -1 : 1;
  return (l != l) - (r != r); /* NaN is last, and equal to itself */
}

static int compare_int64(const void *left, const void *right, void *context)
{
  (void)context;
  int64_t l = *(const int64_t *)left, r = *(const int64_t *)right;
  return THREE_WAY(l, r);
}

static int compare_uint64(const void *left, const void *right, void *context)
{
  (void)context;
  uint64_t l = *(const uint64_t *)left, r = *(const uint64_t *)right;
  return THREE_WAY(l, r);
}

tutti_sort_type tutti_sort_double(void)
{
  return (tutti_sort_type){sizeof(double), compare_double, NULL};
}

tutti_sort_type tutti_sort_int64(void)
{
  return (tutti_sort_type){sizeof(int64_t), compare_int64, NULL};
}

tutti_sort_type tutti_sort_uint64(void)
{
  return (tutti_sort_type){sizeof(uint64_t), compare_uint64, NULL};
}

tutti_sort_how tutti_sort_how_default(void)
{
  return (tutti_sort_how){.k1 = 16,
                          .k2 = 1. / 64,
                          .k3 = 16,
                          .element_cost = 1e-9,
                          .entry_cost = MPICH_ENTRY_SECONDS,
                          .compare_cost = MPICH_COMPARE_SECONDS};
}

/* ---- names ---- */

TUTTI_DEFINE_WORDS(tutti_sort_algorithm, TUTTI_SORT_ALGORITHMS, "algorithm", "janus", "sample", "hypercube")
TUTTI_DEFINE_WORDS(tutti_sort_layer, TUTTI_SORT_LAYERS, "layer", "ranges", "create-group", "split",
                   "create-group/mpich", "split/mpich")
TUTTI_DEFINE_WORDS(tutti_sort_order, TUTTI_SORT_ORDERS, "order", "alternating", "cascaded")
TUTTI_DEFINE_WORDS(tutti_sort_assignment, TUTTI_SORT_ASSIGNMENTS, "assignment", "greedy", "deterministic")

/* ---- output positions ---- */

uint64_t tutti_sort_first_place(uint64_t n, int p, int rank)
{
  uint64_t whole = n / (uint64_t)p, rest = n % (uint64_t)p, r = (uint64_t)rank;
  return r * whole + (r < rest ? r : rest);
}

int tutti_sort_owner(uint64_t n, int p, uint64_t place)
{
  uint64_t whole = n / (uint64_t)p, rest = n % (uint64_t)p;
  uint64_t larger = rest * (whole + 1); /* places of the processes that have one more */
  return (int)(place < larger ? place / (whole + 1) : rest + (place - larger) / whole);
}
