/* Recursive doubling reduce-scatter (Pjesivac-Grbovic 2007, section 4.1.2; Thakur, Rabenseifner, Gropp 2005, section
   3.3), for operations that need not commute. In step j virtual rank v exchanges with v XOR 2^j the combination of its
   group of 2^j virtual ranks, without the blocks of the own group, which no other rank needs. Groups are neighboring
   ranges, so the order of the operands is kept.

       P = 4, rank 0:   own 0 1 2 3   --123-->  1,  <--0 23--   (0 1): 0 . 2 3
                                      ---23-->  2,  <--0 1--    (0 1 2 3): 0

   Received parts of the own group's other blocks are not combined: no rank needs them, and the buffer has no operand
   there, which an operation of a program would notice.

   If P is not a power of two, neighboring ranks are folded before and unfolded at the end. Any number of ranks;
   regular and irregular blocks of m bytes. Memory: 2 P m. A step has two messages each way where the data are on
   both sides of the group. Cost (Hockney), P a power of two: log2(P) alpha + (P log2(P) - (P - 1)) beta m
   + (P log2(P) - 2 (P - 1) + log2(P)) gamma m. */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/reduce_scatter/halving.h"

/* The blocks below and above those of the group of v. */
static void outside_group(const struct fold *fold, int v, int width, struct range all, struct range outside[2])
{
  int first = v & ~(width - 1);
  struct range group = tutti_cut_range(fold, tutti_cut_by_rank, first, width);
  outside[0] = (struct range){all.first, group.first};
  outside[1] = (struct range){group.end, all.end};
}

static void build_steps(tutti_builder *builder, const struct fold *fold, struct partial *partial, struct range all)
{
  for (int width = 1; width < fold->power; width *= 2) {
    int peer = fold->v ^ width;
    struct range needed[3];
    struct exchange x = {.peer = tutti_fold_actor(fold, peer), .above = peer > fold->v};
    outside_group(fold, fold->v, width, all, x.give);
    outside_group(fold, peer, width, all, x.keep);
    outside_group(fold, fold->v, 2 * width, all, needed);
    needed[2] = tutti_cut_range(fold, tutti_cut_by_rank, fold->v, 1);
    x.combined = needed;
    tutti_partial_exchange(builder, partial, &x);
  }
}

void tutti_build_reduce_scatter_recursive_doubling(tutti_builder *builder, const tutti_call *call)
{
  struct fold fold = tutti_fold(call);
  struct range all = tutti_cut_range(&fold, tutti_cut_by_rank, 0, fold.power);
  struct partial partial = tutti_partial(call, all);
  tutti_fold_in(builder, &fold, &partial, all);
  if (tutti_fold_acts(&fold))
    build_steps(builder, &fold, &partial, all);
  tutti_hand_out(builder, &fold, &partial, fold.v, fold.v);
}
