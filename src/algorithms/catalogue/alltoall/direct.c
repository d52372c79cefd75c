/* All-to-all exchanges in which every block goes straight from its owner to its receiver: linear, with and without
   synchronization, and pairwise in two orders. They serve alltoall and its irregular forms: a rank knows the counts of
   its own row and column, and needs no others. Empty blocks are not sent. */
#include <limits.h>

#include "algorithms/catalogue/builders.h"

/* Send the block for the rank `distance` places after the own one (1 <= distance < size, with wraparound); returns
   TUTTI_NO_VERTEX if it is empty. */
static tutti_vertex_id alltoall_send(tutti_builder *builder, const tutti_call *call, int distance)
{
  int to = (int)(((int64_t)call->rank + distance) % call->size);
  tutti_block block = tutti_input_block(call, to);
  return block.count > 0 ? tutti_add_send(builder, to, block) : TUTTI_NO_VERTEX;
}

/* Receive the block from the rank `distance` places before the own one: what that rank sends at the same distance. */
static tutti_vertex_id alltoall_recv(tutti_builder *builder, const tutti_call *call, int distance)
{
  int from = (int)(((int64_t)call->rank + call->size - distance) % call->size);
  tutti_block block = tutti_output_block(call, from);
  return block.count > 0 ? tutti_add_recv(builder, from, block) : TUTTI_NO_VERTEX;
}

/* Copy the block that a rank has for itself. */
static void alltoall_keep(tutti_builder *builder, const tutti_call *call)
{
  tutti_block own = tutti_input_block(call, call->rank);
  if (own.count > 0)
    tutti_add_copy(builder, own, tutti_output_block(call, call->rank));
}

/* Linear all-to-all, without and with synchronization (Pjesivac-Grbovic 2007, section 4.1.2).

   Every rank posts a receive from everyone and a send to everyone, its successor first, so that not all of them begin
   with the same receiver.

       rank 1 of 4:  sends to 2, 3, 0;  receives from 0, 3, 2

   Without synchronization all of them are posted at once. With it at most max_requests are outstanding in each
   direction: message i is posted when message i - max_requests is complete. (An MPI library would post it when any of
   the window is; a schedule names the one it waits for. As all ranks use the same cyclic order, the oldest usually
   completes first.)

   Serves alltoallv and alltoallw as well; empty blocks are left out and take no place in the window. There is no
   deadlock with any blocks left out: a message waits only for messages over shorter distances. Any number of ranks. No
   temporaries. Cost (Hockney, table 4.7): (P - 1) (alpha + beta m) for blocks of m bytes. */

/* Add the messages of one direction. They are consecutive vertices, so each waits for the one `most` before. */
static void add_messages(tutti_builder *builder, const tutti_call *call,
                         tutti_vertex_id (*add)(tutti_builder *, const tutti_call *, int), int most)
{
  tutti_vertex_id first = tutti_builder_next(builder);
  for (int distance = 1; distance < call->size; distance++) {
    tutti_vertex_id vertex = add(builder, call, distance);
    if (vertex != TUTTI_NO_VERTEX && vertex - first >= (tutti_vertex_id)most)
      tutti_add_after(builder, vertex, vertex - (tutti_vertex_id)most);
  }
}

static void build(tutti_builder *builder, const tutti_call *call, int most)
{
  uint64_t messages = 2 * ((uint64_t)call->size - 1);
  if (!tutti_builder_reserve(builder, messages + 1, most < call->size ? messages : 0))
    return;
  add_messages(builder, call, alltoall_recv, most);
  add_messages(builder, call, alltoall_send, most);
  alltoall_keep(builder, call);
}

void tutti_build_alltoall_linear(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, INT_MAX);
}

void tutti_build_alltoall_linear_sync(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, call->parameters.k);
}

/* Pairwise exchange (Pjesivac-Grbovic 2007, section 4.1.2): in step k rank r sends to r + k and receives from r - k,
   both modulo P, and the next step begins when both are complete. So each rank takes in one block at a time.

       P = 4:  step 1: r -> r + 1,  step 2: r -> r + 2,  step 3: r -> r + 3

   Serves alltoallv and alltoallw as well; empty blocks are left out. Any number of ranks. No temporaries.
   Cost (Hockney, table 4.7): (P - 1) (alpha + beta m) for blocks of m bytes. */

/* The messages that the next step waits for; either may be missing. */
struct step {
  tutti_vertex_id received, sent;
};

static void add_after_step(tutti_builder *builder, tutti_vertex_id vertex, const struct step *step)
{
  tutti_add_after(builder, vertex, step->received);
  tutti_add_after(builder, vertex, step->sent);
}

/* The two messages of a step, with ranks at these distances, which begins when the one before is complete; nothing if
   both are missing. */
static void add_step(tutti_builder *builder, const tutti_call *call, struct step *last, int from, int to)
{
  struct step step = {alltoall_recv(builder, call, from), TUTTI_NO_VERTEX};
  step.sent = alltoall_send(builder, call, to);
  add_after_step(builder, step.received, last);
  add_after_step(builder, step.sent, last);
  if (step.received != TUTTI_NO_VERTEX || step.sent != TUTTI_NO_VERTEX)
    *last = step;
}

void tutti_build_alltoall_pairwise(tutti_builder *builder, const tutti_call *call)
{
  struct step last = {TUTTI_NO_VERTEX, TUTTI_NO_VERTEX};
  uint64_t steps = (uint64_t)call->size - 1;
  if (!tutti_builder_reserve(builder, 2 * steps + 1, 4 * steps))
    return;
  for (int distance = 1; distance < call->size; distance++)
    add_step(builder, call, &last, distance, distance);
  alltoall_keep(builder, call);
}

/* Pairwise exchange in the order of the ranks (MPICH's pairwise_sendrecv_replace, for the call in which the blocks that
   arrive take the places of those that leave): rank r swaps blocks with 0, 1, ..., P - 1, itself left out, with one of
   them at a time. A complete swap needs no memory any more, so in place one block suffices.

       P = 4:   (0,1);   (0,2);   (0,3) (1,2);   (1,3);   (2,3)

   The swap of i and j comes after those of i with ranks below j and of j with ranks below i, so it takes place in step
   i + j - 1 if all blocks have one size: 2 P - 3 steps, in which at most P / 2 pairs meet.
   Serves alltoallv and alltoallw as well; empty blocks are left out. Any number of ranks. No temporaries, as a schedule
   has an input and an output. Cost (Hockney): (2 P - 3) (alpha + beta m) for blocks of m bytes. */
void tutti_build_alltoall_pairwise_by_rank(tutti_builder *builder, const tutti_call *call)
{
  struct step last = {TUTTI_NO_VERTEX, TUTTI_NO_VERTEX};
  uint64_t steps = (uint64_t)call->size - 1;
  if (!tutti_builder_reserve(builder, 2 * steps + 1, 4 * steps))
    return;
  for (int peer = 0; peer < call->size; peer++) {
    int distance = (int)(((int64_t)peer - call->rank + call->size) % call->size);
    if (distance > 0)
      add_step(builder, call, &last, call->size - distance, distance);
  }
  alltoall_keep(builder, call);
}
