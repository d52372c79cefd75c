/* Decision maps (Pjesivac-Grbovic 2007, section 5.1): the axes are the distinct sizes and methods of the measurements,
 * the cells their medians. */
#include "decision/maps/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells, and the best method of each point ---- */

/* Allocate times (NaN) and best (-1) for the axes of a map; false: out of memory. */
static bool make_cells(tutti_decision_map *map)
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
  if (copy->ranks && copy->sizes && copy->methods && make_cells(copy))
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
    if (!isnan(times[i]) && time_tie(times[i], least))
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
  for (size_t i = 0; i < tutti_decision_map_points(map); i++)
    map->best[i] = best_of(map->times + i * (size_t)map->method_count, candidates);
}

/* ---- from measurements ---- */

#define THREE_WAY(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_ranks(const void *left, const void *right)
{
  return THREE_WAY(*(const int *)left, *(const int *)right);
}

static int compare_sizes(const void *left, const void *right)
{
  return THREE_WAY(*(const uint64_t *)left, *(const uint64_t *)right);
}

static int compare_methods(const void *left, const void *right)
{
  return tutti_method_compare(left, right);
}

/* Sort an axis and drop what stands there twice; returns what is left. */
static int make_unique(void *items, size_t count, size_t width, int (*compare)(const void *, const void *))
{
  char *base = items;
  size_t kept = 1;
  qsort(items, count, width, compare);
  for (size_t i = 1; i < count; i++)
    if (compare(base + i * width, base + (kept - 1) * width) != 0)
      memmove(base + kept++ * width, base + i * width, width);
  return (int)kept;
}

static bool make_axes(const tutti_measurement *measurements, size_t count, tutti_decision_map *map)
{
  map->ranks = malloc(count * sizeof *map->ranks);
  map->sizes = malloc(count * sizeof *map->sizes);
  map->methods = malloc(count * sizeof *map->methods);
  if (!map->ranks || !map->sizes || !map->methods)
    return false;
  for (size_t i = 0; i < count; i++) {
    map->ranks[i] = measurements[i].ranks;
    map->sizes[i] = measurements[i].rank_bytes;
    map->methods[i] = measurements[i].method;
    if (measurements[i].ranks_per_node != map->ranks_per_node)
      map->ranks_per_node = 0;
  }
  map->ranks_count = make_unique(map->ranks, count, sizeof *map->ranks, compare_ranks);
  map->size_count = make_unique(map->sizes, count, sizeof *map->sizes, compare_sizes);
  map->method_count = make_unique(map->methods, count, sizeof *map->methods, compare_methods);
  return true;
}

bool tutti_decision_map_locate(const tutti_decision_map *map, int ranks, uint64_t size, int *ranks_index,
                               int *size_index)
{
  const int *at = bsearch(&ranks, map->ranks, (size_t)map->ranks_count, sizeof *map->ranks, compare_ranks);
  const uint64_t *size_at = bsearch(&size, map->sizes, (size_t)map->size_count, sizeof *map->sizes, compare_sizes);
  if (!at || !size_at)
    return false;
  *ranks_index = (int)(at - map->ranks);
  *size_index = (int)(size_at - map->sizes);
  return true;
}

static double *find_cell(const tutti_decision_map *map, const tutti_measurement *measurement)
{
  int i = 0, j = 0;
  tutti_decision_map_locate(map, measurement->ranks, measurement->rank_bytes, &i, &j);
  return &map->times[tutti_decision_map_cell(map, i, j, tutti_decision_map_find(map, &measurement->method))];
}

static tutti_status refuse(const tutti_measurement *measurement, const char *why, tutti_error *error)
{
  char method[TUTTI_METHOD_LENGTH], size[24];
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s with %d ranks and %s %s",
                    tutti_method_format(&measurement->method, method), measurement->ranks,
                    tutti_size_format(measurement->rank_bytes, size), why);
}

static tutti_status fill_cells(const tutti_measurement *measurements, size_t count, tutti_decision_map *map,
                               tutti_error *error)
{
  for (size_t i = 0; i < count; i++) {
    double *cell = find_cell(map, &measurements[i]);
    if (!isfinite(measurements[i].median))
      return refuse(&measurements[i], "has a median that is not a finite number", error);
    if (!isnan(*cell))
      return refuse(&measurements[i],
                    "was measured more than once, with several roots, numbers of ranks per node or types: select one "
                    "(--root, --ranks-per-node)",
                    error);
    *cell = measurements[i].median;
  }
  return TUTTI_OK;
}

static tutti_status build(const tutti_measurement *measurements, size_t count, tutti_decision_map *map,
                          tutti_error *error)
{
  if (!make_axes(measurements, count, map) || !make_cells(map))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a decision map of %zu measurements", count);
  tutti_status status = fill_cells(measurements, count, map, error);
  if (status != TUTTI_OK)
    return status;
  tutti_decision_map_choose(map, false);
  return TUTTI_OK;
}

tutti_status tutti_decision_map_create(const tutti_measurement *measurements, size_t count, tutti_decision_map *map,
                                       tutti_error *error)
{
  memset(map, 0, sizeof *map);
  if (count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a decision map needs at least one measurement");
  map->collective = measurements[0].method.algorithm->collective;
  map->ranks_per_node = measurements[0].ranks_per_node;
  for (size_t i = 1; i < count; i++)
    if (measurements[i].method.algorithm->collective != map->collective)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a decision map is of one collective, not of %s and %s",
                        tutti_collective_name(map->collective),
                        tutti_collective_name(measurements[i].method.algorithm->collective));
  tutti_status status = build(measurements, count, map, error);
  if (status != TUTTI_OK)
    tutti_decision_map_free(map);
  return status;
}

void tutti_decision_map_free(tutti_decision_map *map)
{
  free(map->ranks);
  free(map->sizes);
  free(map->methods);
  free(map->times);
  free(map->best);
  memset(map, 0, sizeof *map);
}

double tutti_decision_map_time(const tutti_decision_map *map, int ranks_index, int size_index, int method_index)
{
  return map->times[tutti_decision_map_cell(map, ranks_index, size_index, method_index)];
}

int tutti_decision_map_find(const tutti_decision_map *map, const tutti_method *method)
{
  const tutti_method *found =
      bsearch(method, map->methods, (size_t)map->method_count, sizeof *map->methods, compare_methods);
  return found ? (int)(found - map->methods) : -1;
}

/* ---- points, and what runs there ---- */

double tutti_decision_map_time_of(const tutti_decision_map *map, int ranks_index, int size_index,
                                  const tutti_method *method)
{
  int index = tutti_decision_map_find(map, method);
  return index < 0 ? NAN : tutti_decision_map_time(map, ranks_index, size_index, index);
}

tutti_question tutti_decision_map_question(const tutti_decision_map *map, int ranks_index, int size_index)
{
  return (tutti_question){.collective = map->collective,
                          .ranks = map->ranks[ranks_index],
                          .ranks_per_node = map->ranks_per_node,
                          .rank_bytes = map->sizes[size_index]};
}

double tutti_decision_map_serving_time(const tutti_decision_map *map, int ranks_index, int size_index,
                                       const tutti_method *method)
{
  double time = tutti_decision_map_time_of(map, ranks_index, size_index, method);
  if (!isnan(time) || tutti_method_is_native(method) || method->algorithm->domain & TUTTI_NEEDS_NODES)
    return time;
  const tutti_call call = {.size = map->ranks[ranks_index],
                           .count = map->sizes[size_index],
                           .type_size = 1,
                           .commutative = true,
                           .parameters = method->parameters};
  if (tutti_method_check(method, &call, NULL) == TUTTI_OK)
    return NAN;
  tutti_method serving = tutti_method_serving(method, &call);
  return tutti_decision_map_time_of(map, ranks_index, size_index, &serving);
}

double tutti_decision_map_best_time(const tutti_decision_map *map, size_t point)
{
  return map->best[point] < 0 ? NAN : map->times[point * (size_t)map->method_count + (size_t)map->best[point]];
}

bool tutti_decision_map_same_axes(const tutti_decision_map *a, const tutti_decision_map *b)
{
  if (a->ranks_count != b->ranks_count || a->size_count != b->size_count || a->method_count != b->method_count)
    return false;
  for (int m = 0; m < a->method_count; m++)
    if (tutti_method_compare(&a->methods[m], &b->methods[m]) != 0)
      return false;
  return memcmp(a->ranks, b->ranks, (size_t)a->ranks_count * sizeof *a->ranks) == 0 &&
         memcmp(a->sizes, b->sizes, (size_t)a->size_count * sizeof *a->sizes) == 0;
}
