#include "cli/options/selection_points.h"

#include <stdlib.h>

static int compare_ranks(const void *left, const void *right)
{
  const int *l = left, *r = right;
  return (*l > *r) - (*l < *r);
}

static int compare_sizes(const void *left, const void *right)
{
  const uint64_t *l = left, *r = right;
  return (*l > *r) - (*l < *r);
}

static bool names_method(const tutti_sweep *sweep, const tutti_measurement *point)
{
  for (int i = 0; i < sweep->method_count; i++)
    if (tutti_method_compare(&sweep->methods[i], &point->method) == 0)
      return true;
  return false;
}

static bool picks(const tutti_sweep *sweep, const tutti_measurement *point)
{
  for (size_t i = 0; i < sweep->pick_count; i++)
    if (sweep->picks[i].ranks == point->ranks && sweep->picks[i].size == point->rank_bytes &&
        tutti_method_compare(&sweep->picks[i].method, &point->method) == 0)
      return true;
  return false;
}

static bool asks_for(const tutti_sweep *sweep, const tutti_measurement *point)
{
  return sweep->collective == point->method.algorithm->collective && sweep->root == point->root &&
         bsearch(&point->ranks, sweep->ranks, (size_t)sweep->ranks_count, sizeof *sweep->ranks, compare_ranks) &&
         bsearch(&point->rank_bytes, sweep->sizes, (size_t)sweep->size_count, sizeof *sweep->sizes, compare_sizes) &&
         (names_method(sweep, point) || picks(sweep, point));
}

size_t selection_keep_points(const tutti_experiment *experiment, tutti_measurement *measurements, size_t count)
{
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    bool asked = false;
    for (int s = 0; s < experiment->sweep_count && !asked; s++)
      asked = asks_for(&experiment->sweeps[s], &measurements[i]);
    if (asked)
      measurements[kept++] = measurements[i];
  }
  return kept;
}
