/* What lies below the nodes of a quadtree, as far as questions can reach it. */
#ifndef TUTTI_DECISION_QUADTREE_SUMMARY_H
#define TUTTI_DECISION_QUADTREE_SUMMARY_H

#include "decision/learners/quadtree/quadtree_node.h"

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
