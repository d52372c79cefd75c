/* Trees of operands: the symbolic execution of verify.c, in which an element holds the hash of the tree of what was
   combined into it, whatever its place in the message. */
#ifndef TUTTI_ANALYSIS_OPERAND_TREES_H
#define TUTTI_ANALYSIS_OPERAND_TREES_H

#include "algorithms/analysis/ensemble.h"

/* A tree is a tutti_symbol: .hash with the order of the operands of each node, .scale without; 0 and 0: nothing. */

tutti_symbol tutti_tree_leaf(uint64_t number);
tutti_symbol tutti_tree_combine(tutti_symbol left, tutti_symbol right);

/* The aligned tree of leaves 0 to count - 1, as it grows: block[l] has the 2^l leaves of bit l of count. */
struct aligned_tree {
  uint64_t count;
  tutti_symbol block[64];
};

/* One leaf more; returns the tree. */
tutti_symbol tutti_tree_append(struct aligned_tree *tree);

/* That of so many leaves. */
tutti_symbol tutti_tree_aligned(uint64_t count);

/* The outputs of all ranks, rank by rank: those of rank r are tree[first[r]] to tree[first[r + 1] - 1]. */
struct operand_trees {
  int size;
  size_t *first;
  tutti_symbol *tree;
  tutti_error race; /* TUTTI_ERR_FAULT: the outcome hinges on the order of arrival */
};

/* Execute the schedules of all ranks; calls[r] is that of rank r. Free with tutti_operand_trees_free() in any case. */
tutti_status tutti_operand_trees(const tutti_method *method, const tutti_call *calls, struct operand_trees *trees,
                                 tutti_error *error);
void tutti_operand_trees_free(struct operand_trees *trees);

#endif
