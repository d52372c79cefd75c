/* Pairwise exchange (Pjesivac-Grbovic 2007, section 4.1.2): in step k rank r sends to r + k and receives from r - k,
   both modulo P, and the next step begins when both are complete. So each rank takes in one block at a time.

       P = 4:  step 1: r -> r + 1,  step 2: r -> r + 2,  step 3: r -> r + 3

   Serves alltoallv and alltoallw as well; empty blocks are left out. Any number of ranks. No temporaries.
   Cost (Hockney, table 4.7): (P - 1) (alpha + beta m) for blocks of m bytes. */
#include "algorithms/alltoall/direct.h"
#include "algorithms/builders.h"

/* The messages that the next step waits for; either may be missing. */
struct step {
  tutti_vertex_id received, sent;
};

static void add_after_step(tutti_builder *builder, tutti_vertex_id vertex, const struct step *step)
{
  tutti_add_after(builder, vertex, step->received);
  tutti_add_after(builder, vertex, step->sent);
}

void tutti_build_alltoall_pairwise(tutti_builder *builder, const tutti_call *call)
{
  struct step last = {TUTTI_NO_VERTEX, TUTTI_NO_VERTEX};
  uint64_t steps = (uint64_t)call->size - 1;
  if (!tutti_builder_reserve(builder, 2 * steps + 1, 4 * steps))
    return;
  for (int distance = 1; distance < call->size; distance++) {
    struct step step = {tutti_alltoall_recv(builder, call, distance), TUTTI_NO_VERTEX};
    step.sent = tutti_alltoall_send(builder, call, distance);
    add_after_step(builder, step.received, &last);
    add_after_step(builder, step.sent, &last);
    if (step.received != TUTTI_NO_VERTEX || step.sent != TUTTI_NO_VERTEX)
      last = step;
  }
  tutti_alltoall_keep(builder, call);
}
