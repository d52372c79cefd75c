/* Counting the labels of a region, point by point, each weighted by the cells that show it. */
#include "decision/learners/quadtree/quadtree_census.h"

#include <stdlib.h>
#include <string.h>

static int levels_for(const tutti_label_map *map)
{
  int levels = 0;
  for (int axis = 0; axis < TUTTI_AXES; axis++)
    while (UINT64_C(1) << levels < (uint64_t)map->counts[axis])
      levels++;
  return levels;
}

tutti_status tutti_quadtree_census_create(const tutti_label_map *map, struct quadtree_census *census,
                                          tutti_error *error)
{
  *census = (struct quadtree_census){.map = map,
                                     .cells = calloc((size_t)map->label_count, sizeof *census->cells),
                                     .found = calloc((size_t)map->label_count, sizeof *census->found)};
  if (!census->cells || !census->found) {
    tutti_quadtree_census_free(census);
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a quadtree of %d labels", map->label_count);
  }
  for (int axis = 0; axis < TUTTI_AXES; axis++)
    census->axes[axis] = (struct quadtree_axis){
        .count = map->counts[axis], .levels = map->counts[axis] > 1 ? levels_for(map) : 0, .values = map->axes[axis]};
  return TUTTI_OK;
}

void tutti_quadtree_census_free(struct quadtree_census *census)
{
  free(census->cells);
  free(census->found);
}

uint32_t tutti_quadtree_region_side(const struct quadtree_census *census, const struct quadtree_region *region,
                                    int axis)
{
  int levels = census->axes[axis].levels;
  return levels > region->depth ? UINT32_C(1) << (levels - region->depth) : 1;
}

/* The points of a region along an axis. */
struct span {
  const struct quadtree_axis *axis;
  uint64_t first_cell, end_cell;
  int first, last; /* points */
};

static struct span span_of(const struct quadtree_census *census, const struct quadtree_region *region, int axis)
{
  struct span span = {.axis = &census->axes[axis], .first_cell = region->first[axis]};
  span.end_cell = span.first_cell + tutti_quadtree_region_side(census, region, axis);
  span.first = tutti_quadtree_axis_point(span.axis, span.first_cell);
  span.last = tutti_quadtree_axis_point(span.axis, span.end_cell - 1);
  return span;
}

/* Cells of the span that show a point. */
static uint64_t weight(const struct span *span, int point)
{
  uint64_t first = tutti_quadtree_axis_cell(span->axis, point), end = tutti_quadtree_axis_cell(span->axis, point + 1);
  first = first < span->first_cell ? span->first_cell : first;
  end = end > span->end_cell ? span->end_cell : end;
  return end - first;
}

static int label_at(const tutti_label_map *map, int ranks, int bytes, int nodes)
{
  size_t row = (size_t)ranks * (size_t)map->counts[TUTTI_AXIS_BYTES] + (size_t)bytes;
  return map->labels[row * (size_t)map->counts[TUTTI_AXIS_RANKS_PER_NODE] + (size_t)nodes];
}

/* Number of labels found. */
static int count_labels(struct quadtree_census *census, const struct span spans[TUTTI_AXES])
{
  const struct span *ranks = &spans[TUTTI_AXIS_RANKS], *bytes = &spans[TUTTI_AXIS_BYTES];
  const struct span *nodes = &spans[TUTTI_AXIS_RANKS_PER_NODE];
  int found = 0;
  for (int i = ranks->first; i <= ranks->last; i++)
    for (int j = bytes->first; j <= bytes->last; j++)
      for (int k = nodes->first; k <= nodes->last; k++) {
        int label = label_at(census->map, i, j, k);
        if (census->cells[label] == 0)
          census->found[found++] = label;
        census->cells[label] += weight(ranks, i) * weight(bytes, j) * weight(nodes, k);
      }
  return found;
}

/* Most cells; in a tie the upper right corner, else the smallest label. */
static int prevalent_label(const struct quadtree_census *census, int found, int corner)
{
  const uint64_t *cells = census->cells;
  int best = census->found[0];
  for (int i = 1; i < found; i++) {
    int label = census->found[i];
    if (cells[label] > cells[best] || (cells[label] == cells[best] && label < best))
      best = label;
  }
  return cells[corner] == cells[best] ? corner : best;
}

struct quadtree_count tutti_quadtree_census_take(struct quadtree_census *census, const struct quadtree_region *region)
{
  struct span spans[TUTTI_AXES];
  struct quadtree_count count = {.cells = 1};
  for (int axis = 0; axis < TUTTI_AXES; axis++) {
    spans[axis] = span_of(census, region, axis);
    count.cells *= spans[axis].end_cell - spans[axis].first_cell;
  }
  int found = count_labels(census, spans);
  count.label = prevalent_label(census, found,
                                label_at(census->map, spans[TUTTI_AXIS_RANKS].last, spans[TUTTI_AXIS_BYTES].last,
                                         spans[TUTTI_AXIS_RANKS_PER_NODE].last));
  count.other = count.cells - census->cells[count.label];
  for (int i = 0; i < found; i++)
    census->cells[census->found[i]] = 0;
  return count;
}
