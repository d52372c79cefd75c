/* Pipelined allgather on a circulant graph, also of irregular blocks (Traff, arXiv 2407.18004 and 2205.10072): every
   rank broadcasts its block in n pieces (bcast/circulant.c), all at once. As the graph looks the same from every rank,
   each sends in each of the n - 1 + q rounds, q = ceil(log2 P), one message to one rank, with the pieces of all blocks
   that take this way then. For any sizes of blocks, no rank sends more in a round than about 1 / n of all.

       P = 4, n = 1:   round 0: r -> r + 2 block r          round 1: r -> r + 1 blocks r and r + 2

   Any number of ranks; O(q P) steps a rank to find its part. The pieces of a message are packed, as those of different
   blocks are apart: two temporaries of the longest message.
   Cost (Hockney): (n - 1 + q) alpha + (1 + (q - 1) / n) (P - 1) (beta + 2 delta) m at most for blocks of m bytes, delta
   being the time to copy a byte; every block goes to every other rank once. */
#include "algorithms/catalogue/shared/circulant.h"

/* A piece where it is: the own block in the input. */
static tutti_block source_of(const struct circulant_exchange *x, int origin, tutti_block piece, tutti_vertex_id last)
{
  (void)last;
  if (origin != x->pieces->call->rank)
    return piece;
  return tutti_block_of(TUTTI_INPUT, piece.first - x->pieces->block(x->pieces->call, origin).first, piece.count);
}

static void receive_round(struct circulant_exchange *x, const struct circulant_round *round)
{
  const struct circulant *graph = &x->pieces->graph;
  int rank = x->pieces->call->rank, from = tutti_circulant_rank(graph, rank, -graph->skip[round->k]), count;
  uint64_t elements = tutti_circulant_message(x->pieces, round, rank, &count), at = 0, j;
  if (count == 0)
    return;
  tutti_vertex_id received = TUTTI_NO_VERTEX;
  if (count > 1) {
    received = tutti_add_recv(x->builder, from, tutti_block_of(x->incoming, 0, elements));
    tutti_circulant_after_round(x, received);
  }
  tutti_vertex_id first = tutti_builder_next(x->builder);
  CIRCULANT_FOR_EACH_ORIGIN(origin, x->pieces) {
    tutti_block piece = tutti_circulant_piece(x->pieces, round, rank, origin, &j);
    if (piece.count == 0)
      continue;
    tutti_vertex_id *brought = tutti_circulant_last(x, origin, j);
    *brought = count == 1 ? tutti_add_recv(x->builder, from, piece)
                          : tutti_add_copy(x->builder, tutti_block_of(x->incoming, at, piece.count), piece);
    if (count == 1)
      tutti_circulant_after_round(x, *brought);
    tutti_add_after(x->builder, *brought, received);
    at += piece.count;
  }
  x->first = first;
  x->end = tutti_builder_next(x->builder);
}

void tutti_build_allgather_circulant(tutti_builder *builder, const tutti_call *call)
{
  struct circulant_pieces pieces;
  tutti_block own = tutti_output_block(call, call->rank);
  if (own.count > 0)
    tutti_add_copy(builder, tutti_block_of(TUTTI_INPUT, 0, own.count), own);
  if (call->size == 1 || !tutti_circulant_pieces(builder, call, tutti_output_block, &pieces) || pieces.count == 0)
    return;
  struct circulant_exchange x = tutti_circulant_exchange(builder, &pieces);
  x.outgoing = tutti_builder_temporary(builder, tutti_circulant_longest(&pieces, true));
  x.incoming = tutti_builder_temporary(builder, tutti_circulant_longest(&pieces, false));
  for (uint64_t i = 0; x.last && i < tutti_circulant_rounds(&pieces.graph, pieces.count); i++) {
    struct circulant_round round = tutti_circulant_round(&pieces.graph, pieces.count, i);
    int to = tutti_circulant_rank(&pieces.graph, call->rank, pieces.graph.skip[round.k]);
    x.before = x.sent;
    tutti_circulant_send(&x, &round, to, to, source_of);
    receive_round(&x, &round);
  }
}
