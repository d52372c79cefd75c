/* What a quadtree cannot be made of. */
#include "decision/learners/quadtree/quadtree_check.h"

#include <inttypes.h>

#include "decision/learners/quadtree/quadtree_node.h"

#define MOST_POINTS (1 << 20) /* of an axis: cells of a region are counted in 64 bits, also with three axes */

static const char *const axis_names[TUTTI_AXES] = {"communicator sizes", "message sizes", "ranks per node"};
static const uint64_t axis_most[TUTTI_AXES] = {QUADTREE_MOST_RANKS, QUADTREE_MOST_BYTES, QUADTREE_MOST_NODES};

static tutti_status check_axis(const tutti_label_map *map, int axis, tutti_error *error)
{
  const uint64_t *values = map->axes[axis];
  int count = map->counts[axis];
  if (count < 1 || count > MOST_POINTS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a quadtree of %d %s: there must be 1 to %d", count, axis_names[axis],
                      MOST_POINTS);
  for (int i = 1; i < count; i++)
    if (values[i] <= values[i - 1])
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s of a quadtree ascend: %" PRIu64 " follows %" PRIu64,
                        axis_names[axis], values[i], values[i - 1]);
  if (values[count - 1] > axis_most[axis])
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s of a quadtree end at %" PRIu64 ", which is below %" PRIu64,
                      axis_names[axis], axis_most[axis], values[count - 1]);
  return TUTTI_OK;
}

static tutti_status check_labels(const tutti_label_map *map, tutti_error *error)
{
  size_t points = 1;
  if (map->label_count < 1 || map->label_count > TUTTI_MOST_LABELS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a quadtree of %d labels: there must be 1 to %d", map->label_count,
                      TUTTI_MOST_LABELS);
  for (int axis = 0; axis < TUTTI_AXES; axis++)
    points *= (size_t)map->counts[axis];
  for (size_t i = 0; i < points; i++)
    if (map->labels[i] < 0 || map->labels[i] >= map->label_count)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a quadtree of %d labels: point %zu has the label %d",
                        map->label_count, i, map->labels[i]);
  return TUTTI_OK;
}

tutti_status tutti_quadtree_check(const tutti_label_map *map, const tutti_quadtree_limits *limits, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  if (!(limits->accuracy >= 0 && limits->accuracy <= 1)) /* true for NaN */
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the accuracy of a quadtree is a share from 0 to 1, not %g",
                      limits->accuracy);
  for (int axis = 0; axis < TUTTI_AXES && status == TUTTI_OK; axis++)
    status = check_axis(map, axis, error);
  return status == TUTTI_OK ? check_labels(map, error) : status;
}
