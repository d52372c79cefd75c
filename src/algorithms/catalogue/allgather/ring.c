/* Ring allgather, also of irregular blocks (Pjesivac-Grbovic 2007, section 4.1.2): in step k rank r sends block r - k,
   which it got in the step before, to r + 1 and receives block r - k - 1 from r - 1.

       0 -> 1 -> 2 -> 3 -> 0       step 0: 0 sends block 0, 1 block 1, ...

   Any number of ranks. Needs no temporary: blocks arrive where they belong.
   Cost (Hockney, table 4.6): (P - 1) (alpha + beta m) for blocks of m bytes. */
#include "algorithms/catalogue/builders.h"

static int wrap(int rank, int size)
{
  return rank < 0 ? rank + size : rank;
}

void tutti_build_allgather_ring(tutti_builder *builder, const tutti_call *call)
{
  int size = call->size, right = call->rank == size - 1 ? 0 : call->rank + 1, left = wrap(call->rank - 1, size);
  tutti_block own = tutti_output_block(call, call->rank), outgoing = tutti_block_of(TUTTI_INPUT, 0, own.count);
  tutti_vertex_id brought = TUTTI_NO_VERTEX; /* the receive of the block that is sent next */
  tutti_builder_reserve(builder, 2 * (uint64_t)size, (uint64_t)size);
  if (own.count > 0)
    tutti_add_copy(builder, outgoing, own);
  for (int k = 0; k < size - 1; k++) {
    tutti_block incoming = tutti_output_block(call, wrap(call->rank - k - 1, size));
    if (outgoing.count > 0)
      tutti_add_after(builder, tutti_add_send(builder, right, outgoing), brought);
    brought = incoming.count > 0 ? tutti_add_recv(builder, left, incoming) : TUTTI_NO_VERTEX;
    outgoing = incoming;
  }
}

/* Allgather of two ranks, also of irregular blocks: they swap their blocks.

       0 <--> 1

   Cost (Hockney): alpha + beta m for blocks of m bytes. Source: Open MPI 4.1, allgather two_proc. */
void tutti_build_allgather_two_process(tutti_builder *builder, const tutti_call *call)
{
  int other = 1 - call->rank;
  tutti_block mine = tutti_output_block(call, call->rank), theirs = tutti_output_block(call, other);
  tutti_block input = tutti_block_of(TUTTI_INPUT, 0, mine.count);
  if (theirs.count > 0)
    tutti_add_recv(builder, other, theirs);
  if (mine.count > 0) {
    tutti_add_send(builder, other, input);
    tutti_add_copy(builder, input, mine);
  }
}
