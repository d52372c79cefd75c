/* Broadcast as binomial scatter and ring allgather (Thakur, Rabenseifner, Gropp 2005, section 3.4).

   After the scatter virtual rank v holds block v (and, being the root of a subtree, the blocks of its subtree). In step
   j of the ring it sends block v - j to v + 1 and receives block v - 1 - j from v - 1. Blocks that the receiver already
   holds from the scatter are not sent again.

       0 -> 1 -> 2 -> 3 -> 0       step 0: 0 sends block 0, 1 block 1, ...

   Any number of ranks, any root. Cost (Hockney) without that saving:
     (ceil(log2 P) + P - 1) alpha + 2 (P - 1) / P beta m */
#include "algorithms/bcast/pieces.h"
#include "algorithms/builders.h"

static int wrap(int v, int size)
{
  return v < 0 ? v + size : v;
}

static bool holds(const struct pieces *pieces, int v, int block)
{
  return block >= v && block < v + tutti_pieces_span(pieces, v);
}

/* Is block passed on to virtual rank `to` in the ring? */
static bool travels(const struct pieces *pieces, int to, int block)
{
  return !holds(pieces, to, block) && tutti_pieces_range(pieces, block, 1).count > 0;
}

static void build_ring(tutti_builder *builder, const struct pieces *pieces, tutti_vertex_id scattered)
{
  int size = pieces->call->size, v = pieces->v;
  int right = (v + 1) % size, left = wrap(v - 1, size);
  tutti_vertex_id brought = scattered; /* what brought the block that is sent next */
  for (int j = 0; j < size - 1; j++) {
    int outgoing = wrap(v - j, size), incoming = wrap(v - 1 - j, size);
    if (travels(pieces, right, outgoing)) {
      tutti_block block = tutti_pieces_range(pieces, outgoing, 1);
      tutti_add_after(builder, tutti_add_send(builder, tutti_pieces_rank(pieces, right), block), brought);
    }
    brought = scattered;
    if (travels(pieces, v, incoming))
      brought = tutti_add_recv(builder, tutti_pieces_rank(pieces, left), tutti_pieces_range(pieces, incoming, 1));
  }
}

void tutti_build_bcast_scatter_ring(tutti_builder *builder, const tutti_call *call)
{
  if (call->size == 1 || call->count == 0)
    return;
  struct pieces pieces = tutti_pieces(call, call->size);
  build_ring(builder, &pieces, tutti_build_pieces_scatter(builder, &pieces));
}
