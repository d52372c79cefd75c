/* Allreduce as an allgather of the messages, which every rank then combines for itself (Open MPI 6, allgather_reduce).

       P = 3:   all get 0, 1 and 2;   1 op 2, then 0 op that

   The allgather is linear: every rank sends its message to every other one. Operands are combined in the order of the
   ranks from the last to the first, the same everywhere: for any operation, and all ranks get the same bits. Any number
   of ranks. Temporary: the messages of P - 1 ranks.
   Cost (Hockney): (P - 1) (alpha + (beta + gamma) m). */
#include "algorithms/catalogue/builders.h"

/* Where the message of a rank is received; that of the last one in the output, as the result is. */
static tutti_block place_of(const tutti_call *call, tutti_buffer temporary, int rank)
{
  if (rank == call->size - 1)
    return tutti_block_of(TUTTI_OUTPUT, 0, call->count);
  if (rank == call->rank)
    return tutti_block_of(TUTTI_INPUT, 0, call->count);
  return tutti_block_of(temporary, (uint64_t)(rank - (rank > call->rank)) * call->count, call->count);
}

void tutti_build_allreduce_allgather_reduce(tutti_builder *builder, const tutti_call *call)
{
  int size = call->size, others = call->rank == size - 1 ? size - 1 : size - 2;
  tutti_block input = tutti_block_of(TUTTI_INPUT, 0, call->count),
              result = tutti_block_of(TUTTI_OUTPUT, 0, call->count);
  tutti_vertex_id *there = tutti_builder_scratch(builder, (size_t)size * sizeof *there), ready;
  if (call->count == 0 || !there)
    return;
  tutti_buffer temporary = others > 0 ? tutti_builder_temporary(builder, (uint64_t)others * call->count) : TUTTI_OUTPUT;
  there[call->rank] = call->rank == size - 1 ? tutti_add_copy(builder, input, result) : TUTTI_NO_VERTEX;
  for (int distance = 1; distance < size; distance++) {
    int from = (int)(((int64_t)call->rank + size - distance) % size);
    there[from] = tutti_add_recv(builder, from, place_of(call, temporary, from));
  }
  for (int distance = 1; distance < size; distance++)
    tutti_add_send(builder, (int)(((int64_t)call->rank + distance) % size), input);
  ready = there[size - 1];
  for (int rank = size - 1; rank-- > 0;) {
    tutti_vertex_id reduced = tutti_add_reduce(builder, place_of(call, temporary, rank), result);
    tutti_add_after(builder, reduced, ready);
    tutti_add_after(builder, reduced, there[rank]);
    ready = reduced;
  }
}
