/* Bine all-to-all (De Sensi et al. 2025, arXiv 2508.17311, section 4): in round s every rank sends its peer (bine.h)
   all blocks whose destination the peer is nearer to. The block that a rank has for the one at distance d takes the
   rounds that the hop code of d names (bine.h); it meets no other block of that distance, so a rank always has one of
   each, and the one that arrives takes the place of the one that leaves.

       P = 6:  hop codes of d = 1..5 in binary: 001 110 100 011 010;   round 0: d = 1 4, round 1: 2 4 5, round 2: 2 3

   An even number of ranks; regular blocks. Messages are packed in and unpacked from temporaries. Memory: P blocks and
   two messages. Cost (Hockney), P a power of two, blocks of m bytes: log2(P) (alpha + P / 2 (beta + 2 delta) m), delta
   being the time to copy a byte. */
#include "algorithms/catalogue/shared/bine.h"
#include "algorithms/catalogue/builders.h"

struct state {
  tutti_builder *builder;
  const tutti_call *call;
  const int *hops;
  tutti_buffer kept;               /* block of distance d is block d */
  tutti_buffer outgoing, incoming; /* packed messages */
  tutti_vertex_id ready;           /* the round before is complete */
};

static tutti_block block_at(const struct state *x, tutti_buffer buffer, uint64_t place)
{
  return tutti_block_of(buffer, place * x->call->count, x->call->count);
}

/* The place of the block of distance d before round s, or its target in it: the user's buffers at both ends. The last
   rank on the way is at distance d from the first: up if that is even. */
static tutti_block before_round(const struct state *x, int d, int s)
{
  if ((x->hops[d] & ((1 << s) - 1)) == 0)
    return tutti_input_block(x->call, tutti_bine_at(x->call->rank, d, x->call->size));
  return block_at(x, x->kept, (uint64_t)d);
}

static tutti_block after_round(const struct state *x, int d, int s)
{
  int from = tutti_bine_at(x->call->rank, d % 2 ? d : x->call->size - d, x->call->size);
  if (x->hops[d] >> (s + 1) == 0)
    return tutti_output_block(x->call, from);
  return block_at(x, x->kept, (uint64_t)d);
}

static tutti_vertex_id join(const struct state *x, tutti_vertex_id first)
{
  tutti_vertex_id joined = tutti_add_join(x->builder);
  for (tutti_vertex_id v = first; v < joined; v++)
    tutti_add_after(x->builder, joined, v);
  return joined;
}

static void add_round(struct state *x, int s)
{
  int peer = tutti_bine_peer(x->call->rank, s, x->call->size);
  uint64_t count = 0;
  tutti_vertex_id first = tutti_builder_next(x->builder);
  for (int d = 1; d < x->call->size; d++)
    if (x->hops[d] >> s & 1)
      tutti_add_after(x->builder, tutti_add_copy(x->builder, before_round(x, d, s), block_at(x, x->outgoing, count++)),
                      x->ready);
  tutti_vertex_id packed = join(x, first);
  tutti_vertex_id sent = tutti_add_send(x->builder, peer, tutti_block_of(x->outgoing, 0, count * x->call->count));
  tutti_add_after(x->builder, sent, packed);
  tutti_vertex_id received = tutti_add_recv(x->builder, peer, tutti_block_of(x->incoming, 0, count * x->call->count));
  tutti_add_after(x->builder, received, x->ready);
  tutti_vertex_id arrived = tutti_add_join(x->builder);
  tutti_add_after(x->builder, arrived, sent);
  tutti_add_after(x->builder, arrived, received);
  first = arrived;
  count = 0;
  for (int d = 1; d < x->call->size; d++)
    if (x->hops[d] >> s & 1)
      tutti_add_after(x->builder, tutti_add_copy(x->builder, block_at(x, x->incoming, count++), after_round(x, d, s)),
                      arrived);
  x->ready = join(x, first);
}

static uint64_t largest_round(const struct state *x, int rounds)
{
  uint64_t most = 0;
  for (int s = 0; s < rounds; s++) {
    uint64_t count = 0;
    for (int d = 1; d < x->call->size; d++)
      count += (uint64_t)(x->hops[d] >> s & 1);
    most = count > most ? count : most;
  }
  return most;
}

void tutti_build_alltoall_bine(tutti_builder *builder, const tutti_call *call)
{
  struct state x = {.builder = builder, .call = call, .ready = TUTTI_NO_VERTEX};
  int rounds = tutti_bine_rounds(call->size);
  x.hops = tutti_bine_hops(builder, call->size);
  if (!x.hops || call->count == 0)
    return;
  tutti_add_copy(builder, tutti_input_block(call, call->rank), tutti_output_block(call, call->rank));
  uint64_t most = largest_round(&x, rounds);
  x.kept = tutti_builder_temporary(builder, (uint64_t)call->size * call->count);
  x.outgoing = tutti_builder_temporary(builder, most * call->count);
  x.incoming = tutti_builder_temporary(builder, most * call->count);
  for (int s = 0; s < rounds; s++)
    add_round(&x, s);
}
