/* An axis of a map of labels, replicated to 2^levels cells. */
#ifndef TUTTI_DECISION_QUADTREE_AXIS_H
#define TUTTI_DECISION_QUADTREE_AXIS_H

#include <stdint.h>

struct quadtree_axis {
  int count; /* points */
  int levels;
  const uint64_t *values; /* [count] */
};

/* The point that a cell shows: floor(cell count / 2^levels). */
int tutti_quadtree_axis_point(const struct quadtree_axis *axis, uint64_t cell);

/* The first cell that shows a point, or, with @p point = count, the number of cells. */
uint64_t tutti_quadtree_axis_cell(const struct quadtree_axis *axis, int point);

/* The value above which a question goes to @p cell and those after it. 0 < cell < 2^levels. */
uint64_t tutti_quadtree_axis_cut(const struct quadtree_axis *axis, uint64_t cell);

#endif
