/* Looking up, and the shape of the tree. All axes are tested at once, and the outcomes are the bits of the index of the
 * child. */
#include "decision/learners/quadtree/quadtree.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

_Static_assert(sizeof(struct quadtree_node) == 16, "four nodes fill a cache line");

/* Bytes are compared in place: lower bits of the cuts do not matter, as they are 0 in the question. */
static int label_in_quadtree(const struct quadtree_node *nodes, uint32_t ranks, uint64_t bytes)
{
  const struct quadtree_node *node = nodes;
  while (!quadtree_is_leaf(node))
    node = nodes + (node->next + (ranks > node->ranks) + 2 * (bytes > node->cuts));
  return quadtree_leaf_label(node);
}

static int label_in_octree(const struct quadtree_node *nodes, uint32_t ranks, uint64_t bytes, uint32_t share)
{
  const struct quadtree_node *node = nodes;
  while (!quadtree_is_leaf(node))
    node = nodes + (node->next + (ranks > node->ranks) + 2 * (bytes > node->cuts) +
                    4 * (share > (uint32_t)(node->cuts & QUADTREE_MAX_NODES)));
  return quadtree_leaf_label(node);
}

int tutti_quadtree_label(const tutti_quadtree *tree, int ranks, uint64_t bytes, int ranks_per_node)
{
  uint32_t size = ranks > 0 ? (uint32_t)ranks : 0, share = ranks_per_node > 0 ? (uint32_t)ranks_per_node : 0;
  bytes = (bytes < QUADTREE_MAX_BYTES ? bytes : QUADTREE_MAX_BYTES) << QUADTREE_NODES;
  if (tree->fan == 4)
    return label_in_quadtree(tree->nodes, size, bytes);
  share = share < QUADTREE_MAX_NODES ? share : (uint32_t)QUADTREE_MAX_NODES;
  return label_in_octree(tree->nodes, size, bytes, share);
}

/* ---- depths and numbers of nodes: a leaf of depth d covers 2^-d of each axis ---- */

static void count_leaf(const tutti_quadtree *tree, int depth, tutti_classifier_shape *shape)
{
  shape->leaves++;
  shape->min_depth = depth < shape->min_depth ? depth : shape->min_depth;
  shape->max_depth = depth > shape->max_depth ? depth : shape->max_depth;
  shape->mean_depth += depth;
  shape->expected_depth += ldexp(depth, -depth * __builtin_popcount(tree->tested));
}

/* Children are appended level by level, so a level is a range: nodes from @p first to @p end are those of one level;
 * returns where the next one ends. */
static uint32_t count_level(const tutti_quadtree *tree, uint32_t first, uint32_t end, int depth,
                            tutti_classifier_shape *shape)
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

tutti_classifier_shape tutti_quadtree_measure(const tutti_quadtree *tree)
{
  tutti_classifier_shape shape = {.min_depth = INT_MAX,
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
