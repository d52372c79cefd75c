/* Depths and numbers of nodes, as tables 6.4 and 6.5 of Pjesivac-Grbovic 2007 count them: the root has depth 0, and a
 * leaf of depth d covers 2^-d of each axis. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "decision/learners/quadtree/quadtree_node.h"

static void count_leaf(const tutti_quadtree *tree, int depth, tutti_quadtree_shape *shape)
{
  shape->leaves++;
  shape->least_depth = depth < shape->least_depth ? depth : shape->least_depth;
  shape->most_depth = depth > shape->most_depth ? depth : shape->most_depth;
  shape->mean_depth += depth;
  shape->expected_depth += ldexp(depth, -depth * __builtin_popcount(tree->tested));
}

/* Children are appended level by level, so a level is a range: nodes from @p first to @p end are those of one level;
 * returns where the next one ends. */
static uint32_t count_level(const tutti_quadtree *tree, uint32_t first, uint32_t end, int depth,
                            tutti_quadtree_shape *shape)
{
  uint32_t next = end;
  for (uint32_t i = first; i < end; i++) {
    if (!quadtree_has_node(tree, i))
      continue;
    shape->nodes++;
    if (quadtree_is_leaf(&tree->nodes[i]))
      count_leaf(tree, depth, shape);
    else
      next = tree->nodes[i].next + (uint32_t)tree->fan;
  }
  return next;
}

tutti_quadtree_shape tutti_quadtree_measure(const tutti_quadtree *tree)
{
  tutti_quadtree_shape shape = {.least_depth = INT_MAX,
                                .bytes = sizeof *tree + tree->count * sizeof *tree->nodes,
                                .node_bytes = (int)sizeof *tree->nodes};
  uint32_t first = 0, end = (uint32_t)tree->fan;
  for (int depth = 0; first < end; depth++) {
    uint32_t next = count_level(tree, first, end, depth, &shape);
    first = end;
    end = next;
  }
  shape.mean_depth /= shape.leaves;
  return shape;
}
