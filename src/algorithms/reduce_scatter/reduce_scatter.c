/* Reduce-scatter as a reduce of all blocks to rank 0 and a scatter, or scatterv, of the result (Pjesivac-Grbovic 2007,
   section 4.1.2). Each part can be any method for it.

       all --reduce--> 0 --scatter--> all

   Serves regular and irregular blocks, and the operations that the reduce serves. Memory: rank 0 holds the result of
   all blocks. Cost: that of the two parts, for blocks of m bytes a reduce of P m bytes. */
#include "algorithms/builders.h"

enum { REDUCE, SCATTER };

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
  tutti_vertex_id reduced = tutti_build_part(builder, call, REDUCE, &scope, (tutti_call){.count = all});
  scope = tutti_scope_of_all(builder, call->rank == 0 ? reduced : TUTTI_NO_VERTEX);
  scope.input = result;
  tutti_build_part(builder, call, SCATTER, &scope, (tutti_call){.count = call->count, .input = call->input});
}
