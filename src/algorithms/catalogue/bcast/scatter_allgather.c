/* Broadcasts by scatter and allgather: blocks of the message go down an in-order binomial tree, then every rank
   collects all of them, by recursive doubling or around a ring. */
#include "algorithms/catalogue/builders.h"

/* The message cut into one block per virtual rank, of equal size except the last ones, which may be short or empty. */
struct pieces {
  const tutti_call *call;
  int parts;       /* number of blocks = ranks 0..parts-1 that take part, counted from the root */
  uint64_t length; /* elements of a full block */
  int v;           /* own virtual rank */
};

static struct pieces tutti_pieces(const tutti_call *call, int parts)
{
  uint64_t length = (call->count + (uint64_t)parts - 1) / (uint64_t)parts;
  int v = call->rank >= call->root ? call->rank - call->root : call->rank + (call->size - call->root);
  return (struct pieces){call, parts, length, v};
}

/* Rank in the group of a virtual rank. */
static int pieces_rank(const struct pieces *pieces, int v)
{
  return (int)(((int64_t)v + pieces->call->root) % pieces->call->size);
}

static uint64_t offset(const struct pieces *pieces, int block)
{
  uint64_t at = (uint64_t)block * pieces->length;
  return at < pieces->call->count ? at : pieces->call->count;
}

/* Blocks first .. first + count - 1, cut off at the last one. May be empty. */
static tutti_block pieces_range(const struct pieces *pieces, int first, int count)
{
  int end = count < pieces->parts - first ? first + count : pieces->parts;
  uint64_t begin = offset(pieces, first);
  return tutti_block_of(TUTTI_OUTPUT, begin, offset(pieces, end) - begin);
}

/* The number of blocks, from its own one on, that virtual rank v holds after the scatter: those of its subtree. In the
   in-order binomial tree the subtree of v has as many ranks as the lowest set bit of v (all for v = 0). */
static int pieces_span(const struct pieces *pieces, int v)
{
  int rest = pieces->parts - v, lowest = v & -v;
  return v == 0 || rest < lowest ? rest : lowest;
}

/* Add the scatter for the own rank (0 <= v < parts). Returns the receive that brings the own blocks; TUTTI_NO_VERTEX at
   the root and where they are empty. */
static tutti_vertex_id build_pieces_scatter(tutti_builder *builder, const struct pieces *pieces)
{
  int v = pieces->v, lowest = v & -v;
  tutti_vertex_id received = TUTTI_NO_VERTEX;
  tutti_block mine = pieces_range(pieces, v, pieces_span(pieces, v));
  if (v > 0 && mine.count > 0)
    received = tutti_add_recv(builder, pieces_rank(pieces, v - lowest), mine);
  for (int bit = v ? lowest / 2 : tutti_power_up_to(pieces->parts - 1); bit >= 1; bit /= 2) {
    if (bit >= pieces->parts - v)
      continue;
    tutti_block theirs = pieces_range(pieces, v + bit, pieces_span(pieces, v + bit));
    if (theirs.count > 0)
      tutti_add_after(builder, tutti_add_send(builder, pieces_rank(pieces, v + bit), theirs), received);
  }
  return received;
}

/* Broadcast as binomial scatter and recursive doubling allgather (Thakur, Rabenseifner, Gropp 2005, section 3.4).

   With P a power of two: after the scatter, in step j virtual rank v swaps the 2^j blocks of its group with v XOR 2^j.
   The rank whose number is a multiple of 2^(j+1) holds its partner's blocks from the scatter already and is sent
   nothing.

       step 0: (0,1) (2,3)    step 1: (0,2) (1,3)

   Otherwise the algorithm runs on the largest power of two Q below P, and rank v < P - Q forwards what it gets, as it
   gets it, to v + Q.

   Any number of ranks, any root. Cost (Hockney), P a power of two: 2 log2(P) alpha + 2 (P - 1) / P beta m; otherwise
   one more full message on the critical path. */

/* The receives of a rank so far: one for the scatter and one a step. */
struct received {
  tutti_vertex_id received[32];
  int count;
};

static void after_all(tutti_builder *builder, tutti_vertex_id vertex, const struct received *held)
{
  for (int i = 0; i < held->count; i++)
    tutti_add_after(builder, vertex, held->received[i]);
}

/* Forward what has just been received to the rank outside the power of two, if this one serves any. */
static void forward(tutti_builder *builder, const struct pieces *pieces, tutti_vertex_id received, tutti_block block)
{
  int outside = pieces->v + pieces->parts;
  if (outside < pieces->call->size && block.count > 0)
    tutti_add_after(builder, tutti_add_send(builder, pieces_rank(pieces, outside), block), received);
}

static void swap_groups(tutti_builder *builder, const struct pieces *pieces, int width, struct received *held)
{
  int v = pieces->v, partner = v ^ width;
  int own_group = v & ~(width - 1), other_group = partner & ~(width - 1);
  tutti_block own = pieces_range(pieces, own_group, width);
  tutti_block other = pieces_range(pieces, other_group, width);
  if (own.count > 0 && partner % (2 * width) != 0)
    after_all(builder, tutti_add_send(builder, pieces_rank(pieces, partner), own), held);
  if (other.count > 0 && v % (2 * width) != 0) {
    tutti_vertex_id received = tutti_add_recv(builder, pieces_rank(pieces, partner), other);
    held->received[held->count++] = received;
    forward(builder, pieces, received, other);
  }
}

static void build_inside(tutti_builder *builder, const struct pieces *pieces)
{
  struct received held = {.count = 0};
  tutti_vertex_id scattered = build_pieces_scatter(builder, pieces);
  held.received[held.count++] = scattered;
  forward(builder, pieces, scattered, pieces_range(pieces, pieces->v, pieces_span(pieces, pieces->v)));
  for (int width = 1; width < pieces->parts; width *= 2)
    swap_groups(builder, pieces, width, &held);
}

/* A rank outside receives exactly what its server forwards, in the same order. */
static void build_outside(tutti_builder *builder, struct pieces pieces)
{
  int server = pieces.v - pieces.parts, from = pieces_rank(&pieces, server);
  tutti_block block = pieces_range(&pieces, server, pieces_span(&pieces, server));
  if (block.count > 0)
    tutti_add_recv(builder, from, block);
  for (int width = 1; width < pieces.parts; width *= 2) {
    block = pieces_range(&pieces, (server ^ width) & ~(width - 1), width);
    if (block.count > 0 && server % (2 * width) != 0)
      tutti_add_recv(builder, from, block);
  }
}

void tutti_build_bcast_scatter_recursive_doubling(tutti_builder *builder, const tutti_call *call)
{
  if (call->size == 1 || call->count == 0)
    return;
  struct pieces pieces = tutti_pieces(call, tutti_power_up_to(call->size));
  if (pieces.v < pieces.parts)
    build_inside(builder, &pieces);
  else
    build_outside(builder, pieces);
}

/* Broadcast as binomial scatter and ring allgather (Thakur, Rabenseifner, Gropp 2005, section 3.4).

   After the scatter virtual rank v holds block v (and, being the root of a subtree, the blocks of its subtree). In step
   j of the ring it sends block v - j to v + 1 and receives block v - 1 - j from v - 1. Blocks that the receiver already
   holds from the scatter are not sent again.

       0 -> 1 -> 2 -> 3 -> 0       step 0: 0 sends block 0, 1 block 1, ...

   Any number of ranks, any root. Cost (Hockney) without that saving:
     (ceil(log2 P) + P - 1) alpha + 2 (P - 1) / P beta m */

static int wrap(int v, int size)
{
  return v < 0 ? v + size : v;
}

static bool holds(const struct pieces *pieces, int v, int block)
{
  return block >= v && block < v + pieces_span(pieces, v);
}

/* Whether the block is passed on to virtual rank `to` in the ring. */
static bool travels(const struct pieces *pieces, int to, int block)
{
  return !holds(pieces, to, block) && pieces_range(pieces, block, 1).count > 0;
}

static void build_ring(tutti_builder *builder, const struct pieces *pieces, tutti_vertex_id scattered)
{
  int size = pieces->call->size, v = pieces->v;
  int right = (v + 1) % size, left = wrap(v - 1, size);
  tutti_vertex_id brought = scattered; /* the receive of the block that is sent next */
  for (int j = 0; j < size - 1; j++) {
    int outgoing = wrap(v - j, size), incoming = wrap(v - 1 - j, size);
    if (travels(pieces, right, outgoing)) {
      tutti_block block = pieces_range(pieces, outgoing, 1);
      tutti_add_after(builder, tutti_add_send(builder, pieces_rank(pieces, right), block), brought);
    }
    brought = scattered;
    if (travels(pieces, v, incoming))
      brought = tutti_add_recv(builder, pieces_rank(pieces, left), pieces_range(pieces, incoming, 1));
  }
}

void tutti_build_bcast_scatter_ring(tutti_builder *builder, const tutti_call *call)
{
  if (call->size == 1 || call->count == 0)
    return;
  struct pieces pieces = tutti_pieces(call, call->size);
  build_ring(builder, &pieces, build_pieces_scatter(builder, &pieces));
}
