/* Allgather as gather and broadcast, also of irregular blocks (Pjesivac-Grbovic 2007, section 4.1.2): rank 0 gathers
   the blocks and broadcasts them as one message. Any pair of methods can be chosen for the two parts.

       0 <-- 1, 2, 3      then      0 --0 1 2 3--> 1, 2, 3

   The message is the output itself where the blocks lie in it one after the other in the order of the ranks; else it is
   a temporary, so that what lies between the blocks is not touched, and every rank copies the blocks to their places.

   Any number of ranks. Cost: that of the gather plus that of a broadcast of P m bytes. */
#include "algorithms/allgather/packing.h"
#include "algorithms/builders.h"

enum { GATHER, BCAST };

void tutti_build_allgather_gather_bcast(tutti_builder *builder, const tutti_call *call)
{
  struct packing packing;
  if (!tutti_packing_plan(builder, call, 0, &packing))
    return;
  tutti_block all = tutti_packed(&packing, 0, call->size);
  tutti_scope scope = tutti_scope_of_all(builder, TUTTI_NO_VERTEX);
  scope.output = all;
  tutti_vertex_id gathered = tutti_build_part(
      builder, call, GATHER, &scope,
      (tutti_call){.count = call->count, .output = {call->output.counts, packing.offsets}, .nodes = call->nodes});
  /* The gather leaves the other ranks' output alone: they can receive at once. */
  scope = tutti_scope_of_all(builder, call->rank == 0 ? gathered : TUTTI_NO_VERTEX);
  scope.output = all;
  tutti_vertex_id sent =
      tutti_build_part(builder, call, BCAST, &scope, (tutti_call){.count = all.count, .nodes = call->nodes});
  tutti_packing_arrived(&packing, call->rank == 0 ? gathered : sent, 0, call->size);
  tutti_packing_end(builder, &packing);
}
