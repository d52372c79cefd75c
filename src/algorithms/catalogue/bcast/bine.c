/* Broadcast on the distance-halving Bine tree (De Sensi et al. 2025, arXiv 2508.17311, section 3): in step i every rank
   that has the message sends it to its peer of round q - 1 - i (bine.h), which is about P / (3 2^i) ranks away. In the
   binomial tree it is P / 2^(i+1): the distances, modulo P, are a third less.

       P = 8, root 0:   0 -> 3,   0 -> 7, 3 -> 4,   0 -> 1, 3 -> 2, 4 -> 5, 7 -> 6

   A power of two of ranks, any root; in segments as on any tree. Cost (Hockney): log2(P) (alpha + beta m), P - 1
   messages. */
#include "algorithms/catalogue/shared/bine.h"
#include "algorithms/catalogue/builders.h"

void tutti_build_bcast_bine(tutti_builder *builder, const tutti_call *call)
{
  tutti_tree tree;
  tutti_segmentation segments = tutti_segments(call, 0, call->count);
  if (tutti_bine_tree(builder, call, false, &tree))
    tutti_build_segments_on_tree(builder, call, &tree, &segments);
}

/* Broadcast as scatter on the distance-doubling Bine tree and Bine allgather (De Sensi et al. 2025, section 4): for
   long messages. The message is cut into P segments in the order of positions (bine.h), so every message
   is one range of it and nothing is copied.

   In round s = 0, 1, ... of the scatter each rank with segments sends its peer of the round those that the peer and
   the ranks after it need: P / 2^(s+1). The allgather reverses the rounds, without the segments from the scatter.

       P = 4, root 0, positions 0 2 3 1 of the ranks 0 1 2 3:  0 --23--> 1;  0 --1--> 3, 1 --3--> 2;
                                                               0 <-> 3, 1 <-> 2;  0 <-> 1

   A power of two of ranks, any root, any count. Cost (Hockney): 2 log2(P) alpha + 2 (P - 1) / P beta m. */
struct holder {
  tutti_builder *builder;
  const tutti_call *call;
  const int *positions;
  int v, last, rounds; /* virtual rank, the round that reaches it, number of rounds */
  tutti_vertex_id held[64];
  int count;
};

/* The segments of the range of P / 2^s positions that v is in. */
static tutti_block range_of(const struct holder *h, int v, int s)
{
  uint64_t size = (uint64_t)h->call->size, width = size >> s, first = (uint64_t)h->positions[v] / width * width;
  uint64_t length = h->call->count / size, rest = h->call->count % size, end = first + width;
  uint64_t begin = first * length + (first < rest ? first : rest);
  return tutti_block_of(TUTTI_OUTPUT, begin, end * length + (end < rest ? end : rest) - begin);
}

static int rank_of(const struct holder *h, int v)
{
  return (int)(((int64_t)v + h->call->root) % h->call->size);
}

static void send_range(struct holder *h, int peer, tutti_block block)
{
  if (block.count == 0)
    return;
  tutti_vertex_id send = tutti_add_send(h->builder, rank_of(h, peer), block);
  for (int i = 0; i < h->count; i++)
    tutti_add_after(h->builder, send, h->held[i]);
}

static void receive_range(struct holder *h, int peer, tutti_block block)
{
  if (block.count > 0)
    h->held[h->count++] = tutti_add_recv(h->builder, rank_of(h, peer), block);
}

static void scatter(struct holder *h)
{
  int size = h->call->size;
  if (h->last >= 0)
    receive_range(h, tutti_bine_peer(h->v, h->last, size), range_of(h, h->v, h->last + 1));
  for (int s = h->last + 1; s < h->rounds; s++) {
    int peer = tutti_bine_peer(h->v, s, size);
    send_range(h, peer, range_of(h, peer, s + 1));
  }
}

static void gather_again(struct holder *h)
{
  for (int s = h->rounds - 1; s >= 0; s--) {
    int peer = tutti_bine_peer(h->v, s, h->call->size);
    if (s <= tutti_bine_last_hop(peer, h->call->size))
      send_range(h, peer, range_of(h, h->v, s + 1));
    if (s <= h->last)
      receive_range(h, peer, range_of(h, peer, s + 1));
  }
}

void tutti_build_bcast_bine_scatter_allgather(tutti_builder *builder, const tutti_call *call)
{
  struct holder h = {.builder = builder, .call = call, .rounds = tutti_bine_rounds(call->size)};
  h.v = call->rank >= call->root ? call->rank - call->root : call->rank + (call->size - call->root);
  h.last = tutti_bine_last_hop(h.v, call->size);
  h.positions = tutti_bine_positions(builder, call->size);
  if (!h.positions || call->size == 1)
    return;
  scatter(&h);
  gather_again(&h);
}
