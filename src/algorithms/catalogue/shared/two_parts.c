/* Collectives made of two others, one after the other, each by any algorithm (Pjesivac-Grbovic 2007, section 4.1.2). */
#include "algorithms/catalogue/allgather/packing.h"
#include "algorithms/catalogue/builders.h"

enum { FIRST, SECOND };

/* Allgather as gather and broadcast, also of irregular blocks: rank 0 gathers the blocks and broadcasts them as one
   message.

       0 <-- 1, 2, 3      then      0 --0 1 2 3--> 1, 2, 3

   Any number of ranks. Cost: that of the gather plus that of a broadcast of P m bytes. */
void tutti_build_allgather_gather_bcast(tutti_builder *builder, const tutti_call *call)
{
  struct packing packing;
  if (!tutti_packing_plan(builder, call, 0, &packing))
    return;
  tutti_block all = tutti_packed(&packing, 0, call->size);
  tutti_scope scope = tutti_scope_of_all(builder, TUTTI_NO_VERTEX);
  scope.output = all;
  tutti_vertex_id gathered = tutti_build_part(
      builder, call, FIRST, &scope, (tutti_call){.count = call->count, .output = call->output, .nodes = call->nodes});
  /* The gather leaves the other ranks' output alone: they can receive at once. */
  scope = tutti_scope_of_all(builder, call->rank == 0 ? gathered : TUTTI_NO_VERTEX);
  scope.output = all;
  tutti_vertex_id sent =
      tutti_build_part(builder, call, SECOND, &scope, (tutti_call){.count = all.count, .nodes = call->nodes});
  tutti_packing_arrived(&packing, call->rank == 0 ? gathered : sent, 0, call->size);
  tutti_packing_end(builder, &packing);
}

/* Allreduce as a reduction to rank 0 and a broadcast from there.

   Only the root of the reduction waits for it before the broadcast: the others have the output free and are ready to
   receive early. Any number of ranks; keeps the order of the operands if the reduction does. Cost: the sum of both. */
void tutti_build_allreduce_reduce_bcast(tutti_builder *builder, const tutti_call *call)
{
  tutti_call own = {.root = 0, .count = call->count};
  tutti_scope all = tutti_scope_of_all(builder, TUTTI_NO_VERTEX);
  tutti_vertex_id reduced = tutti_build_part(builder, call, FIRST, &all, own);
  all = tutti_scope_of_all(builder, call->rank == 0 ? reduced : TUTTI_NO_VERTEX);
  tutti_build_part(builder, call, SECOND, &all, own);
}

/* Reduce-scatter as a reduce of all blocks to rank 0 and a scatter, or scatterv, of the result.

       all --reduce--> 0 --scatter--> all

   Serves regular and irregular blocks, and the operations that the reduce serves. Memory: rank 0 holds the result of
   all blocks. Cost: that of the two parts, for blocks of m bytes a reduce of P m bytes. */
static uint64_t elements_of_all(const tutti_call *call)
{
  tutti_block last = tutti_input_block(call, call->size - 1);
  return last.first + last.count;
}

/* The other ranks' receives of the scatter need not wait until their part of the reduce is sent. */
void tutti_build_reduce_scatter_by_parts(tutti_builder *builder, const tutti_call *call)
{
  uint64_t all = elements_of_all(call);
  tutti_block result = tutti_no_data();
  if (call->rank == 0)
    result = tutti_block_of(tutti_builder_temporary(builder, all), 0, all);
  tutti_scope scope = tutti_scope_of_all(builder, TUTTI_NO_VERTEX);
  scope.output = result;
  tutti_vertex_id reduced = tutti_build_part(builder, call, FIRST, &scope, (tutti_call){.count = all});
  scope = tutti_scope_of_all(builder, call->rank == 0 ? reduced : TUTTI_NO_VERTEX);
  scope.input = result;
  tutti_build_part(builder, call, SECOND, &scope, (tutti_call){.count = call->count, .input = call->input});
}
