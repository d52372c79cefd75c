/* A quadtree in memory: blocks of 4 (octree: 8) nodes of 16 bytes, the children of one node a block. A block of a
 * quadtree is a cache line, and the cuts are in the nodes: a lookup reads one line a level and nothing else. */
#ifndef TUTTI_DECISION_QUADTREE_H
#define TUTTI_DECISION_QUADTREE_H

#include <stdint.h>

#include "tutti/learners.h"

#define QUADTREE_LEAF  UINT32_C(0x80000000)
#define QUADTREE_LINE  64 /* bytes of a cache line */
#define QUADTREE_NODES 16 /* bits of cuts for the ranks per node */

/* Largest value of a cut: on an axis that is not tested, nothing is above it. @{ */
#define QUADTREE_MAX_RANKS UINT32_MAX
#define QUADTREE_MAX_BYTES ((UINT64_C(1) << (64 - QUADTREE_NODES)) - 1)
#define QUADTREE_MAX_NODES ((UINT64_C(1) << QUADTREE_NODES) - 1)
/* @} */

struct quadtree_node {
  uint32_t ranks; /* more ranks than that are in an upper child: bit TUTTI_AXIS_RANKS of its index in the block */
  uint32_t next;  /* index of the first child, or QUADTREE_LEAF | label */
  uint64_t cuts;  /* bytes << QUADTREE_NODES | ranks per node; of a leaf: its cells that have another label */
};

struct tutti_quadtree {
  struct quadtree_node *nodes; /* [count], on a cache line; the root is nodes[0], the rest of its block is not used */
  uint32_t count;
  unsigned tested; /* bit per axis; children above an axis that is not tested are not used */
  int fan;         /* nodes of a block: 4 or 8 */
  int levels;      /* 2^levels cells along each axis that is tested */
  int label_count;
};

static inline bool quadtree_is_leaf(const struct quadtree_node *node)
{
  return (node->next & QUADTREE_LEAF) != 0;
}

static inline int quadtree_leaf_label(const struct quadtree_node *node)
{
  return (int)(node->next & ~QUADTREE_LEAF);
}

/* Whether child number @p child of a block is used. */
static inline bool quadtree_has_child(const tutti_quadtree *tree, unsigned child)
{
  return (child & ~tree->tested) == 0;
}

/* Whether a node is used. In the first block only the root is. */
static inline bool quadtree_has_node(const tutti_quadtree *tree, uint32_t index)
{
  unsigned fan = (unsigned)tree->fan;
  return index < fan ? index == 0 : quadtree_has_child(tree, index % fan);
}

/* The position where an inner node cuts an axis. */
static inline uint64_t quadtree_cut(const struct quadtree_node *node, int axis)
{
  return axis == TUTTI_AXIS_RANKS   ? node->ranks
         : axis == TUTTI_AXIS_BYTES ? node->cuts >> QUADTREE_NODES
                                    : node->cuts & QUADTREE_MAX_NODES;
}

#endif
