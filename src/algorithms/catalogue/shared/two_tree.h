/* Two binary trees; no rank is an inner node of both (Sanders, Speck, Traeff 2009). */
#ifndef TUTTI_ALGORITHMS_TWO_TREE_H
#define TUTTI_ALGORITHMS_TWO_TREE_H

#include "algorithms/catalogue/builders.h"

/* Neighbors of position x of the in-order tree of positions 1 to n; 0 is none. With the lowest set bit b of x the
   children are x - b / 2 and x + b / 2, or the highest subtree that there is on that side; odd positions are leaves.

       n = 6:      4
                 /   \
                2     6
               / \   /
              1   3 5          */
struct in_order {
  int64_t parent, left, right;
};

struct in_order tutti_in_order(int64_t x, int64_t n);
int64_t tutti_in_order_root(int64_t n);

/* The place of a rank in the first or second tree below a root that is in neither and sends to, or receives from, the
   roots of both. */
struct two_tree_place {
  int parent; /* -1: the rank is the root */
  int children[2], child_count;
};

struct two_tree_place tutti_two_tree_place(const tutti_call *call, bool second);

/* The half of the message that goes through a tree: the first one is not the shorter. */
tutti_segmentation tutti_two_tree_half(const tutti_call *call, bool second);

#endif
