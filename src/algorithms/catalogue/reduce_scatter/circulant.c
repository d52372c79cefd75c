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

/* Where the partial result of a piece is combined. */
static tutti_block place_of(const struct circulant_exchange *x, int origin, tutti_block piece)
{
  bool own = origin == x->pieces->call->rank;
  uint64_t first = own ? x->pieces->block(x->pieces->call, origin).first : 0;
  return tutti_block_of(own ? TUTTI_OUTPUT : x->partial, piece.first - first, piece.count);
}

/* What was not combined yet is the own contribution. */
static tutti_block source_of(const struct circulant_exchange *x, int origin, tutti_block piece, tutti_vertex_id last)
{
  return last == TUTTI_NO_VERTEX ? piece : place_of(x, origin, piece);
}

/* Combine the received operand of a piece; the own contribution is copied first where it is the first one. */
static void combine(struct circulant_exchange *x, int origin, tutti_block piece, uint64_t j, tutti_block operand,
                    tutti_vertex_id received)
{
  tutti_vertex_id *combined = tutti_circulant_last(x, origin, j), before = *combined;
  tutti_block place = place_of(x, origin, piece);
  if (before == TUTTI_NO_VERTEX)
    before = tutti_add_copy(x->builder, piece, place);
  *combined = tutti_add_reduce(x->builder, operand, place);
  tutti_add_after(x->builder, *combined, before);
  tutti_add_after(x->builder, *combined, received);
}

static void receive_round(struct circulant_exchange *x, const struct circulant_round *round)
{
  const struct circulant *graph = &x->pieces->graph;
  int rank = x->pieces->call->rank, from = tutti_circulant_rank(graph, rank, graph->skip[round->k]), count;
  uint64_t elements = tutti_circulant_message(x->pieces, round, from, &count), at = 0, j;
  if (count == 0)
    return;
  tutti_vertex_id received = tutti_add_recv(x->builder, from, tutti_block_of(x->incoming, 0, elements));
  tutti_circulant_after_round(x, received);
  tutti_vertex_id first = tutti_builder_next(x->builder);
  CIRCULANT_FOR_EACH_ORIGIN(origin, x->pieces) {
    tutti_block piece = tutti_circulant_piece(x->pieces, round, from, origin, &j);
    if (piece.count == 0)
      continue;
    combine(x, origin, piece, j, tutti_block_of(x->incoming, at, piece.count), received);
    at += piece.count;
  }
  x->first = first;
  x->end = tutti_builder_next(x->builder);
}

void tutti_build_reduce_scatter_circulant(tutti_builder *builder, const tutti_call *call)
{
  struct circulant_pieces pieces;
  tutti_block own = tutti_input_block(call, call->rank), last = tutti_input_block(call, call->size - 1);
  if (call->size == 1 && own.count > 0)
    tutti_add_copy(builder, own, tutti_block_of(TUTTI_OUTPUT, 0, own.count));
  if (call->size == 1 || !tutti_circulant_pieces(builder, call, tutti_input_block, &pieces) || pieces.count == 0)
    return;
  struct circulant_exchange x = tutti_circulant_exchange(builder, &pieces);
  x.partial = tutti_builder_temporary(builder, last.first + last.count);
  x.outgoing = tutti_builder_temporary(builder, tutti_circulant_longest(&pieces, false));
  x.incoming = tutti_builder_temporary(builder, tutti_circulant_longest(&pieces, true));
  for (uint64_t i = tutti_circulant_rounds(&pieces.graph, pieces.count); x.last && i-- > 0;) {
    struct circulant_round round = tutti_circulant_round(&pieces.graph, pieces.count, i);
    x.before = x.sent;
    tutti_circulant_send(&x, &round, tutti_circulant_rank(&pieces.graph, call->rank, -pieces.graph.skip[round.k]),
                         call->rank, source_of);
    receive_round(&x, &round);
  }
}
