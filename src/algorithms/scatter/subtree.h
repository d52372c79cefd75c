/* Subtrees of the in-order binomial tree of scatter and gather. Counted from the root of the operation, the ranks of a
   subtree are a range that begins with its own root. So are their blocks, but for the one subtree in which the numbers
   of the ranks start again from 0. */
#ifndef TUTTI_ALGORITHMS_SCATTER_SUBTREE_H
#define TUTTI_ALGORITHMS_SCATTER_SUBTREE_H

#include "tutti/algorithm.h"

struct subtree {
  int root;      /* its root, a rank of the group */
  int ranks;     /* number of ranks: root, root + 1, ... modulo the size of the group */
  int unwrapped; /* how many of them come before the numbers start again; usually all */
};

/* The subtree below `rank`: as many ranks as the lowest set bit of its number, counted from the root, says. */
static inline struct subtree tutti_subtree(const tutti_call *call, int rank)
{
  int v = rank >= call->root ? rank - call->root : rank + (call->size - call->root);
  int rest = call->size - v, lowest = v & -v, ranks = v == 0 || rest < lowest ? rest : lowest;
  int before = call->size - rank;
  return (struct subtree){rank, ranks, ranks < before ? ranks : before};
}

/* `ranks` blocks from block `first` on of a buffer in which all blocks have the same size. */
static inline tutti_block tutti_equal_blocks(const tutti_call *call, tutti_buffer buffer, int first, int ranks)
{
  return tutti_block_of(buffer, (uint64_t)first * call->count, (uint64_t)ranks * call->count);
}

#endif
