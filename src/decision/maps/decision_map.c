/* Decision maps (dissertation, section 5.1): the axes are the distinct sizes and methods of the measurements, the cells
 * their medians. */
#include "tutti/decision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decision/maps/map_cells.h"

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

static double *find_cell(const tutti_decision_map *map, const tutti_measurement *measurement)
{
  const int *ranks =
      bsearch(&measurement->ranks, map->ranks, (size_t)map->ranks_count, sizeof *map->ranks, compare_ranks);
  const uint64_t *size =
      bsearch(&measurement->rank_bytes, map->sizes, (size_t)map->size_count, sizeof *map->sizes, compare_sizes);
  int method = tutti_decision_map_find(map, &measurement->method);
  return &map->times[decision_map_cell(map, (int)(ranks - map->ranks), (int)(size - map->sizes), method)];
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
  if (!make_axes(measurements, count, map) || !tutti_decision_map_make_cells(map))
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
  return map->times[decision_map_cell(map, ranks_index, size_index, method_index)];
}

int tutti_decision_map_find(const tutti_decision_map *map, const tutti_method *method)
{
  const tutti_method *found =
      bsearch(method, map->methods, (size_t)map->method_count, sizeof *map->methods, compare_methods);
  return found ? (int)(found - map->methods) : -1;
}
