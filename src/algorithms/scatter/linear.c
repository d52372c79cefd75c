/* Linear scatter, also of irregular blocks (Pjesivac-Grbovic 2007, section 4.1.2): the root sends every rank its block.

             root
           / |  | \
          0  1  2  3     all sends start at once, in the order of the ranks

   Any number of ranks, any root. The ranks need to know no layout but the size of their own block, so it serves
   scatterv; a tree would have to broadcast the counts first, which costs what the tree saves.
   Cost (Hockney, table 4.4): (P - 1) (alpha + beta m) for blocks of m bytes. */
#include "algorithms/builders.h"

static void build_root(tutti_builder *builder, const tutti_call *call)
{
  tutti_builder_reserve(builder, (uint64_t)call->size, 0);
  for (int r = 0; r < call->size; r++) {
    tutti_block block = tutti_input_block(call, r);
    if (block.count == 0)
      continue;
    if (r == call->rank)
      tutti_add_copy(builder, block, tutti_block_of(TUTTI_OUTPUT, 0, block.count));
    else
      tutti_add_send(builder, r, block);
  }
}

void tutti_build_scatter_linear(tutti_builder *builder, const tutti_call *call)
{
  if (call->rank == call->root)
    build_root(builder, call);
  else if (call->count > 0)
    tutti_add_recv(builder, call->root, tutti_block_of(TUTTI_OUTPUT, 0, call->count));
}
