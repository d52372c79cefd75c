/* Linear scatter and scatterv: the root sends every rank its block.

   Any number of ranks, any root. Cost (Hockney): (P - 1) (alpha + beta m). */
#include "algorithms/builders.h"

void tutti_build_scatter_linear(tutti_builder *builder, const tutti_call *call)
{
  tutti_block own = tutti_block_of(TUTTI_OUTPUT, 0, call->count);
  if (call->rank != call->root) {
    if (call->count > 0)
      tutti_add_recv(builder, call->root, own);
    return;
  }
  for (int r = 0; r < call->size; r++) {
    tutti_block block = tutti_input_block(call, r);
    if (r == call->root)
      tutti_add_copy(builder, block, own);
    else if (block.count > 0)
      tutti_add_send(builder, r, block);
  }
}
