/* Recursive doubling allreduce (Pjesivac-Grbovic 2007, section 4.1.2 and figure 4.10): in step k the rank at place v
   exchanges all it has with the one at place v XOR 2^k, and both combine the two partial results, the one of the lower
   ranks on the left.

       P = 6:  1 -> 0, 3 -> 2;   (0 2) (4 5);   (0 4) (2 5);   0 -> 1, 2 -> 3      places 0 1 2 3 are ranks 0 2 4 5

   Ranks beyond a power of two are folded into their neighbors, not into distant ranks, so a partial result always
   covers a range of ranks: the order of the operands is kept for any operation. Any number of ranks.
   Cost (Hockney, table 4.10): log2(P) (alpha + beta m + gamma m); if P is not a power of two two steps more, one of
   them without gamma m. Needs one temporary of the whole message. */
#include "algorithms/catalogue/allreduce/exchange.h"
#include "algorithms/catalogue/builders.h"

static void build_folded(tutti_builder *builder, const tutti_call *call, int partner)
{
  tutti_add_send(builder, partner, tutti_block_of(TUTTI_INPUT, 0, call->count));
  tutti_add_recv(builder, partner, tutti_block_of(TUTTI_OUTPUT, 0, call->count));
}

static void build_place(tutti_builder *builder, const tutti_call *call, const struct fold *fold)
{
  tutti_block all = tutti_block_of(TUTTI_OUTPUT, 0, call->count), none = tutti_no_data();
  bool serves = fold->partner >= 0;
  struct partial partial = tutti_exchange_begin(builder, tutti_higher_places(fold) + serves, all);
  if (serves)
    tutti_exchange(&partial, fold->partner, true, none, all);
  for (int width = 1; width < fold->power; width *= 2) {
    int peer = fold->place ^ width;
    tutti_exchange(&partial, tutti_folded_rank(peer, fold->pairs), peer > fold->place, all, all);
  }
  if (serves)
    tutti_add_after(builder, tutti_add_send(builder, fold->partner, all), partial.ready);
}

void tutti_build_allreduce_recursive_doubling(tutti_builder *builder, const tutti_call *call)
{
  struct fold fold = tutti_fold_neighbors(call);
  if (call->count == 0)
    return;
  if (call->size == 1)
    tutti_add_copy(builder, tutti_block_of(TUTTI_INPUT, 0, call->count), tutti_block_of(TUTTI_OUTPUT, 0, call->count));
  else if (fold.folded)
    build_folded(builder, call, fold.partner);
  else
    build_place(builder, call, &fold);
}
