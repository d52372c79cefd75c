/* A quadtree in memory: blocks of 4 (octree: 8) nodes of 16 bytes, the children of one node a block. A block of a
 * quadtree is a cache line, and the cuts are in the nodes: a lookup reads one line a level and nothing else. */
#ifndef TUTTI_DECISION_QUADTREE_H
#define TUTTI_DECISION_QUADTREE_H

#include <stdint.h>

#include "tutti/learners.h"

#define QUADTREE_LEAF  UINT32_C(0x80000000)
#define QUADTREE_LINE  64 /* bytes of a cache line */
#define QUADTREE_NODES 16 /* bits of cuts for the ranks per node */

/* Most that a cut can say: of an axis that is not tested, nothing is above it. @{ */
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

/* Is child number @p child of a block used? */
static inline bool quadtree_has_child(const tutti_quadtree *tree, unsigned child)
{
  return (child & ~tree->tested) == 0;
}

/* Is a node used? Of the first block only the root is. */
static inline bool quadtree_has_node(const tutti_quadtree *tree, uint32_t index)
{
  unsigned fan = (unsigned)tree->fan;
  return index < fan ? index == 0 : quadtree_has_child(tree, index % fan);
}

/* Where an inner node cuts an axis. */
static inline uint64_t quadtree_cut(const struct quadtree_node *node, int axis)
{
  return axis == TUTTI_AXIS_RANKS   ? node->ranks
         : axis == TUTTI_AXIS_BYTES ? node->cuts >> QUADTREE_NODES
                                    : node->cuts & QUADTREE_MAX_NODES;
}

/* ---- label_histogram.c: which labels the cells of a region have ---- */

/* An axis of a map of labels, replicated to 2^levels cells. */
struct quadtree_axis {
  int count; /* points */
  int levels;
  const uint64_t *values; /* [count] */
};

/* The value above which a question goes to @p cell and those after it. 0 < cell < 2^levels. */
uint64_t tutti_quadtree_axis_cut(const struct quadtree_axis *axis, uint64_t cell);

/* A square (cube) of cells. */
struct quadtree_region {
  uint32_t first[TUTTI_AXES]; /* cell */
  int depth;                  /* halvings that made it */
};

/* What regions are counted on. */
struct label_histogram {
  const tutti_label_map *map;
  struct quadtree_axis axes[TUTTI_AXES];
  uint64_t *cells; /* [label_count] all 0 between two regions */
  int *found;      /* [label_count] labels of the region */
};

/* What was found. */
struct quadtree_count {
  int label;      /* the prevalent one by the tie rule of section 5.3.2 */
  uint64_t cells; /* of the region */
  uint64_t other; /* of these with another label */
};

tutti_status tutti_label_histogram_create(const tutti_label_map *map, struct label_histogram *histogram,
                                          tutti_error *error);
void tutti_label_histogram_free(struct label_histogram *histogram);

/* Cells of a region along an axis. */
uint32_t tutti_quadtree_region_side(const struct label_histogram *histogram, const struct quadtree_region *region,
                                    int axis);

struct quadtree_count tutti_label_histogram_count(struct label_histogram *histogram,
                                                  const struct quadtree_region *region);

/* ---- summary.c: what lies below the nodes, as far as questions can reach it ---- */

/* Of a node: only the parts of it that some question reaches count. */
struct quadtree_summary {
  uint64_t from[TUTTI_AXES]; /* questions that come here are from that ... */
  uint64_t upto[TUTTI_AXES]; /* ... up to that */
  double cells;              /* of the map */
  double other;              /* of these with a label that is not the one of their leaf */
  int label;                 /* that of the child with most cells */
  int uniform;               /* the label of all leaves; -1: they differ */
};

/* Children of a node, by their number in its block. */
struct quadtree_choice {
  int count;
  unsigned children[8];
};

/* [count of nodes], to be freed; NULL: out of memory. */
struct quadtree_summary *tutti_quadtree_summaries(const tutti_quadtree *tree);

/* The children of an inner node that questions reach, of those on the side @p outcome of the axes @p fixed. */
struct quadtree_choice tutti_quadtree_choose(const tutti_quadtree *tree, const struct quadtree_summary *summaries,
                                             uint32_t node, unsigned fixed, unsigned outcome);

/* Cells and labels of some children of an inner node together. */
struct quadtree_summary tutti_quadtree_sum_up(const tutti_quadtree *tree, const struct quadtree_summary *summaries,
                                              uint32_t node, const struct quadtree_choice *choice);

#endif
