/* Pipelined reduce-scatter on a circulant graph, of regular and irregular blocks (Traff, arXiv 2407.18004): the
   allgather (allgather/circulant.c) backwards. Each block is reduced to its rank in n pieces, all blocks at once; in
   each of the n - 1 + q rounds, q = ceil(log2 P), a rank sends one message, with its partial results of all pieces that
   go this way then, and receives one.

       P = 4, n = 1:   round 0: r -> r - 1 blocks r - 1 and r - 3     round 1: r -> r - 2 block r - 2

   Commutative operations only. Any number of ranks; O(q P) steps a rank to find its part. Temporaries: all blocks, and
   two of the longest message.
   Cost (Hockney): (n - 1 + q) alpha + (1 + (q - 1) / n) (P - 1) (beta + gamma + 2 delta) m at most for blocks of m
   bytes, delta being the time to copy a byte; P - 1 blocks are sent, received and combined. */
#include "algorithms/catalogue/shared/circulant.h"

struct scattering {
  tutti_builder *builder;
  const struct circulant_pieces *pieces;
  tutti_buffer partial, outgoing, incoming;
  tutti_vertex_id *combined;      /* [P * n] what combined a partial result last: none, it is the own contribution */
  tutti_vertex_id before, sent;   /* the last message sent before this round, and after it */
  tutti_vertex_id combining, end; /* first and end of combining the previous round: the incoming temporary is free */
};

static tutti_vertex_id *piece_of(const struct scattering *s, int origin, uint64_t j)
{
  return &s->combined[(uint64_t)origin * s->pieces->count + j];
}

/* Where the partial result of a piece is combined. */
static tutti_block place_of(const struct scattering *s, int origin, tutti_block piece)
{
  bool own = origin == s->pieces->call->rank;
  uint64_t first = own ? s->pieces->block(s->pieces->call, origin).first : 0;
  return tutti_block_of(own ? TUTTI_OUTPUT : s->partial, piece.first - first, piece.count);
}

/* A round begins when the one before is complete. */
static void after_round(struct scattering *s, tutti_vertex_id vertex)
{
  tutti_add_after(s->builder, vertex, s->before);
  for (tutti_vertex_id v = s->combining; v < s->end; v++)
    tutti_add_after(s->builder, vertex, v);
}

/* In the round of the allgather the receiver sends. */
static void send_round(struct scattering *s, const struct circulant_round *round)
{
  const struct circulant *graph = &s->pieces->graph;
  int rank = s->pieces->call->rank, to = tutti_circulant_rank(graph, rank, -graph->skip[round->k]), count;
  uint64_t elements = tutti_circulant_message(s->pieces, round, rank, &count), at = 0, j;
  tutti_block message = tutti_block_of(s->outgoing, 0, elements);
  tutti_vertex_id first = tutti_builder_next(s->builder), after = TUTTI_NO_VERTEX;
  for (int origin = 0; count > 0 && origin < graph->size; origin++) {
    tutti_block piece = tutti_circulant_piece(s->pieces, round, rank, origin, &j);
    if (piece.count == 0)
      continue;
    after = *piece_of(s, origin, j);
    tutti_block source = after == TUTTI_NO_VERTEX ? piece : place_of(s, origin, piece);
    if (count == 1) {
      message = source;
      break;
    }
    tutti_vertex_id copied = tutti_add_copy(s->builder, source, tutti_block_of(s->outgoing, at, piece.count));
    tutti_add_after(s->builder, copied, after);
    tutti_add_after(s->builder, copied, s->before);
    at += piece.count;
  }
  if (count == 0)
    return;
  tutti_vertex_id sent = tutti_add_send(s->builder, to, message);
  for (tutti_vertex_id v = first; v < sent; v++)
    tutti_add_after(s->builder, sent, v);
  after_round(s, sent);
  if (count == 1)
    tutti_add_after(s->builder, sent, after);
  s->sent = sent;
}

/* Combine the received operand of a piece; the own contribution is copied first where it is the first one. */
static void combine(struct scattering *s, int origin, tutti_block piece, uint64_t j, tutti_block operand,
                    tutti_vertex_id received)
{
  tutti_vertex_id *combined = piece_of(s, origin, j), before = *combined;
  tutti_block place = place_of(s, origin, piece);
  if (before == TUTTI_NO_VERTEX)
    before = tutti_add_copy(s->builder, piece, place);
  *combined = tutti_add_reduce(s->builder, operand, place);
  tutti_add_after(s->builder, *combined, before);
  tutti_add_after(s->builder, *combined, received);
}

static void receive_round(struct scattering *s, const struct circulant_round *round)
{
  const struct circulant *graph = &s->pieces->graph;
  int rank = s->pieces->call->rank, from = tutti_circulant_rank(graph, rank, graph->skip[round->k]), count;
  uint64_t elements = tutti_circulant_message(s->pieces, round, from, &count), at = 0, j;
  if (count == 0)
    return;
  tutti_vertex_id received = tutti_add_recv(s->builder, from, tutti_block_of(s->incoming, 0, elements));
  after_round(s, received);
  tutti_vertex_id first = tutti_builder_next(s->builder);
  for (int origin = 0; origin < graph->size; origin++) {
    tutti_block piece = tutti_circulant_piece(s->pieces, round, from, origin, &j);
    if (piece.count == 0)
      continue;
    combine(s, origin, piece, j, tutti_block_of(s->incoming, at, piece.count), received);
    at += piece.count;
  }
  s->combining = first;
  s->end = tutti_builder_next(s->builder);
}

void tutti_build_reduce_scatter_circulant(tutti_builder *builder, const tutti_call *call)
{
  struct circulant_pieces pieces;
  tutti_block own = tutti_input_block(call, call->rank), last = tutti_input_block(call, call->size - 1);
  if (call->size == 1 && own.count > 0)
    tutti_add_copy(builder, own, tutti_block_of(TUTTI_OUTPUT, 0, own.count));
  if (call->size == 1 || !tutti_circulant_pieces(builder, call, tutti_input_block, &pieces) || pieces.count == 0)
    return;
  struct scattering s = {.builder = builder, .pieces = &pieces, .before = TUTTI_NO_VERTEX, .sent = TUTTI_NO_VERTEX};
  s.combined = tutti_circulant_vertices(builder, (uint64_t)call->size * pieces.count);
  s.partial = tutti_builder_temporary(builder, last.first + last.count);
  s.outgoing = tutti_builder_temporary(builder, tutti_circulant_longest_in(&pieces));
  s.incoming = tutti_builder_temporary(builder, tutti_circulant_longest_out(&pieces));
  for (uint64_t i = tutti_circulant_rounds(&pieces.graph, pieces.count); s.combined && i-- > 0;) {
    struct circulant_round round = tutti_circulant_round(&pieces.graph, pieces.count, i);
    s.before = s.sent;
    send_round(&s, &round);
    receive_round(&s, &round);
  }
}
