/* Counting the labels of a region, point by point, each weighted by the cells that show it; and the axes of a map of
 * labels: which cells show a point, and where a cut between two cells lies. */
#include "decision/learners/quadtree/quadtree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- axes ---- */

/* The point that a cell shows: floor(cell count / 2^levels). */
static int axis_point(const struct quadtree_axis *axis, uint64_t cell)
{
  return (int)(cell * (uint64_t)axis->count >> axis->levels);
}

/* The first cell that shows a point, or, with point = count, the number of cells. */
static uint64_t axis_cell(const struct quadtree_axis *axis, int point)
{
  uint64_t count = (uint64_t)axis->count;
  return (((uint64_t)point << axis->levels) + count - 1) / count;
}

/* The geometric mean of two values, rounded so that low <= mean < high. */
static uint64_t mean_between(uint64_t low, uint64_t high)
{
  uint64_t mean = (uint64_t)sqrt((double)low * (double)high);
  return mean < low ? low : mean >= high ? high - 1 : mean;
}

/* Does the larger part of the cells of a point lie at @p cell and after? The first and the last point belong to their
 * end, for beyond them there is nothing to cut from. */
static int belongs_above(const struct quadtree_axis *axis, int point, uint64_t cell)
{
  uint64_t before = cell - axis_cell(axis, point), after = axis_cell(axis, point + 1) - cell;
  return point > 0 && (point == axis->count - 1 || after >= before);
}

/* A cut through the cells of one point takes all of that point to one side; both sides show it. */
uint64_t tutti_quadtree_axis_cut(const struct quadtree_axis *axis, uint64_t cell)
{
  int below = axis_point(axis, cell - 1), above = axis_point(axis, cell);
  if (below == above && belongs_above(axis, below, cell))
    below--;
  else if (below == above)
    above++;
  return mean_between(axis->values[below], axis->values[above]);
}

/* ---- regions ---- */

static int levels_for(const tutti_label_map *map)
{
  int levels = 0;
  for (int axis = 0; axis < TUTTI_AXES; axis++)
    while (UINT64_C(1) << levels < (uint64_t)map->counts[axis])
      levels++;
  return levels;
}

tutti_status tutti_label_histogram_create(const tutti_label_map *map, struct label_histogram *histogram,
                                          tutti_error *error)
{
  *histogram = (struct label_histogram){.map = map,
                                        .cells = calloc((size_t)map->label_count, sizeof *histogram->cells),
                                        .found = calloc((size_t)map->label_count, sizeof *histogram->found)};
  if (!histogram->cells || !histogram->found) {
    tutti_label_histogram_free(histogram);
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a quadtree of %d labels", map->label_count);
  }
  for (int axis = 0; axis < TUTTI_AXES; axis++)
    histogram->axes[axis] = (struct quadtree_axis){
        .count = map->counts[axis], .levels = map->counts[axis] > 1 ? levels_for(map) : 0, .values = map->axes[axis]};
  return TUTTI_OK;
}

void tutti_label_histogram_free(struct label_histogram *histogram)
{
  free(histogram->cells);
  free(histogram->found);
}

uint32_t tutti_quadtree_region_side(const struct label_histogram *histogram, const struct quadtree_region *region,
                                    int axis)
{
  int levels = histogram->axes[axis].levels;
  return levels > region->depth ? UINT32_C(1) << (levels - region->depth) : 1;
}

/* The points of a region along an axis. */
struct span {
  const struct quadtree_axis *axis;
  uint64_t first_cell, end_cell;
  int first, last; /* points */
};

static struct span span_of(const struct label_histogram *histogram, const struct quadtree_region *region, int axis)
{
  struct span span = {.axis = &histogram->axes[axis], .first_cell = region->first[axis]};
  span.end_cell = span.first_cell + tutti_quadtree_region_side(histogram, region, axis);
  span.first = axis_point(span.axis, span.first_cell);
  span.last = axis_point(span.axis, span.end_cell - 1);
  return span;
}

/* Cells of the span that show a point. */
static uint64_t weight(const struct span *span, int point)
{
  uint64_t first = axis_cell(span->axis, point), end = axis_cell(span->axis, point + 1);
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
static int count_labels(struct label_histogram *histogram, const struct span spans[TUTTI_AXES])
{
  const struct span *ranks = &spans[TUTTI_AXIS_RANKS], *bytes = &spans[TUTTI_AXIS_BYTES];
  const struct span *nodes = &spans[TUTTI_AXIS_RANKS_PER_NODE];
  int found = 0;
  for (int i = ranks->first; i <= ranks->last; i++)
    for (int j = bytes->first; j <= bytes->last; j++)
      for (int k = nodes->first; k <= nodes->last; k++) {
        int label = label_at(histogram->map, i, j, k);
        if (histogram->cells[label] == 0)
          histogram->found[found++] = label;
        histogram->cells[label] += weight(ranks, i) * weight(bytes, j) * weight(nodes, k);
      }
  return found;
}

/* Most cells; in a tie the upper right corner, else the smallest label. */
static int prevalent_label(const struct label_histogram *histogram, int found, int corner)
{
  const uint64_t *cells = histogram->cells;
  int best = histogram->found[0];
  for (int i = 1; i < found; i++) {
    int label = histogram->found[i];
    if (cells[label] > cells[best] || (cells[label] == cells[best] && label < best))
      best = label;
  }
  return cells[corner] == cells[best] ? corner : best;
}

struct quadtree_count tutti_label_histogram_count(struct label_histogram *histogram,
                                                  const struct quadtree_region *region)
{
  struct span spans[TUTTI_AXES];
  struct quadtree_count count = {.cells = 1};
  for (int axis = 0; axis < TUTTI_AXES; axis++) {
    spans[axis] = span_of(histogram, region, axis);
    count.cells *= spans[axis].end_cell - spans[axis].first_cell;
  }
  int found = count_labels(histogram, spans);
  count.label = prevalent_label(histogram, found,
                                label_at(histogram->map, spans[TUTTI_AXIS_RANKS].last, spans[TUTTI_AXIS_BYTES].last,
                                         spans[TUTTI_AXIS_RANKS_PER_NODE].last));
  count.other = count.cells - histogram->cells[count.label];
  for (int i = 0; i < found; i++)
    histogram->cells[histogram->found[i]] = 0;
  return count;
}
