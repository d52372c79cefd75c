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

static const char *const algorithm_names[] = {"janus", "sample", "hypercube"};
static const char *const layer_names[] = {"ranges", "create-group", "split", "create-group/mpich", "split/mpich"};
static const char *const order_names[] = {"alternating", "cascaded"};
static const char *const assignment_names[] = {"greedy", "deterministic"};

_Static_assert(sizeof algorithm_names / sizeof *algorithm_names == TUTTI_SORT_ALGORITHMS,
               "an algorithm without a name");
_Static_assert(sizeof layer_names / sizeof *layer_names == TUTTI_SORT_LAYERS, "a layer without a name");
_Static_assert(sizeof order_names / sizeof *order_names == TUTTI_SORT_ORDERS, "an order without a name");
_Static_assert(sizeof assignment_names / sizeof *assignment_names == TUTTI_SORT_ASSIGNMENTS,
               "an assignment without a name");

const char *tutti_sort_algorithm_name(tutti_sort_algorithm algorithm)
{
  return tutti_word_of(algorithm_names, TUTTI_SORT_ALGORITHMS, (int)algorithm);
}

tutti_status tutti_sort_algorithm_parse(const char *name, tutti_sort_algorithm *algorithm, tutti_error *error)
{
  int value = 0;
  tutti_status status = tutti_word_parse(algorithm_names, TUTTI_SORT_ALGORITHMS, "algorithm", name, &value, error);
  if (status == TUTTI_OK)
    *algorithm = (tutti_sort_algorithm)value;
  return status;
}

const char *tutti_sort_layer_name(tutti_sort_layer layer)
{
  return tutti_word_of(layer_names, TUTTI_SORT_LAYERS, (int)layer);
}

tutti_status tutti_sort_layer_parse(const char *name, tutti_sort_layer *layer, tutti_error *error)
{
  int value = 0;
  tutti_status status = tutti_word_parse(layer_names, TUTTI_SORT_LAYERS, "layer", name, &value, error);
  if (status == TUTTI_OK)
    *layer = (tutti_sort_layer)value;
  return status;
}

const char *tutti_sort_order_name(tutti_sort_order order)
{
  return tutti_word_of(order_names, TUTTI_SORT_ORDERS, (int)order);
}

tutti_status tutti_sort_order_parse(const char *name, tutti_sort_order *order, tutti_error *error)
{
  int value = 0;
  tutti_status status = tutti_word_parse(order_names, TUTTI_SORT_ORDERS, "order", name, &value, error);
  if (status == TUTTI_OK)
    *order = (tutti_sort_order)value;
  return status;
}

const char *tutti_sort_assignment_name(tutti_sort_assignment assignment)
{
  return tutti_word_of(assignment_names, TUTTI_SORT_ASSIGNMENTS, (int)assignment);
}

tutti_status tutti_sort_assignment_parse(const char *name, tutti_sort_assignment *assignment, tutti_error *error)
{
  int value = 0;
  tutti_status status = tutti_word_parse(assignment_names, TUTTI_SORT_ASSIGNMENTS, "assignment", name, &value, error);
  if (status == TUTTI_OK)
    *assignment = (tutti_sort_assignment)value;
  return status;
}

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
