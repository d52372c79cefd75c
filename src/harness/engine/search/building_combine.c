/* Chunks on the way to their owners: each rank adds what it has. */
#include <string.h>

#include "harness/engine/search/building.h"

/* Where chunks are combined: in the output where it has them, else in temporary memory. */
static tutti_block sum_of(struct building *b, uint32_t first, uint32_t count)
{
  const bool own = is_own(b, first), rooted = has_collective(b, TUTTI_COLL_REDUCE);
  if (has_collective(b, TUTTI_COLL_ALLREDUCE) || (own && rooted && b->call->rank == b->call->root))
    return chunks_of(b, TUTTI_OUTPUT, first, count);
  if (own && !rooted) /* of reduce_scatter_block: its own block alone */
    return chunks_of(b, TUTTI_OUTPUT, first % (b->synthesis->chunks / (uint32_t)b->synthesis->ranks), count);
  if (b->sums == TUTTI_INPUT)
    b->sums = tutti_builder_temporary(b->builder, b->synthesis->chunks * b->unit);
  return chunks_of(b, b->sums, first, count);
}

/* How many chunks from the first one on are in the same place and the same state. */
static uint32_t alike(const struct building *b, uint32_t first, uint32_t count)
{
  uint32_t same = 1;
  while (same < count && b->combined[first + same] == b->combined[first] && is_own(b, first + same) == is_own(b, first))
    same++;
  return same;
}

/* The own contribution comes to what is at @p at. */
static void add_input(struct building *b, uint32_t first, uint32_t count, tutti_vertex_id after)
{
  const tutti_vertex_id reduced =
      tutti_add_reduce(b->builder, chunks_of(b, TUTTI_INPUT, first, count), sum_of(b, first, count));
  tutti_add_after(b->builder, reduced, after);
  tutti_add_after(b->builder, reduced, b->reduced);
  b->reduced = reduced;
  set_all(b->ready, first, count, reduced);
  memset(b->combined + first, true, count);
}

/* What was received beside is combined with what is here. */
static void combine(struct building *b, uint32_t first, uint32_t count, tutti_block held, tutti_vertex_id received)
{
  const tutti_block sum = sum_of(b, first, count);
  if (!b->combined[first]) {
    const tutti_vertex_id copied = tutti_add_copy(b->builder, held, sum);
    tutti_add_after(b->builder, copied, received);
    add_input(b, first, count, copied);
    return;
  }
  const tutti_vertex_id reduced = tutti_add_reduce(b->builder, held, sum);
  tutti_add_after(b->builder, reduced, received);
  tutti_add_after(b->builder, reduced, b->reduced);
  b->reduced = reduced;
  wait_for(b, reduced, b->ready, first, count);
  set_all(b->ready, first, count, reduced);
}

static void receive_part(struct building *b, const struct move *move)
{
  if (!b->combined[move->first] && alike(b, move->first, move->count) == move->count) {
    add_input(b, move->first, move->count, tutti_add_recv(b->builder, move->from, sum_of(b, move->first, move->count)));
    return;
  }
  const tutti_buffer held = tutti_builder_temporary(b->builder, move->count * b->unit);
  const tutti_vertex_id received = tutti_add_recv(b->builder, move->from, chunks_of(b, held, 0, move->count));
  for (uint32_t at = 0, same; at < move->count; at += same) {
    same = alike(b, move->first + at, move->count - at);
    combine(b, move->first + at, same, chunks_of(b, held, at, same), received);
  }
}

/* What nobody has added to is sent as it is in the input, unless other chunks of the message have to be beside it. */
static void send_part(struct building *b, const struct move *move)
{
  const bool same = alike(b, move->first, move->count) == move->count;
  if (same && !b->combined[move->first]) {
    tutti_building_send(b, move->to, chunks_of(b, TUTTI_INPUT, move->first, move->count));
    return;
  }
  for (uint32_t at = 0, count; at < move->count; at += count) {
    const uint32_t first = move->first + at;
    count = alike(b, first, move->count - at);
    if (b->combined[first])
      continue;
    const tutti_vertex_id copied =
        tutti_add_copy(b->builder, chunks_of(b, TUTTI_INPUT, first, count), sum_of(b, first, count));
    set_all(b->ready, first, count, copied);
    memset(b->combined + first, true, count);
  }
  const tutti_vertex_id sent = tutti_building_send(b, move->to, sum_of(b, move->first, move->count));
  wait_for(b, sent, b->ready, move->first, move->count);
  set_all(b->sent, move->first, move->count, sent);
}

/* Own chunks that nobody sent a part of. */
static void keep_own(struct building *b)
{
  const uint32_t chunks = b->synthesis->chunks;
  for (uint32_t c = 0, count; c < chunks; c += count) {
    count = alike(b, c, chunks - c);
    if (!is_own(b, c) || b->combined[c])
      continue;
    const tutti_vertex_id copied = tutti_add_copy(b->builder, chunks_of(b, TUTTI_INPUT, c, count), sum_of(b, c, count));
    set_all(b->ready, c, count, copied);
    memset(b->combined + c, true, count);
  }
}

static void send_sum(struct building *b, const struct move *move)
{
  const tutti_vertex_id sent = tutti_building_send(b, move->to, sum_of(b, move->first, move->count));
  wait_for(b, sent, b->ready, move->first, move->count);
}

static void receive_sum(struct building *b, const struct move *move)
{
  tutti_add_recv(b->builder, move->from, chunks_of(b, TUTTI_OUTPUT, move->first, move->count));
}

void tutti_building_combine(struct building *b)
{
  tutti_building_walk(b, &b->synthesis->combine, send_part, receive_part);
  keep_own(b);
  if (has_collective(b, TUTTI_COLL_REDUCE))
    tutti_building_walk(b, &b->synthesis->spread, send_sum, receive_sum);
}
