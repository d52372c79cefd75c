/* Replication of the points of an axis, and where a cut between two cells lies. */
#include "decision/learners/quadtree/quadtree_axis.h"

#include <math.h>

int tutti_quadtree_axis_point(const struct quadtree_axis *axis, uint64_t cell)
{
  return (int)(cell * (uint64_t)axis->count >> axis->levels);
}

uint64_t tutti_quadtree_axis_cell(const struct quadtree_axis *axis, int point)
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
  uint64_t before = cell - tutti_quadtree_axis_cell(axis, point),
           after = tutti_quadtree_axis_cell(axis, point + 1) - cell;
  return point > 0 && (point == axis->count - 1 || after >= before);
}

/* A cut through the cells of one point takes all of that point to one side; both sides show it. */
uint64_t tutti_quadtree_axis_cut(const struct quadtree_axis *axis, uint64_t cell)
{
  int below = tutti_quadtree_axis_point(axis, cell - 1), above = tutti_quadtree_axis_point(axis, cell);
  if (below == above && belongs_above(axis, below, cell))
    below--;
  else if (below == above)
    above++;
  return mean_between(axis->values[below], axis->values[above]);
}
