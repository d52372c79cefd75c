/* Pairwise reduce-scatter (Thakur, Rabenseifner, Gropp 2005, section 3.3): in step j rank r sends its contribution to
   block r + j to that rank and receives from r - j the contribution to its own block. A step begins when the messages
   of the step before are complete, so that no rank receives from two ranks at once.

       P = 4:   step 1: r -> r + 1,   step 2: r -> r + 2,   step 3: r -> r + 3

   Operands come in the order r, r - 1, r - 2, ...: commutative operations only. Any number of ranks; regular and
   irregular blocks of m bytes. Every contribution is sent only once, straight from the input: for long messages.
   Memory: two blocks, one being received while the other is combined. Cost (Hockney): (P - 1) (alpha + (beta + gamma)
   m). */
#include "algorithms/catalogue/builders.h"

/* The messages of the last step that had any; reduced is where the result is complete so far. */
struct progress {
  tutti_vertex_id sent, received, reduced;
};

static void wait_for(tutti_builder *builder, tutti_vertex_id vertex, const struct progress *before)
{
  tutti_add_after(builder, vertex, before->sent);
  tutti_add_after(builder, vertex, before->received);
}

/* The first contribution is received into the output, where the result is built. */
static void add_receive(tutti_builder *builder, const tutti_call *call, struct slots *slots, int from,
                        struct progress *progress)
{
  tutti_block result = tutti_block_of(TUTTI_OUTPUT, 0, call->count), where = result;
  bool first = progress->reduced == TUTTI_NO_VERTEX;
  progress->received =
      first ? tutti_add_recv(builder, from, result) : tutti_slots_recv(builder, slots, from, call->count, &where);
  tutti_vertex_id reduced = tutti_add_reduce(builder, first ? tutti_input_block(call, call->rank) : where, result);
  tutti_add_after(builder, reduced, progress->received);
  tutti_add_after(builder, reduced, progress->reduced);
  if (!first)
    tutti_slots_free(slots, where, reduced);
  progress->reduced = reduced;
}

static void add_step(tutti_builder *builder, const tutti_call *call, struct slots *slots, int j,
                     struct progress *progress)
{
  const struct progress before = *progress;
  int to = (int)(((int64_t)call->rank + j) % call->size),
      from = (int)(((int64_t)call->rank - j + call->size) % call->size);
  tutti_block theirs = tutti_input_block(call, to);
  if (theirs.count > 0) {
    progress->sent = tutti_add_send(builder, to, theirs);
    wait_for(builder, progress->sent, &before);
  }
  if (call->count > 0) {
    add_receive(builder, call, slots, from, progress);
    wait_for(builder, progress->received, &before);
  }
}

void tutti_build_reduce_scatter_pairwise(tutti_builder *builder, const tutti_call *call)
{
  int steps = call->size - 1;
  struct progress progress = {TUTTI_NO_VERTEX, TUTTI_NO_VERTEX, TUTTI_NO_VERTEX};
  struct slots slots = tutti_slots(builder, (uint64_t)(steps > 2 ? 2 : steps > 1), call->count);
  for (int j = 1; j <= steps; j++)
    add_step(builder, call, &slots, j, &progress);
  if (steps == 0)
    tutti_add_copy(builder, tutti_input_block(call, 0), tutti_block_of(TUTTI_OUTPUT, 0, call->count));
}
