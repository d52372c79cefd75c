/* Linear gather, also of irregular blocks (Pjesivac-Grbovic 2007, section 4.1.2): every rank sends its block to the
   root, which receives them all at once.

       0  1  2  3
        \ |  | /
          root

   Any number of ranks, any root. Only the root needs to know the layout, so it serves gatherv. With many ranks or large
   blocks the root is swamped: see linear-sync.
   Cost (Hockney, table 4.5): (P - 1) (alpha + beta m) for blocks of m bytes. */
#include "algorithms/builders.h"

static void build_root(tutti_builder *builder, const tutti_call *call)
{
  tutti_builder_reserve(builder, (uint64_t)call->size, 0);
  for (int r = 0; r < call->size; r++) {
    tutti_block block = tutti_output_block(call, r);
    if (block.count == 0)
      continue;
    if (r == call->rank)
      tutti_add_copy(builder, tutti_block_of(TUTTI_INPUT, 0, block.count), block);
    else
      tutti_add_recv(builder, r, block);
  }
}

void tutti_build_gather_linear(tutti_builder *builder, const tutti_call *call)
{
  if (call->rank == call->root)
    build_root(builder, call);
  else if (call->count > 0)
    tutti_add_send(builder, call->root, tutti_block_of(TUTTI_INPUT, 0, call->count));
}
