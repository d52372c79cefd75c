/* Allgather of two ranks, also of irregular blocks: they swap their blocks.

       0 <--> 1

   Cost (Hockney): alpha + beta m for blocks of m bytes. Source: Open MPI 4.1, allgather two_proc. */
#include "algorithms/builders.h"

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
