/* Training and testing on different points of a map. */
#include <stdlib.h>
#include <string.h>

#include "base/splitmix64.h"
#include "decision/maps/map_cells.h"

/* The points of a map where something was measured, in order; returns how many. */
static size_t list_points(const tutti_decision_map *map, size_t *points)
{
  size_t count = 0;
  for (size_t i = 0; i < decision_map_points(map); i++)
    if (map->best[i] >= 0)
      points[count++] = i;
  return count;
}

/* Fisher and Yates. */
static void shuffle(size_t *points, size_t count, uint64_t seed)
{
  for (size_t i = count; i > 1; i--) {
    size_t j = (size_t)(tutti_splitmix64_next(&seed) % i), swap = points[i - 1];
    points[i - 1] = points[j];
    points[j] = swap;
  }
}

tutti_status tutti_decision_map_deal(const tutti_decision_map *map, int fold_count, uint64_t seed, int *folds,
                                     tutti_error *error)
{
  size_t *points = calloc(decision_map_points(map), sizeof *points);
  if (!points)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %d folds", fold_count);
  size_t count = list_points(map, points);
  bool fits = fold_count >= 2 && (size_t)fold_count <= count;
  if (fits) {
    shuffle(points, count, seed);
    for (size_t i = 0; i < decision_map_points(map); i++)
      folds[i] = -1;
    for (size_t i = 0; i < count; i++)
      folds[points[i]] = (int)(i % (size_t)fold_count);
  }
  free(points);
  return fits ? TUTTI_OK
              : tutti_fail(error, TUTTI_ERR_ARGUMENT, "%zu points cannot be dealt into %d folds: 2 to %zu are possible",
                           count, fold_count, count);
}

void tutti_decision_map_deal_ranks(const tutti_decision_map *map, int *folds)
{
  for (size_t i = 0; i < decision_map_points(map); i++)
    folds[i] = map->best[i] < 0 ? -1 : (int)(i / (size_t)map->size_count);
}

tutti_status tutti_decision_map_select(const tutti_decision_map *map, const int *folds, int fold, bool inside,
                                       tutti_decision_map *selected, tutti_error *error)
{
  size_t methods = (size_t)map->method_count;
  tutti_status status = tutti_decision_map_copy_axes(map, map->method_count, selected, error);
  for (size_t i = 0; i < decision_map_points(map) && status == TUTTI_OK; i++)
    if (folds[i] >= 0 && (folds[i] == fold) == inside) {
      memcpy(selected->times + i * methods, map->times + i * methods, methods * sizeof *map->times);
      selected->best[i] = map->best[i];
    }
  return status;
}
