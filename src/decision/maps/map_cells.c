/* Room for the cells of decision maps, and the best method of each point. */
#include "decision/maps/map_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decision/tie.h"

bool tutti_decision_map_make_cells(tutti_decision_map *map)
{
  size_t points, cells;
  if (__builtin_mul_overflow((size_t)map->ranks_count, (size_t)map->size_count, &points) ||
      __builtin_mul_overflow(points, (size_t)map->method_count, &cells))
    return false;
  map->times = reallocarray(NULL, cells, sizeof *map->times);
  map->best = reallocarray(NULL, points, sizeof *map->best);
  if (!map->times || !map->best)
    return false;
  for (size_t i = 0; i < cells; i++)
    map->times[i] = NAN;
  for (size_t i = 0; i < points; i++)
    map->best[i] = -1;
  return true;
}

static void *copy_array(const void *items, int count, size_t width)
{
  void *copy = reallocarray(NULL, (size_t)count, width);
  return copy ? memcpy(copy, items, (size_t)count * width) : NULL;
}

tutti_status tutti_decision_map_copy_axes(const tutti_decision_map *map, int method_count, tutti_decision_map *copy,
                                          tutti_error *error)
{
  *copy = *map;
  copy->method_count = method_count;
  copy->times = NULL;
  copy->best = NULL;
  copy->ranks = copy_array(map->ranks, map->ranks_count, sizeof *map->ranks);
  copy->sizes = copy_array(map->sizes, map->size_count, sizeof *map->sizes);
  copy->methods = copy_array(map->methods, method_count, sizeof *map->methods);
  if (copy->ranks && copy->sizes && copy->methods && tutti_decision_map_make_cells(copy))
    return TUTTI_OK;
  tutti_decision_map_free(copy);
  return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a copy of the decision map of %s",
                    tutti_collective_name(map->collective));
}

static int best_of(const double *times, int count)
{
  double least = INFINITY;
  for (int i = 0; i < count; i++)
    if (times[i] < least) /* false for NaN */
      least = times[i];
  for (int i = 0; i < count; i++)
    if (!isnan(times[i]) && decision_tie(times[i], least))
      return i;
  return -1;
}

/* Native methods are behind all others. */
static int count_candidates(const tutti_decision_map *map, bool natives)
{
  int count = map->method_count;
  while (!natives && count > 0 && tutti_method_is_native(&map->methods[count - 1]))
    count--;
  return count;
}

void tutti_decision_map_choose(tutti_decision_map *map, bool natives)
{
  int candidates = count_candidates(map, natives);
  for (size_t i = 0; i < decision_map_points(map); i++)
    map->best[i] = best_of(map->times + i * (size_t)map->method_count, candidates);
}
