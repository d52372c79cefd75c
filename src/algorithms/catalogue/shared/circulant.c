#include "algorithms/catalogue/shared/circulant.h"

#include <string.h>

struct circulant tutti_circulant(int size)
{
  struct circulant graph = {.size = size};
  while (INT64_C(1) << graph.rounds < size)
    graph.rounds++;
  graph.skip[graph.rounds] = size;
  for (int k = graph.rounds; k-- > 0;)
    graph.skip[k] = graph.skip[k + 1] / 2 + graph.skip[k + 1] % 2;
  return graph;
}

/* ---- tables ---- */

/* The block that reaches r first does so over the skips that add up to r, the largest first; this is the last one. */
static int base_of(const struct circulant *graph, int r)
{
  int base = graph->rounds;
  for (int k = graph->rounds - 1; k >= 0 && r > 0; k--)
    if (graph->skip[k] <= r) {
      r -= graph->skip[k];
      base = k;
    }
  return base;
}

/* The search of the paper's algorithm for the receive schedule, with what all its levels share. */
struct search {
  const struct circulant *graph;
  int64_t target; /* r + P */
  int64_t last;   /* the place found last: places found decrease */
  uint64_t free;  /* set of bases not yet used */
  int k;          /* round to find */
  int8_t *found;
};

static int64_t limit(const struct search *s, int k)
{
  return s->target - s->graph->skip[k];
}

/* From `place`, by skips up to number e. */
static void search(struct search *s, int64_t place, int e)
{
  int q = s->graph->rounds;
  for (; e >= 0; e--) {
    int64_t next = place + s->graph->skip[e];
    if (!(s->free >> e & 1) || next > limit(s, s->k) || next >= s->last)
      continue;
    if (next <= limit(s, s->k + 1))
      search(s, next, e - 1);
    if (s->k == q || place > limit(s, s->k + 1))
      return;
    if (next >= s->last)
      continue;
    s->last = next;
    s->free &= ~(UINT64_C(1) << e);
    s->found[s->k++] = (int8_t)e;
    if (s->k == q)
      return;
  }
}

void tutti_circulant_receives(const struct circulant *graph, int r, int8_t blocks[CIRCULANT_MAX_ROUNDS])
{
  int q = graph->rounds, base = base_of(graph, r);
  uint64_t all = (UINT64_C(2) << q) - 1;
  struct search s = {graph, (int64_t)r + graph->size, INT64_MAX, all & ~(UINT64_C(1) << base), 0, blocks};
  search(&s, 0, q);
  for (int k = 0; k < q; k++)
    blocks[k] = (int8_t)(blocks[k] == q ? base : blocks[k] - q);
}

void tutti_circulant_sends(const struct circulant *graph, int r, int8_t blocks[CIRCULANT_MAX_ROUNDS])
{
  int8_t receives[CIRCULANT_MAX_ROUNDS];
  for (int k = 0; k < graph->rounds; k++) {
    tutti_circulant_receives(graph, tutti_circulant_rank(graph, r, graph->skip[k]), receives);
    blocks[k] = receives[k];
  }
}

struct circulant_round tutti_circulant_round(const struct circulant *graph, uint64_t blocks, uint64_t index)
{
  uint64_t q = (uint64_t)graph->rounds, empty = (q - (blocks - 1) % q) % q, i = index + empty;
  return (struct circulant_round){(int)(i % q), (int64_t)(i / q * q) - (int64_t)empty};
}

/* ---- broadcast and reduction ---- */

struct circulant_part tutti_circulant_part(const tutti_call *call, const tutti_segmentation *segments, int root)
{
  struct circulant_part part = {.graph = tutti_circulant(call->size), .segments = segments, .root = root};
  part.r = tutti_circulant_rank(&part.graph, call->rank, -root);
  tutti_circulant_receives(&part.graph, part.r, part.receives);
  tutti_circulant_sends(&part.graph, part.r, part.sends);
  return part;
}

tutti_vertex_id *tutti_circulant_vertices(tutti_builder *builder, uint64_t blocks)
{
  tutti_vertex_id *vertices = tutti_builder_scratch(builder, blocks * sizeof *vertices);
  if (vertices)
    memset(vertices, 0xff, blocks * sizeof *vertices); /* TUTTI_NO_VERTEX */
  return vertices;
}

/* Messages of one direction go one after the other; a receive is posted one round ahead. */
struct order {
  tutti_vertex_id sent, received, received_before;
};

static const struct order nothing_yet = {TUTTI_NO_VERTEX, TUTTI_NO_VERTEX, TUTTI_NO_VERTEX};

static void order_send(tutti_builder *builder, struct order *order, tutti_vertex_id sent)
{
  tutti_add_after(builder, sent, order->sent);
  order->sent = sent;
}

/* `done`: when what was received has been used. */
static void order_receive(tutti_builder *builder, struct order *order, tutti_vertex_id received, tutti_vertex_id done)
{
  tutti_add_after(builder, received, order->received_before);
  order->received_before = order->received;
  order->received = done;
}

/* The other rank of a message, `places` after the own one; -1 without a message in that round. */
static int peer_of(const struct circulant_part *part, int places)
{
  return tutti_circulant_rank(&part->graph, tutti_circulant_rank(&part->graph, part->r, places), part->root);
}

void tutti_build_circulant_bcast(tutti_builder *builder, const struct circulant_part *part, tutti_vertex_id *ready)
{
  const struct circulant *graph = &part->graph;
  uint64_t n = part->segments->count, rounds = tutti_circulant_rounds(graph, n);
  struct order order = nothing_yet;
  if (!tutti_reserve_segments(builder, part->segments, 2))
    return;
  for (uint64_t i = 0; i < rounds; i++) {
    struct circulant_round round = tutti_circulant_round(graph, n, i);
    int skip = graph->skip[round.k];
    int64_t in = tutti_circulant_block(&round, part->receives[round.k], n);
    int64_t out = tutti_circulant_block(&round, part->sends[round.k], n);
    if (out >= 0 && skip != graph->size - part->r) {
      tutti_vertex_id sent = tutti_add_send(builder, peer_of(part, skip), tutti_segment(part->segments, (uint64_t)out));
      tutti_add_after(builder, sent, ready[out]);
      order_send(builder, &order, sent);
    }
    if (in >= 0 && part->r != 0) {
      tutti_vertex_id received =
          tutti_add_recv(builder, peer_of(part, -skip), tutti_segment(part->segments, (uint64_t)in));
      tutti_add_after(builder, received, ready[in]);
      order_receive(builder, &order, received, received);
      ready[in] = received;
    }
  }
}

struct reduction {
  tutti_builder *builder;
  tutti_buffer partial;
  struct slots slots;
  struct order order;
};

/* Receive an operand and combine it: the first one with the own contribution. */
static tutti_vertex_id combine(struct reduction *reduction, int from, tutti_block own, tutti_vertex_id before)
{
  tutti_builder *builder = reduction->builder;
  tutti_block partial = tutti_block_of(reduction->partial, own.first, own.count), operand = partial;
  bool first = before == TUTTI_NO_VERTEX;
  tutti_vertex_id received = first ? tutti_add_recv(builder, from, partial)
                                   : tutti_slots_recv(builder, &reduction->slots, from, own.count, &operand);
  tutti_vertex_id reduced = tutti_add_reduce(builder, first ? own : operand, partial);
  tutti_add_after(builder, reduced, received);
  tutti_add_after(builder, reduced, before);
  if (!first)
    tutti_slots_free(&reduction->slots, operand, reduced);
  order_receive(builder, &reduction->order, received, reduced);
  return reduced;
}

static void send_partial(struct reduction *reduction, int to, tutti_block own, tutti_vertex_id *done)
{
  tutti_block partial = tutti_block_of(reduction->partial, own.first, own.count);
  tutti_vertex_id sent = tutti_add_send(reduction->builder, to, *done == TUTTI_NO_VERTEX ? own : partial);
  tutti_add_after(reduction->builder, sent, *done);
  order_send(reduction->builder, &reduction->order, sent);
  *done = sent;
}

/* The rounds of the broadcast backwards. Blocks are numbered backwards, too, so that the first is complete first. */
void tutti_build_circulant_reduce(tutti_builder *builder, const struct circulant_part *part, tutti_buffer partial,
                                  tutti_vertex_id *done)
{
  const struct circulant *graph = &part->graph;
  uint64_t n = part->segments->count;
  struct reduction reduction = {builder, partial, tutti_slots(builder, 3, part->segments->length), nothing_yet};
  if (!tutti_reserve_segments(builder, part->segments, 3))
    return;
  for (uint64_t i = tutti_circulant_rounds(graph, n); i-- > 0;) {
    struct circulant_round round = tutti_circulant_round(graph, n, i);
    int skip = graph->skip[round.k];
    int64_t in = tutti_circulant_block(&round, part->sends[round.k], n);
    int64_t out = tutti_circulant_block(&round, part->receives[round.k], n);
    if (in >= 0 && skip != graph->size - part->r) {
      tutti_block own = tutti_segment(part->segments, n - 1 - (uint64_t)in);
      own.buffer = TUTTI_INPUT;
      done[n - 1 - (uint64_t)in] = combine(&reduction, peer_of(part, skip), own, done[n - 1 - (uint64_t)in]);
    }
    if (out >= 0 && part->r != 0) {
      tutti_block own = tutti_segment(part->segments, n - 1 - (uint64_t)out);
      own.buffer = TUTTI_INPUT;
      send_partial(&reduction, peer_of(part, -skip), own, &done[n - 1 - (uint64_t)out]);
    }
  }
}

/* ---- broadcasts from all ranks at once ---- */

enum { NOT_FOUND = INT8_MAX };

static int8_t received_block(const struct circulant_pieces *pieces, int r, int k)
{
  int8_t *blocks = pieces->receives + (size_t)r * (size_t)pieces->graph.rounds;
  if (blocks[0] == NOT_FOUND)
    tutti_circulant_receives(&pieces->graph, r, blocks);
  return blocks[k];
}

bool tutti_circulant_pieces(tutti_builder *builder, const tutti_call *call,
                            tutti_block (*block)(const tutti_call *call, int rank), struct circulant_pieces *pieces)
{
  *pieces = (struct circulant_pieces){.call = call, .graph = tutti_circulant(call->size), .block = block};
  size_t q = (size_t)pieces->graph.rounds;
  pieces->full = tutti_builder_scratch(builder, (size_t)call->size * sizeof *pieces->full);
  pieces->receives = tutti_builder_scratch(builder, (size_t)call->size * q + 1);
  if (!pieces->full || !pieces->receives)
    return false;
  memset(pieces->receives, NOT_FOUND, (size_t)call->size * q + 1);
  for (int r = 0; r < call->size; r++) {
    const uint64_t elements = block(call, r).count, count = tutti_segments(call, 0, elements).count;
    pieces->count = count > pieces->count ? count : pieces->count;
    if (elements > 0)
      pieces->full[pieces->full_count++] = r;
  }
  return true;
}

tutti_block tutti_circulant_piece(const struct circulant_pieces *pieces, const struct circulant_round *round,
                                  int receiver, int origin, uint64_t *j)
{
  const int relative = tutti_circulant_rank(&pieces->graph, receiver, -origin);
  int64_t number =
      relative == 0 ? -1 : tutti_circulant_block(round, received_block(pieces, relative, round->k), pieces->count);
  tutti_block block = pieces->block(pieces->call, origin);
  if (number < 0)
    return tutti_block_of(block.buffer, block.first, 0);
  *j = (uint64_t)number;
  uint64_t length = block.count / pieces->count + (block.count % pieces->count > 0), skipped = *j * length;
  uint64_t rest = skipped < block.count ? block.count - skipped : 0;
  return tutti_block_of(block.buffer, block.first + block.count - rest, rest < length ? rest : length);
}

uint64_t tutti_circulant_message(const struct circulant_pieces *pieces, const struct circulant_round *round,
                                 int receiver, int *count)
{
  uint64_t sum = 0, j;
  *count = 0;
  CIRCULANT_FOR_EACH_ORIGIN(origin, pieces) {
    uint64_t elements = tutti_circulant_piece(pieces, round, receiver, origin, &j).count;
    sum += elements;
    *count += elements > 0;
  }
  return sum;
}

uint64_t tutti_circulant_longest(const struct circulant_pieces *pieces, bool out)
{
  const struct circulant *graph = &pieces->graph;
  uint64_t most = 0;
  for (uint64_t i = 0; i < tutti_circulant_rounds(graph, pieces->count); i++) {
    struct circulant_round round = tutti_circulant_round(graph, pieces->count, i);
    int rank = pieces->call->rank, count;
    int receiver = out ? tutti_circulant_rank(graph, rank, graph->skip[round.k]) : rank;
    uint64_t elements = tutti_circulant_message(pieces, &round, receiver, &count);
    most = elements > most ? elements : most;
  }
  return most;
}

struct circulant_exchange tutti_circulant_exchange(tutti_builder *builder, const struct circulant_pieces *pieces)
{
  return (struct circulant_exchange){
      .builder = builder,
      .pieces = pieces,
      .last = tutti_circulant_vertices(builder, (uint64_t)pieces->graph.size * pieces->count),
      .before = TUTTI_NO_VERTEX,
      .sent = TUTTI_NO_VERTEX};
}

void tutti_circulant_after_round(const struct circulant_exchange *x, tutti_vertex_id vertex)
{
  tutti_add_after(x->builder, vertex, x->before);
  for (tutti_vertex_id v = x->first; v < x->end; v++)
    tutti_add_after(x->builder, vertex, v);
}

/* Pieces are copied to the outgoing message by the vertices before that of the send. A single one needs no copy. */
void tutti_circulant_send(struct circulant_exchange *x, const struct circulant_round *round, int to, int receiver,
                          tutti_block (*source)(const struct circulant_exchange *x, int origin, tutti_block piece,
                                                tutti_vertex_id last))
{
  int count;
  uint64_t elements = tutti_circulant_message(x->pieces, round, receiver, &count), at = 0, j;
  tutti_block message = tutti_block_of(x->outgoing, 0, elements);
  tutti_vertex_id first = tutti_builder_next(x->builder), after = TUTTI_NO_VERTEX;
  if (count == 0)
    return;
  CIRCULANT_FOR_EACH_ORIGIN(origin, x->pieces) {
    tutti_block piece = tutti_circulant_piece(x->pieces, round, receiver, origin, &j);
    if (piece.count == 0)
      continue;
    after = *tutti_circulant_last(x, origin, j);
    tutti_block from = source(x, origin, piece, after);
    if (count == 1) {
      message = from;
      break;
    }
    tutti_vertex_id copied = tutti_add_copy(x->builder, from, tutti_block_of(x->outgoing, at, piece.count));
    tutti_add_after(x->builder, copied, after);
    tutti_add_after(x->builder, copied, x->before);
    at += piece.count;
  }
  tutti_vertex_id sent = tutti_add_send(x->builder, to, message);
  for (tutti_vertex_id v = first; v < sent; v++)
    tutti_add_after(x->builder, sent, v);
  tutti_circulant_after_round(x, sent);
  if (count == 1)
    tutti_add_after(x->builder, sent, after);
  x->sent = sent;
}
