/* Linear all-to-all, without and with synchronisation (Pjesivac-Grbovic 2007, section 4.1.2).

   Every rank posts a receive from everyone and a send to everyone, its successor first, so that not all of them begin
   with the same receiver.

       rank 1 of 4:  sends to 2, 3, 0;  receives from 0, 3, 2

   Without synchronisation all of them are posted at once. With it at most max_requests are outstanding in each
   direction: message i is posted when message i - max_requests is complete. (An MPI library would post it when any of
   the window is; a schedule names the one it waits for. As all ranks go round in the same order, the oldest is as a
   rule the first to complete.)

   Serves alltoallv and alltoallw as well; empty blocks are left out and take no place in the window. There is no
   deadlock, whatever is left out: a message waits only for messages over shorter distances. Any number of ranks. No
   temporaries. Cost (Hockney, table 4.7): (P - 1) (alpha + beta m) for blocks of m bytes. */
#include <limits.h>

#include "algorithms/alltoall/direct.h"
#include "algorithms/builders.h"

/* Add the messages of one direction. They are consecutive vertices, so the one to wait for is `most` before. */
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
  add_messages(builder, call, tutti_alltoall_recv, most);
  add_messages(builder, call, tutti_alltoall_send, most);
  tutti_alltoall_keep(builder, call);
}

void tutti_build_alltoall_linear(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, INT_MAX);
}

void tutti_build_alltoall_linear_sync(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, call->parameters.k);
}
