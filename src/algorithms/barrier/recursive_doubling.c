/* Recursive doubling barrier (Pjesivac-Grbovic 2007, section 4.1.2): in step k rank r exchanges a message without data
   with r XOR 2^k. If P is not a power of two, only the largest power of two Q below it takes part; a rank r >= Q first
   reports to r - Q and is told by it at the end.

       P = 6:  4 -> 0, 5 -> 1;   (0,1) (2,3);   (0,2) (1,3);   0 -> 4, 1 -> 5

   Any number of ranks. Cost (Hockney, table 4.2): log2(P) alpha, or (floor(log2 P) + 2) alpha. */
#include "algorithms/barrier/steps.h"
#include "algorithms/builders.h"

static void build_outside(tutti_builder *builder, int server)
{
  tutti_vertex_id report = tutti_add_send(builder, server, tutti_no_data());
  tutti_add_after(builder, tutti_add_recv(builder, server, tutti_no_data()), report);
}

static void build_inside(tutti_builder *builder, const tutti_call *call, int power)
{
  int served = call->rank + power;
  struct steps steps = tutti_steps_begin();
  if (served < call->size)
    steps.received = tutti_add_recv(builder, served, tutti_no_data());
  for (int width = 1; width < power; width *= 2)
    tutti_steps_add(builder, &steps, call->rank ^ width, call->rank ^ width);
  if (served < call->size) {
    tutti_vertex_id exit = tutti_add_send(builder, served, tutti_no_data());
    tutti_add_after(builder, exit, steps.sent);
    tutti_add_after(builder, exit, steps.received);
  }
}

void tutti_build_barrier_recursive_doubling(tutti_builder *builder, const tutti_call *call)
{
  int power = 1;
  while (power <= call->size / 2)
    power *= 2;
  if (call->rank < power)
    build_inside(builder, call, power);
  else
    build_outside(builder, call->rank - power);
}
