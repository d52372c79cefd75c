/* Allgather by recursive exchange of radix k, also of irregular blocks (MPICH 4.2 recexch_doubling): the ranks beyond
   the largest power A of k are folded into neighbors, k - 1 into one, which acts for all of them; in the phase of place
   1, k, k^2, ... each of the A sends all blocks that it has, those of a range of ranks, to the k - 1 that differ from
   it in that digit of base k. The ranks that were folded are sent all blocks at the end.

       P = 5, k = 2:   0 -> 1;   (1 2) (3 4);   (1 3) (2 4) : 0 1 2 <-> 3 4;   1 -> 0 all

   Any number of ranks, any k from 2 on; recursive doubling is k = 2 on a power of two. Blocks arrive where they belong
   if they lie in the order of the ranks, else in a temporary.
   Cost (Hockney): log_k(P) alpha + (P - 1) beta m for blocks of m bytes if P is a power of k, each phase of k - 1
   messages that overlap; else two rounds more, the last of P blocks. */
#include "algorithms/allgather/packing.h"
#include "algorithms/radix.h"

static void build_folded(tutti_builder *builder, const tutti_call *call, int actor)
{
  struct packing packing;
  if (!tutti_packing_plan(builder, call, 0, &packing))
    return;
  tutti_block own = tutti_output_block(call, call->rank);
  if (own.count > 0)
    tutti_add_send(builder, actor, tutti_block_of(TUTTI_INPUT, 0, own.count));
  tutti_packing_receive(builder, &packing, actor, 0, call->size);
  tutti_packing_end(builder, &packing);
}

static void build_phase(tutti_builder *builder, const struct radix_fold *fold, struct packing *packing, int place)
{
  int own = fold->v / place % fold->k;
  int low = tutti_radix_first(fold, fold->v / place * place),
      end = tutti_radix_first(fold, fold->v / place * place + place);
  for (int digit = 0; digit < fold->k; digit++)
    if (digit != own)
      tutti_packing_send(builder, packing, tutti_radix_actor(fold, tutti_radix_peer(fold, fold->v, place, digit)), low,
                         end - low);
  for (int digit = 0; digit < fold->k; digit++) {
    int peer = tutti_radix_peer(fold, fold->v, place, digit), from = peer / place * place;
    int first = tutti_radix_first(fold, from), last = tutti_radix_first(fold, from + place);
    if (digit != own)
      tutti_packing_receive(builder, packing, tutti_radix_actor(fold, peer), first, last - first);
  }
}

void tutti_build_allgather_recursive_exchange(tutti_builder *builder, const tutti_call *call)
{
  struct packing packing;
  struct radix_fold fold = tutti_radix_fold(call);
  int first = tutti_radix_first(&fold, fold.v), actor = tutti_radix_actor(&fold, fold.v);
  if (call->rank != actor) {
    build_folded(builder, call, actor);
    return;
  }
  if (!tutti_packing_begin(builder, call, 0, &packing))
    return;
  for (int r = first; r < actor; r++)
    tutti_packing_receive(builder, &packing, r, r, 1);
  for (int place = 1; place < fold.power; place *= fold.k)
    build_phase(builder, &fold, &packing, place);
  for (int r = first; r < actor; r++)
    tutti_packing_send(builder, &packing, r, 0, call->size);
  tutti_packing_end(builder, &packing);
}
