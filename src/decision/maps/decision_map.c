/* Decision maps (Pjesivac-Grbovic 2007, section 5.1): the axes are the distinct sizes and methods of the measurements,
 * the cells their medians. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "decision/maps/map.h"

/* ---- cells, and the best method of each point ---- */

/* Allocate times (NaN) and best (-1) for the axes of a map. */
static void make_cells(tutti_decision_map *map)
{
  size_t points, cells;
  if (__builtin_mul_overflow((size_t)map->ranks_count, (size_t)map->size_count, &points) ||
      __builtin_mul_overflow(points, (size_t)map->method_count, &cells))
    tutti_out_of_memory();
  map->times = tutti_xcalloc(cells, sizeof *map->times);
  map->noise = tutti_xcalloc(cells, sizeof *map->noise);
  map->own_choice = tutti_xcalloc(cells, sizeof *map->own_choice);
  map->best = tutti_xcalloc(points, sizeof *map->best);
  for (size_t i = 0; i < cells; i++)
    map->times[i] = NAN;
  for (size_t i = 0; i < points; i++)
    map->best[i] = -1;
}

tutti_decision_map tutti_decision_map_copy_axes(const tutti_decision_map *map, int method_count)
{
  tutti_decision_map copy = *map;
  copy.method_count = method_count;
  copy.ranks = tutti_xmemdup(map->ranks, (size_t)map->ranks_count * sizeof *map->ranks);
  copy.sizes = tutti_xmemdup(map->sizes, (size_t)map->size_count * sizeof *map->sizes);
  copy.methods = tutti_xmemdup(map->methods, (size_t)method_count * sizeof *map->methods);
  make_cells(&copy);
  return copy;
}

static int best_of(const tutti_decision_map *map, const double *times)
{
  double least = INFINITY;
  for (int m = 0; m < map->method_count; m++)
    if (times[m] < least && tutti_candidates_have(&map->candidates, &map->methods[m])) /* false for NaN */
      least = times[m];
  for (int m = 0; m < map->method_count; m++)
    if (!isnan(times[m]) && time_tie(times[m], least) && tutti_candidates_have(&map->candidates, &map->methods[m]))
      return m;
  return -1;
}

void tutti_decision_map_choose(tutti_decision_map *map, tutti_candidates candidates)
{
  map->candidates = candidates;
  for (size_t i = 0; i < tutti_decision_map_points(map); i++)
    map->best[i] = best_of(map, map->times + i * (size_t)map->method_count);
}

/* ---- what the library chooses itself ---- */

int tutti_decision_map_native(const tutti_decision_map *map)
{
  tutti_method native = tutti_method_default(tutti_algorithm_find(map->collective, "native"));
  return tutti_decision_map_find(map, &native);
}

void tutti_decision_map_mark_own_choice(tutti_decision_map *map, int ranks_index, int size_index, int method_index)
{
  const int native = tutti_decision_map_native(map);
  size_t cell = tutti_decision_map_cell(map, ranks_index, size_index, method_index);
  map->own_choice[cell] = true;
  if (native < 0 || isnan(map->times[cell]))
    return;
  size_t own = tutti_decision_map_cell(map, ranks_index, size_index, native);
  if (isnan(map->times[own]))
    return;
  map->times[cell] = map->times[own];
  map->noise[cell] = map->noise[own];
}

/* ---- from measurements ---- */

/* Sort an axis and drop duplicates; returns the remaining number. */
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

/* Nodes are filled one after the other: where ranks are fewer than fit on a node, all are on one. 0: several numbers of
   ranks per node. */
static int common_ranks_per_node(const tutti_measurement *measurements, size_t count)
{
  int most = 0;
  for (size_t i = 0; i < count; i++)
    most = measurements[i].ranks_per_node > most ? measurements[i].ranks_per_node : most;
  for (size_t i = 0; i < count; i++) {
    int own = measurements[i].ranks_per_node;
    if (own != most && own != measurements[i].ranks)
      return 0;
  }
  return most;
}

static void make_axes(const tutti_measurement *measurements, size_t count, tutti_decision_map *map)
{
  map->ranks = tutti_xcalloc(count, sizeof *map->ranks);
  map->sizes = tutti_xcalloc(count, sizeof *map->sizes);
  map->methods = tutti_xcalloc(count, sizeof *map->methods);
  for (size_t i = 0; i < count; i++) {
    map->ranks[i] = measurements[i].ranks;
    map->sizes[i] = measurements[i].rank_bytes;
    map->methods[i] = measurements[i].method;
  }
  map->ranks_count = make_unique(map->ranks, count, sizeof *map->ranks, tutti_compare_ints);
  map->size_count = make_unique(map->sizes, count, sizeof *map->sizes, tutti_compare_numbers);
  map->method_count = make_unique(map->methods, count, sizeof *map->methods, tutti_compare_methods);
}

bool tutti_decision_map_locate(const tutti_decision_map *map, int ranks, uint64_t size, int *ranks_index,
                               int *size_index)
{
  const int *at = bsearch(&ranks, map->ranks, (size_t)map->ranks_count, sizeof *map->ranks, tutti_compare_ints);
  const uint64_t *size_at =
      bsearch(&size, map->sizes, (size_t)map->size_count, sizeof *map->sizes, tutti_compare_numbers);
  if (!at || !size_at)
    return false;
  *ranks_index = (int)(at - map->ranks);
  *size_index = (int)(size_at - map->sizes);
  return true;
}

static size_t find_cell(const tutti_decision_map *map, const tutti_measurement *measurement)
{
  int i = 0, j = 0;
  tutti_decision_map_locate(map, measurement->ranks, measurement->rank_bytes, &i, &j);
  return tutti_decision_map_cell(map, i, j, tutti_decision_map_find(map, &measurement->method));
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
    size_t cell = find_cell(map, &measurements[i]);
    if (!isfinite(measurements[i].median))
      return refuse(&measurements[i], "has a median that is not a finite number", error);
    if (!isnan(map->times[cell]))
      return refuse(&measurements[i],
                    "was measured more than once, with several roots, numbers of ranks per node or types: select one "
                    "(--root, --ranks-per-node)",
                    error);
    if (measurements[i].median < 0) {
      map->negative++;
      continue;
    }
    map->times[cell] = measurements[i].median;
    map->noise[cell] = measurements[i].median * measurements[i].spread / 100;
  }
  return TUTTI_OK;
}

tutti_status tutti_decision_map_create(const tutti_measurement *measurements, size_t count, tutti_decision_map *map,
                                       tutti_error *error)
{
  memset(map, 0, sizeof *map);
  if (count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a decision map needs at least one measurement");
  map->collective = measurements[0].method.algorithm->collective;
  map->ranks_per_node = common_ranks_per_node(measurements, count);
  for (size_t i = 1; i < count; i++)
    if (measurements[i].method.algorithm->collective != map->collective)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a decision map is of one collective, not of %s and %s",
                        tutti_collective_name(map->collective),
                        tutti_collective_name(measurements[i].method.algorithm->collective));
  make_axes(measurements, count, map);
  make_cells(map);
  tutti_status status = fill_cells(measurements, count, map, error);
  if (status == TUTTI_OK)
    tutti_decision_map_choose(map, tutti_decision_map_default_candidates(map));
  else
    tutti_decision_map_free(map);
  return status;
}

void tutti_decision_map_free(tutti_decision_map *map)
{
  free(map->ranks);
  free(map->sizes);
  free(map->methods);
  free(map->times);
  free(map->noise);
  free(map->own_choice);
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
      bsearch(method, map->methods, (size_t)map->method_count, sizeof *map->methods, tutti_compare_methods);
  return found ? (int)(found - map->methods) : -1;
}

bool tutti_decision_map_ties(const tutti_decision_map *map, int ranks_index, int size_index, int left, int right)
{
  const size_t a = tutti_decision_map_cell(map, ranks_index, size_index, left),
               b = tutti_decision_map_cell(map, ranks_index, size_index, right);
  return time_tie(map->times[a], map->times[b]) || fabs(map->times[a] - map->times[b]) < map->noise[a] + map->noise[b];
}

/* ---- points ---- */

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
