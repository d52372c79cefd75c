/* Ring reduce-scatter (Pjesivac-Grbovic 2007, section 4.1.2): the partial result of block b starts at rank b + 1, goes
   round the ring and takes in each rank's contribution, and ends at rank b. In step j rank r passes the partial result
   of block r - j to r + 1.

       P = 3, block 0:   1 --1--> 2 --1 2--> 0

   The order of the operands goes round, too: commutative operations only. Any number of ranks; regular and irregular
   blocks of m bytes. Contributions are taken from the input as they are, so no copy of it is needed; a rank has three
   slots of the largest block.
   Cost (Hockney, table 4.9, without that copy): (P - 1) (alpha + (beta + gamma) m). */
#include "algorithms/catalogue/builders.h"

static uint64_t largest_block(const tutti_call *call)
{
  uint64_t largest = call->count;
  for (int r = 0; call->input.offsets && r < call->size; r++)
    if (tutti_layout_count(&call->input, r) > largest)
      largest = tutti_layout_count(&call->input, r);
  return largest;
}

static int wrap(int rank, int size)
{
  return rank < 0 ? rank + size : rank;
}

/* Receive the partial result of a block from the left and add the own contribution; *partial becomes its place. */
static tutti_vertex_id take_in(tutti_builder *builder, const tutti_call *call, struct slots *slots, tutti_block own,
                               bool last, tutti_block *partial)
{
  int left = wrap(call->rank - 1, call->size);
  *partial = tutti_block_of(TUTTI_OUTPUT, 0, own.count);
  tutti_vertex_id received =
      last ? tutti_add_recv(builder, left, *partial) : tutti_slots_recv(builder, slots, left, own.count, partial);
  tutti_vertex_id reduced = tutti_add_reduce(builder, own, *partial);
  tutti_add_after(builder, reduced, received);
  return reduced;
}

void tutti_build_reduce_scatter_ring(tutti_builder *builder, const tutti_call *call)
{
  int size = call->size, right = (call->rank + 1) % size;
  struct slots slots = tutti_slots(builder, (uint64_t)(size < 5 ? (size < 2 ? 0 : size - 2) : 3), largest_block(call));
  for (int j = 1; j <= size; j++) {
    tutti_block own = tutti_input_block(call, wrap(call->rank - j, size)), partial = own;
    tutti_vertex_id ready = TUTTI_NO_VERTEX;
    if (own.count == 0)
      continue;
    if (size == 1)
      tutti_add_copy(builder, own, tutti_block_of(TUTTI_OUTPUT, 0, own.count));
    else if (j > 1)
      ready = take_in(builder, call, &slots, own, j == size, &partial);
    if (j == size)
      return;
    tutti_vertex_id send = tutti_add_send(builder, right, partial);
    tutti_add_after(builder, send, ready);
    if (j > 1)
      tutti_slots_free(&slots, partial, send);
  }
}
