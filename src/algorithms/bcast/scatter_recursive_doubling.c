/* Broadcast as binomial scatter and recursive doubling allgather (Thakur, Rabenseifner, Gropp 2005, section 3.4).

   With P a power of two: after the scatter, in step j virtual rank v swaps the 2^j blocks of its group with v XOR 2^j.
   The rank whose number is a multiple of 2^(j+1) holds its partner's blocks from the scatter already and is sent
   nothing.

       step 0: (0,1) (2,3)    step 1: (0,2) (1,3)

   Otherwise the algorithm runs on the largest power of two Q below P, and rank v < P - Q forwards what it gets, as it
   gets it, to v + Q.

   Any number of ranks, any root. Cost (Hockney), P a power of two: 2 log2(P) alpha + 2 (P - 1) / P beta m; otherwise
   one more full message on the critical path. */
#include "algorithms/bcast/scatter.h"
#include "algorithms/builders.h"

static int power_of_two_up_to(int size)
{
  int power = 1;
  while (power <= size / 2)
    power *= 2;
  return power;
}

/* What a rank holds so far: the receives that brought it, one for the scatter and one a step. */
struct holding {
  tutti_vertex_id received[32];
  int count;
};

static void after_all(tutti_builder *builder, tutti_vertex_id vertex, const struct holding *holding)
{
  for (int i = 0; i < holding->count; i++)
    tutti_add_after(builder, vertex, holding->received[i]);
}

/* Forward what has just been received to the rank outside the power of two, if this one serves any. */
static void forward(tutti_builder *builder, const struct scatter *scatter, tutti_vertex_id received, tutti_block block)
{
  int outside = scatter->v + scatter->parts;
  if (outside < scatter->call->size && block.count > 0)
    tutti_add_after(builder, tutti_add_send(builder, tutti_scatter_rank(scatter, outside), block), received);
}

static void swap_groups(tutti_builder *builder, const struct scatter *scatter, int width, struct holding *holding)
{
  int v = scatter->v, partner = v ^ width;
  int own_group = v & ~(width - 1), other_group = partner & ~(width - 1);
  tutti_block own = tutti_scatter_blocks(scatter, own_group, width);
  tutti_block other = tutti_scatter_blocks(scatter, other_group, width);
  if (own.count > 0 && partner % (2 * width) != 0)
    after_all(builder, tutti_add_send(builder, tutti_scatter_rank(scatter, partner), own), holding);
  if (other.count > 0 && v % (2 * width) != 0) {
    tutti_vertex_id received = tutti_add_recv(builder, tutti_scatter_rank(scatter, partner), other);
    holding->received[holding->count++] = received;
    forward(builder, scatter, received, other);
  }
}

static void build_inside(tutti_builder *builder, const struct scatter *scatter)
{
  struct holding holding = {.count = 0};
  tutti_vertex_id scattered = tutti_build_scatter(builder, scatter);
  holding.received[holding.count++] = scattered;
  forward(builder, scatter, scattered,
          tutti_scatter_blocks(scatter, scatter->v, tutti_scatter_span(scatter, scatter->v)));
  for (int width = 1; width < scatter->parts; width *= 2)
    swap_groups(builder, scatter, width, &holding);
}

/* A rank outside receives exactly what its server forwards, in the same order. */
static void build_outside(tutti_builder *builder, struct scatter scatter)
{
  int server = scatter.v - scatter.parts, from = tutti_scatter_rank(&scatter, server);
  tutti_block block = tutti_scatter_blocks(&scatter, server, tutti_scatter_span(&scatter, server));
  if (block.count > 0)
    tutti_add_recv(builder, from, block);
  for (int width = 1; width < scatter.parts; width *= 2) {
    block = tutti_scatter_blocks(&scatter, (server ^ width) & ~(width - 1), width);
    if (block.count > 0 && server % (2 * width) != 0)
      tutti_add_recv(builder, from, block);
  }
}

void tutti_build_bcast_scatter_recursive_doubling(tutti_builder *builder, const tutti_call *call)
{
  if (call->size == 1 || call->count == 0)
    return;
  struct scatter scatter = tutti_scatter(call, power_of_two_up_to(call->size));
  if (scatter.v < scatter.parts)
    build_inside(builder, &scatter);
  else
    build_outside(builder, scatter);
}
