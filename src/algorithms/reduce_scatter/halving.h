/* Recursive halving among a power of two of ranks, the others' contributions folded in before. */
#ifndef TUTTI_ALGORITHMS_REDUCE_SCATTER_HALVING_H
#define TUTTI_ALGORITHMS_REDUCE_SCATTER_HALVING_H

#include "algorithms/reduce_scatter/partial.h"

/* Of the first ranks each two neighbors become one virtual rank, so that as many virtual ranks remain as the largest
   power of two says. They stand in the order of the ranks. The even one of two keeps on for both, but the root always
   keeps on.

       P = 6, root 0:   (0 1) (2 3) 4 5  are the virtual ranks 0 1 2 3, which 0, 2, 4 and 5 act for */
struct fold {
  const tutti_call *call;
  int power;  /* number of virtual ranks */
  int folded; /* those that are two ranks: the first */
  int v;      /* the virtual rank that the own rank belongs to */
};

struct fold tutti_fold(const tutti_call *call);

/* First rank of a virtual rank, and the one that acts for it. @{ */
int tutti_fold_first(const struct fold *fold, int v);
int tutti_fold_actor(const struct fold *fold, int v);
/* @} */

static inline bool tutti_fold_acts(const struct fold *fold)
{
  return tutti_fold_actor(fold, fold->v) == fold->call->rank;
}

/* Add the exchange between two neighbors, of all elements: one sends its contribution, the other combines. */
void tutti_fold_in(tutti_builder *builder, const struct fold *fold, struct partial *partial, struct range all);

/* First element of the blocks at a position, 0 to power. */
typedef uint64_t (*cut_function)(const struct fold *fold, int position);

/* The cut of reduce-scatter: the blocks of the ranks of virtual rank number `position`. */
uint64_t tutti_cut_by_rank(const struct fold *fold, int position);

static inline struct range tutti_cut_range(const struct fold *fold, cut_function cut, int first, int count)
{
  return (struct range){cut(fold, first), cut(fold, first + count)};
}

/* What the halving did, to be undone. */
struct halving {
  int steps;
  int position;           /* of the blocks that the virtual rank ends with */
  struct range given[32]; /* [steps] sent to the peer of the step */
};

/* Add log2(power) exchanges in which each virtual rank keeps half of what it has. With the farthest peer first (v XOR
   power / 2) it ends with the blocks at position v; with the nearest first (v XOR 1), which keeps the order of the
   operands, at the position whose bits are those of v in reverse. The last step receives into `into` if not NULL. */
struct halving tutti_halve(tutti_builder *builder, const struct fold *fold, struct partial *partial, cut_function cut,
                           bool nearest_first, const struct place *into);

/* Bits of v in reverse. */
int tutti_mirror(const struct fold *fold, int v);

/* The end of a reduce-scatter: the partial result has the blocks of the ranks of virtual rank `held`; put the own one
   into the output and send the others to their ranks. The own one comes from virtual rank `holder`. */
void tutti_hand_out(tutti_builder *builder, const struct fold *fold, const struct partial *partial, int held,
                    int holder);

#endif
