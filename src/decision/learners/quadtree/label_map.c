/* Maps of labels from decision maps. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/maps/map.h"
#include "tutti/learners.h"

static bool has_points(const tutti_decision_map *map)
{
  for (size_t i = 0; i < tutti_decision_map_points(map); i++)
    if (map->best[i] >= 0)
      return true;
  return false;
}

static tutti_status check_maps(const tutti_decision_map *maps, int count, tutti_error *error)
{
  if (count < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "labels need a decision map");
  for (int k = 0; k < count; k++) {
    if (k > 0 && !tutti_decision_map_same_axes(&maps[0], &maps[k]))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                        "the decision maps of %d and %d ranks per node have different sizes or methods",
                        maps[0].ranks_per_node, maps[k].ranks_per_node);
    if (k > 0 && maps[k].ranks_per_node <= maps[k - 1].ranks_per_node)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "decision maps ascend in ranks per node: %d follows %d",
                        maps[k].ranks_per_node, maps[k - 1].ranks_per_node);
    if (!has_points(&maps[k]))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the decision map of %s has no best method at any point",
                        tutti_collective_name(maps[k].collective));
  }
  return TUTTI_OK;
}

/* The best method of the nearest point that has one. */
static int nearest_best(const tutti_decision_map *map, int i, int j)
{
  int label = -1, least = INT_MAX;
  for (int p = 0; p < map->ranks_count; p++)
    for (int q = 0; q < map->size_count; q++) {
      int steps = abs(p - i) + abs(q - j);
      if (tutti_decision_map_best_at(map, p, q) >= 0 && steps < least) {
        least = steps;
        label = tutti_decision_map_best_at(map, p, q);
      }
    }
  return label;
}

static void set_axes(const tutti_decision_map *maps, int count, uint64_t *axes[TUTTI_AXES])
{
  axes[TUTTI_AXIS_RANKS] = tutti_xcalloc((size_t)maps->ranks_count, sizeof **axes);
  for (int i = 0; i < maps->ranks_count; i++)
    axes[TUTTI_AXIS_RANKS][i] = (uint64_t)maps->ranks[i];
  axes[TUTTI_AXIS_BYTES] = tutti_xmemdup(maps->sizes, (size_t)maps->size_count * sizeof **axes);
  axes[TUTTI_AXIS_RANKS_PER_NODE] = tutti_xcalloc((size_t)count, sizeof **axes);
  for (int k = 0; k < count; k++)
    axes[TUTTI_AXIS_RANKS_PER_NODE][k] = (uint64_t)maps[k].ranks_per_node;
}

static void set_labels(const tutti_decision_map *maps, int count, int *labels)
{
  for (int i = 0; i < maps->ranks_count; i++)
    for (int j = 0; j < maps->size_count; j++)
      for (int k = 0; k < count; k++)
        *labels++ = tutti_decision_map_best_at(&maps[k], i, j) >= 0 ? tutti_decision_map_best_at(&maps[k], i, j)
                                                                    : nearest_best(&maps[k], i, j);
}

tutti_status tutti_label_map_create(const tutti_decision_map *maps, int count, tutti_label_map *labels,
                                    tutti_error *error)
{
  uint64_t *axes[TUTTI_AXES];
  *labels = (tutti_label_map){0};
  tutti_status status = check_maps(maps, count, error);
  if (status != TUTTI_OK)
    return status;
  int *storage = tutti_xcalloc(tutti_decision_map_points(maps) * (size_t)count, sizeof *storage);
  set_axes(maps, count, axes);
  set_labels(maps, count, storage);
  *labels = (tutti_label_map){.counts = {maps->ranks_count, maps->size_count, count},
                              .axes = {axes[0], axes[1], axes[2]},
                              .labels = storage,
                              .label_count = maps->method_count};
  return TUTTI_OK;
}

void tutti_label_map_free(tutti_label_map *labels)
{
  for (int axis = 0; axis < TUTTI_AXES; axis++)
    free((void *)labels->axes[axis]);
  free((void *)labels->labels);
  memset(labels, 0, sizeof *labels);
}
