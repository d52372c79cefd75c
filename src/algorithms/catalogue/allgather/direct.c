/* Direct allgather, also of irregular blocks (Open MPI 6, direct-messaging): every rank sends its block to every other
   one, its successor first, so that not all begin with the same receiver. All messages are posted at once.

       rank 1 of 4:  sends to 2, 3, 0;  receives from 0, 3, 2

   Any number of ranks. Needs no temporary.
   Cost (Hockney): (P - 1) (alpha + beta m) for blocks of m bytes. */
#include "algorithms/catalogue/builders.h"

void tutti_build_allgather_direct(tutti_builder *builder, const tutti_call *call)
{
  int64_t size = call->size;
  tutti_block own = tutti_output_block(call, call->rank), input = tutti_block_of(TUTTI_INPUT, 0, own.count);
  tutti_builder_reserve(builder, 2 * (uint64_t)size, 0);
  for (int64_t distance = 1; distance < size; distance++) {
    int from = (int)((call->rank + size - distance) % size);
    tutti_block block = tutti_output_block(call, from);
    if (block.count > 0)
      tutti_add_recv(builder, from, block);
  }
  if (own.count == 0)
    return;
  for (int64_t distance = 1; distance < size; distance++)
    tutti_add_send(builder, (int)((call->rank + distance) % size), input);
  tutti_add_copy(builder, input, own);
}
