#include "harness/engine/search/building.h"

#include <string.h>

tutti_vertex_id tutti_building_send(struct building *b, int peer, tutti_block block)
{
  const struct synthesis *s = b->synthesis;
  const tutti_vertex_id send = tutti_add_send(b->builder, peer, block);
  if (s->window > 0)
    tutti_add_after(b->builder, send, b->to[peer][s->window - 1]);
  b->to[peer][1] = b->to[peer][0];
  b->to[peer][0] = send;
  if (s->outstanding > 0) {
    tutti_vertex_id *before = &b->sends[b->send_count++ % s->outstanding];
    tutti_add_after(b->builder, send, *before);
    *before = send;
  }
  return send;
}

void tutti_building_walk(struct building *b, const struct phase *phase,
                         void (*send)(struct building *, const struct move *),
                         void (*receive)(struct building *, const struct move *))
{
  const int rank = b->call->rank;
  for (uint32_t i = phase->first[rank]; i < phase->first[rank + 1]; i++) {
    const struct move *move = &phase->moves.items[phase->own[i]];
    if (move->from == rank)
      send(b, move);
    else
      receive(b, move);
  }
}

/* ---- from the owners on ---- */

static void receive_whole(struct building *b, const struct move *move)
{
  const tutti_vertex_id received =
      tutti_add_recv(b->builder, move->from, chunks_of(b, TUTTI_OUTPUT, move->first, move->count));
  wait_for(b, received, b->sent, move->first, move->count);
  set_all(b->ready, move->first, move->count, received);
}

/* Of an allgather, own chunks are sent from the input, so that they need not wait for their copy. */
static void send_whole(struct building *b, const struct move *move)
{
  const uint32_t last = move->first + move->count - 1;
  if (has_collective(b, TUTTI_COLL_ALLGATHER) && is_own(b, move->first) && is_own(b, last)) {
    const uint32_t share = b->synthesis->chunks / (uint32_t)b->synthesis->ranks;
    tutti_building_send(b, move->to, chunks_of(b, TUTTI_INPUT, move->first % share, move->count));
    return;
  }
  const tutti_vertex_id sent = tutti_building_send(b, move->to, chunks_of(b, TUTTI_OUTPUT, move->first, move->count));
  wait_for(b, sent, b->ready, move->first, move->count);
}

static void copy_own(struct building *b)
{
  const int rank = b->call->rank;
  const uint32_t share = b->synthesis->chunks / (uint32_t)b->synthesis->ranks;
  const tutti_vertex_id copied = tutti_add_copy(b->builder, chunks_of(b, TUTTI_INPUT, 0, share),
                                                chunks_of(b, TUTTI_OUTPUT, (uint32_t)rank * share, share));
  set_all(b->ready, (uint32_t)rank * share, share, copied);
}

/* ---- the whole ---- */

static bool allocate(struct building *b)
{
  const struct synthesis *s = b->synthesis;
  b->ready = tutti_builder_scratch(b->builder, s->chunks * sizeof *b->ready);
  b->sent = tutti_builder_scratch(b->builder, s->chunks * sizeof *b->sent);
  b->combined = tutti_builder_scratch(b->builder, s->chunks * sizeof *b->combined);
  b->to = tutti_builder_scratch(b->builder, (size_t)s->ranks * sizeof *b->to);
  b->sends = tutti_builder_scratch(b->builder, (s->outstanding + (size_t)1) * sizeof *b->sends);
  if (!b->ready || !b->sent || !b->combined || !b->to || !b->sends)
    return false;
  set_all(b->ready, 0, s->chunks, TUTTI_NO_VERTEX);
  set_all(b->sent, 0, s->chunks, TUTTI_NO_VERTEX);
  set_all(b->to[0], 0, 2 * (uint32_t)s->ranks, TUTTI_NO_VERTEX);
  set_all(b->sends, 0, s->outstanding + 1, TUTTI_NO_VERTEX);
  memset(b->combined, false, s->chunks);
  return true;
}

void tutti_building_build(tutti_builder *builder, const tutti_call *call)
{
  const struct synthesis *s = call->data;
  const unsigned traits = tutti_collective_traits(s->algorithm.collective);
  const uint64_t elements = call->count * (traits & TUTTI_HAS_BLOCKS ? (uint64_t)call->size : 1);
  struct building b = {.builder = builder,
                       .synthesis = s,
                       .call = call,
                       .unit = elements / s->chunks,
                       .sums = TUTTI_INPUT,
                       .reduced = TUTTI_NO_VERTEX};
  if (!allocate(&b))
    return;
  if (has_collective(&b, TUTTI_COLL_ALLTOALL)) {
    tutti_building_exchange(&b);
    return;
  }
  if (traits & TUTTI_REDUCES)
    tutti_building_combine(&b);
  if (has_collective(&b, TUTTI_COLL_ALLGATHER))
    copy_own(&b);
  if (!has_collective(&b, TUTTI_COLL_REDUCE))
    tutti_building_walk(&b, &s->spread, send_whole, receive_whole);
}
