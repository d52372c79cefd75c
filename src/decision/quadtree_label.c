/* Looking up: all axes are tested at once, and the outcomes are the bits of the index of the child. */
#include "decision/quadtree_node.h"

_Static_assert(sizeof(struct quadtree_node) == 16, "four nodes fill a cache line");

int tutti_quadtree_label(const tutti_quadtree *tree, int ranks, uint64_t bytes, int ranks_per_node)
{
  const struct quadtree_node *nodes = tree->nodes, *node = nodes;
  uint32_t size = ranks > 0 ? (uint32_t)ranks : 0, share = ranks_per_node > 0 ? (uint32_t)ranks_per_node : 0;
  bytes = bytes < QUADTREE_MOST_BYTES ? bytes : QUADTREE_MOST_BYTES;
  share = share < QUADTREE_MOST_NODES ? share : (uint32_t)QUADTREE_MOST_NODES;
  while (!quadtree_is_leaf(node))
    node = nodes + node->next + (size > node->ranks) + 2 * (bytes > node->cuts >> QUADTREE_NODES) +
           4 * (share > (uint32_t)(node->cuts & QUADTREE_MOST_NODES));
  return quadtree_leaf_label(node);
}
