/* Building a quadtree (Pjesivac-Grbovic 2007, section 5.3.2): level by level, so that the upper levels, which every
 * question passes, are close in memory. The labels of a region are counted point by point, each weighted by the cells
 * that show it. */
#include "base/memory.h"
#include "decision/learners/quadtree/quadtree.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An axis of a map of labels, replicated to 2^levels cells. */
struct quadtree_axis {
  int count; /* points */
  int levels;
  const uint64_t *values; /* [count] */
};

/* A square (cube) of cells. */
struct quadtree_region {
  uint32_t first[TUTTI_AXES]; /* cell */
  int depth;                  /* halvings that made it */
};

/* Data on which regions are counted. */
struct label_histogram {
  const tutti_label_map *map;
  struct quadtree_axis axes[TUTTI_AXES];
  uint64_t *cells; /* [label_count] all 0 between two regions */
  int *found;      /* [label_count] labels of the region */
};

/* Counts of a region. */
struct quadtree_count {
  int label;      /* the prevalent one by the tie rule of section 5.3.2 */
  uint64_t cells; /* of the region */
  uint64_t other; /* number of these with another label */
};

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

/* Whether the larger part of the cells of a point is at @p cell and after. The first and the last point belong to their
 * end, as no cut is possible beyond them. */
static int belongs_above(const struct quadtree_axis *axis, int point, uint64_t cell)
{
  uint64_t before = cell - axis_cell(axis, point), after = axis_cell(axis, point + 1) - cell;
  return point > 0 && (point == axis->count - 1 || after >= before);
}

/* A cut through the cells of one point takes all of that point to one side; both sides show it. */
static uint64_t axis_cut(const struct quadtree_axis *axis, uint64_t cell)
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

static struct label_histogram create_histogram(const tutti_label_map *map)
{
  struct label_histogram histogram = {.map = map};
  histogram.cells = tutti_xcalloc((size_t)map->label_count, sizeof *histogram.cells);
  histogram.found = tutti_xcalloc((size_t)map->label_count, sizeof *histogram.found);
  for (int axis = 0; axis < TUTTI_AXES; axis++)
    histogram.axes[axis] = (struct quadtree_axis){
        .count = map->counts[axis], .levels = map->counts[axis] > 1 ? levels_for(map) : 0, .values = map->axes[axis]};
  return histogram;
}

static uint32_t region_side(const struct label_histogram *histogram, const struct quadtree_region *region, int axis)
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
  span.end_cell = span.first_cell + region_side(histogram, region, axis);
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

/* The label with the most cells; in a tie the upper right corner, else the smallest label. */
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

static struct quadtree_count count_region(struct label_histogram *histogram, const struct quadtree_region *region)
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

/* ---- checks ---- */

#define MAX_POINTS (1 << 20) /* of an axis: 64 bits count the cells of a region, also with three axes */

static const char *const axis_names[TUTTI_AXES] = {"communicator sizes", "message sizes", "ranks per node"};
static const uint64_t axis_max[TUTTI_AXES] = {QUADTREE_MAX_RANKS, QUADTREE_MAX_BYTES, QUADTREE_MAX_NODES};

static tutti_status check_axis(const tutti_label_map *map, int axis, tutti_error *error)
{
  const uint64_t *values = map->axes[axis];
  int count = map->counts[axis];
  if (count < 1 || count > MAX_POINTS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a quadtree of %d %s: there must be 1 to %d", count, axis_names[axis],
                      MAX_POINTS);
  for (int i = 1; i < count; i++)
    if (values[i] <= values[i - 1])
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s of a quadtree ascend: %" PRIu64 " follows %" PRIu64,
                        axis_names[axis], values[i], values[i - 1]);
  if (values[count - 1] > axis_max[axis])
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s of a quadtree end at %" PRIu64 ", which is below %" PRIu64,
                      axis_names[axis], axis_max[axis], values[count - 1]);
  return TUTTI_OK;
}

static tutti_status check_labels(const tutti_label_map *map, tutti_error *error)
{
  size_t points = 1;
  if (map->label_count < 1 || map->label_count > TUTTI_MAX_LABELS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a quadtree of %d labels: there must be 1 to %d", map->label_count,
                      TUTTI_MAX_LABELS);
  for (int axis = 0; axis < TUTTI_AXES; axis++)
    points *= (size_t)map->counts[axis];
  for (size_t i = 0; i < points; i++)
    if (map->labels[i] < 0 || map->labels[i] >= map->label_count)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a quadtree of %d labels: point %zu has the label %d",
                        map->label_count, i, map->labels[i]);
  return TUTTI_OK;
}

static tutti_status check_limits(const tutti_label_map *map, const tutti_quadtree_limits *limits, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  if (!(limits->accuracy >= 0 && limits->accuracy <= 1)) /* true for NaN */
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the accuracy of a quadtree is a share from 0 to 1, not %g",
                      limits->accuracy);
  for (int axis = 0; axis < TUTTI_AXES && status == TUTTI_OK; axis++)
    status = check_axis(map, axis, error);
  return status == TUTTI_OK ? check_labels(map, error) : status;
}

/* ---- growing ---- */

#define MAX_NODES (UINT32_C(1) << 24) /* 256 MiB: long and narrow maps need more nodes than they have points */

/* A tree that grows. */
struct growth {
  struct label_histogram histogram;
  const tutti_quadtree_limits *limits;
  tutti_quadtree *tree;
  struct quadtree_region *regions; /* [capacity] of each node */
  uint32_t capacity;
};

static bool enlarge(struct growth *growth)
{
  tutti_quadtree *tree = growth->tree;
  uint32_t capacity = growth->capacity ? 2 * growth->capacity : 64;
  if (capacity > MAX_NODES)
    return false;
  struct quadtree_node *nodes = aligned_alloc(QUADTREE_LINE, capacity * sizeof *nodes);
  if (!nodes)
    tutti_out_of_memory();
  growth->regions = tutti_xrealloc(growth->regions, capacity * sizeof *growth->regions);
  if (tree->count > 0)
    memcpy(nodes, tree->nodes, tree->count * sizeof *nodes);
  free(tree->nodes);
  tree->nodes = nodes;
  growth->capacity = capacity;
  return true;
}

/* Append a block of leaves; false without space. */
static bool append_block(struct growth *growth)
{
  tutti_quadtree *tree = growth->tree;
  uint32_t fan = (uint32_t)tree->fan;
  if (tree->count + fan > growth->capacity && !enlarge(growth))
    return false;
  memset(growth->regions + tree->count, 0, fan * sizeof *growth->regions);
  for (uint32_t i = 0; i < fan; i++)
    tree->nodes[tree->count + i] = (struct quadtree_node){.next = QUADTREE_LEAF};
  tree->count += fan;
  return true;
}

static uint64_t cut_axis(const struct growth *growth, const struct quadtree_region *region, int axis, uint64_t most)
{
  if (!(growth->tree->tested & 1u << axis))
    return most;
  uint32_t half = region_side(&growth->histogram, region, axis) / 2;
  return axis_cut(&growth->histogram.axes[axis], region->first[axis] + half);
}

static struct quadtree_region child_region(const struct growth *growth, const struct quadtree_region *region,
                                           unsigned child)
{
  struct quadtree_region half = *region;
  for (int axis = 0; axis < TUTTI_AXES; axis++)
    if (child & 1u << axis)
      half.first[axis] += region_side(&growth->histogram, region, axis) / 2;
  half.depth++;
  return half;
}

static bool split(struct growth *growth, uint32_t index)
{
  tutti_quadtree *tree = growth->tree;
  uint32_t next = tree->count;
  if (!append_block(growth))
    return false;
  const struct quadtree_region *region = &growth->regions[index];
  tree->nodes[index] =
      (struct quadtree_node){.ranks = (uint32_t)cut_axis(growth, region, TUTTI_AXIS_RANKS, QUADTREE_MAX_RANKS),
                             .next = next,
                             .cuts = cut_axis(growth, region, TUTTI_AXIS_BYTES, QUADTREE_MAX_BYTES) << QUADTREE_NODES |
                                     cut_axis(growth, region, TUTTI_AXIS_RANKS_PER_NODE, QUADTREE_MAX_NODES)};
  for (unsigned child = 0; child < (unsigned)tree->fan; child++)
    if (quadtree_has_child(tree, child))
      growth->regions[next + child] = child_region(growth, region, child);
  return true;
}

/* Whether a region is good enough as one leaf, or must not be split further. */
static bool is_settled(const struct growth *growth, const struct quadtree_region *region,
                       const struct quadtree_count *count)
{
  const tutti_quadtree_limits *limits = growth->limits;
  return count->other == 0 || region->depth == growth->tree->levels ||
         (limits->depth >= 0 && region->depth >= limits->depth) ||
         (limits->accuracy > 0 && (double)(count->cells - count->other) >= limits->accuracy * (double)count->cells);
}

static bool grow(struct growth *growth)
{
  tutti_quadtree *tree = growth->tree;
  if (!append_block(growth))
    return false;
  for (uint32_t i = 0; i < tree->count; i++) {
    if (!quadtree_has_node(tree, i))
      continue;
    struct quadtree_count count = count_region(&growth->histogram, &growth->regions[i]);
    if (is_settled(growth, &growth->regions[i], &count))
      tree->nodes[i] = (struct quadtree_node){.next = QUADTREE_LEAF | (uint32_t)count.label, .cuts = count.other};
    else if (!split(growth, i))
      return false;
  }
  return true;
}

static void describe(const struct label_histogram *histogram, tutti_quadtree *tree)
{
  tree->label_count = histogram->map->label_count;
  tree->fan = histogram->map->counts[TUTTI_AXIS_RANKS_PER_NODE] > 1 ? 8 : 4;
  for (int axis = 0; axis < TUTTI_AXES; axis++)
    if (histogram->axes[axis].count > 1) {
      tree->tested |= 1u << axis;
      tree->levels = histogram->axes[axis].levels;
    }
}

tutti_status tutti_quadtree_create(const tutti_label_map *map, const tutti_quadtree_limits *limits,
                                   tutti_quadtree **tree, tutti_error *error)
{
  struct growth growth = {.limits = limits};
  tutti_status status = check_limits(map, limits, error);
  *tree = NULL;
  if (status != TUTTI_OK)
    return status;
  growth.histogram = create_histogram(map);
  growth.tree = tutti_xcalloc(1, sizeof *growth.tree);
  describe(&growth.histogram, growth.tree);
  if (!grow(&growth)) {
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "no room for a quadtree of %d communicator and %d message sizes",
                        map->counts[TUTTI_AXIS_RANKS], map->counts[TUTTI_AXIS_BYTES]);
    tutti_quadtree_free(growth.tree);
    growth.tree = NULL;
  }
  *tree = growth.tree;
  free(growth.regions);
  free(growth.histogram.cells);
  free(growth.histogram.found);
  return status;
}

void tutti_quadtree_free(tutti_quadtree *tree)
{
  if (tree)
    free(tree->nodes);
  free(tree);
}
