/* Double ring barrier (Pjesivac-Grbovic 2007, section 4.1.2): a token goes around the ring twice; a rank that has
   forwarded it for the second time leaves.

       0 -> 1 -> 2 -> ... -> P-1 -> 0 -> 1 -> ... -> P-1 -> 0

   Any number of ranks. Cost (Hockney, table 4.2): 2 P alpha. */
#include "algorithms/builders.h"

void tutti_build_barrier_double_ring(tutti_builder *builder, const tutti_call *call)
{
  if (call->size == 1)
    return;
  int left = (call->rank + call->size - 1) % call->size, right = (call->rank + 1) % call->size;
  tutti_vertex_id last = TUTTI_NO_VERTEX;
  for (int round = 0; round < 2; round++) {
    if (call->rank == 0) {
      tutti_vertex_id send = tutti_add_send(builder, right, tutti_no_data());
      tutti_add_after(builder, send, last);
      last = tutti_add_recv(builder, left, tutti_no_data());
    } else {
      tutti_vertex_id received = tutti_add_recv(builder, left, tutti_no_data());
      last = tutti_add_send(builder, right, tutti_no_data());
      tutti_add_after(builder, last, received);
    }
  }
}
