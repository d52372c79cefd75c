#include "groups/mpich_cost.h"
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
  return (l > r) - (l < r);
}

static int compare_uint64(const void *left, const void *right, void *context)
{
  (void)context;
  uint64_t l = *(const uint64_t *)left, r = *(const uint64_t *)right;
  return (l > r) - (l < r);
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
