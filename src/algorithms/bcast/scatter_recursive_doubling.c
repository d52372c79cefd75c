/* Broadcast as binomial scatter and recursive doubling allgather (Thakur, Rabenseifner, Gropp 2005, section 3.4).

   With P a power of two: after the scatter, in step j virtual rank v swaps the 2^j blocks of its group with v XOR 2^j.
   The rank whose number is a multiple of 2^(j+1) holds its partner's blocks from the scatter already and is sent
   nothing.

       step 0: (0,1) (2,3)    step 1: (0,2) (1,3)

   Otherwise the algorithm runs on the largest power of two Q below P, and rank v < P - Q forwards what it gets, as it
   gets it, to v + Q.

   Any number of ranks, any root. Cost (Hockney), P a power of two: 2 log2(P) alpha + 2 (P - 1) / P beta m; otherwise
   one more full message on the critical path. */
#include "algorithms/bcast/pieces.h"
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
static void forward(tutti_builder *builder, const struct pieces *pieces, tutti_vertex_id received, tutti_block block)
{
  int outside = pieces->v + pieces->parts;
  if (outside < pieces->call->size && block.count > 0)
    tutti_add_after(builder, tutti_add_send(builder, tutti_pieces_rank(pieces, outside), block), received);
}

static void swap_groups(tutti_builder *builder, const struct pieces *pieces, int width, struct holding *holding)
{
  int v = pieces->v, partner = v ^ width;
  int own_group = v & ~(width - 1), other_group = partner & ~(width - 1);
  tutti_block own = tutti_pieces_range(pieces, own_group, width);
  tutti_block other = tutti_pieces_range(pieces, other_group, width);
  if (own.count > 0 && partner % (2 * width) != 0)
    after_all(builder, tutti_add_send(builder, tutti_pieces_rank(pieces, partner), own), holding);
  if (other.count > 0 && v % (2 * width) != 0) {
    tutti_vertex_id received = tutti_add_recv(builder, tutti_pieces_rank(pieces, partner), other);
    holding->received[holding->count++] = received;
    forward(builder, pieces, received, other);
  }
}

static void build_inside(tutti_builder *builder, const struct pieces *pieces)
{
  struct holding holding = {.count = 0};
  tutti_vertex_id scattered = tutti_build_pieces_scatter(builder, pieces);
  holding.received[holding.count++] = scattered;
  forward(builder, pieces, scattered, tutti_pieces_range(pieces, pieces->v, tutti_pieces_span(pieces, pieces->v)));
  for (int width = 1; width < pieces->parts; width *= 2)
    swap_groups(builder, pieces, width, &holding);
}

/* A rank outside receives exactly what its server forwards, in the same order. */
static void build_outside(tutti_builder *builder, struct pieces pieces)
{
  int server = pieces.v - pieces.parts, from = tutti_pieces_rank(&pieces, server);
  tutti_block block = tutti_pieces_range(&pieces, server, tutti_pieces_span(&pieces, server));
  if (block.count > 0)
    tutti_add_recv(builder, from, block);
  for (int width = 1; width < pieces.parts; width *= 2) {
    block = tutti_pieces_range(&pieces, (server ^ width) & ~(width - 1), width);
    if (block.count > 0 && server % (2 * width) != 0)
      tutti_add_recv(builder, from, block);
  }
}

void tutti_build_bcast_scatter_recursive_doubling(tutti_builder *builder, const tutti_call *call)
{
  if (call->size == 1 || call->count == 0)
    return;
  struct pieces pieces = tutti_pieces(call, power_of_two_up_to(call->size));
  if (pieces.v < pieces.parts)
    build_inside(builder, &pieces);
  else
    build_outside(builder, pieces);
}
