/* Looking up: all axes are tested at once, and the outcomes are the bits of the index of the child. */
#include "decision/learners/quadtree/quadtree_node.h"

_Static_assert(sizeof(struct quadtree_node) == 16, "four nodes fill a cache line");

/* Bytes are compared in place: whatever stands below them in the cuts decides nothing, as it is 0 in the question. */
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
                    4 * (share > (uint32_t)(node->cuts & QUADTREE_MOST_NODES)));
  return quadtree_leaf_label(node);
}

int tutti_quadtree_label(const tutti_quadtree *tree, int ranks, uint64_t bytes, int ranks_per_node)
{
  uint32_t size = ranks > 0 ? (uint32_t)ranks : 0, share = ranks_per_node > 0 ? (uint32_t)ranks_per_node : 0;
  bytes = (bytes < QUADTREE_MOST_BYTES ? bytes : QUADTREE_MOST_BYTES) << QUADTREE_NODES;
  if (tree->fan == 4)
    return label_in_quadtree(tree->nodes, size, bytes);
  share = share < QUADTREE_MOST_NODES ? share : (uint32_t)QUADTREE_MOST_NODES;
  return label_in_octree(tree->nodes, size, bytes, share);
}
