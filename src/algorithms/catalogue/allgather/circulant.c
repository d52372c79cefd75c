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

struct gathering {
  tutti_builder *builder;
  const struct circulant_pieces *pieces;
  tutti_buffer outgoing, incoming;
  tutti_vertex_id *brought;     /* [P * n] what brought a piece, by rank of the block and number */
  tutti_vertex_id before, sent; /* the last message sent before this round, and after it */
  tutti_vertex_id unpacking,
      unpacked; /* first and end of unpacking the previous round: the incoming temporary is free */
};

static tutti_vertex_id *piece_of(const struct gathering *g, int origin, uint64_t j)
{
  return &g->brought[(uint64_t)origin * g->pieces->count + j];
}

/* A piece where it is: the own block in the input. */
static tutti_block source_of(const struct gathering *g, int origin, tutti_block piece)
{
  if (origin != g->pieces->call->rank)
    return piece;
  return tutti_block_of(TUTTI_INPUT, piece.first - g->pieces->block(g->pieces->call, origin).first, piece.count);
}

/* A round begins when the one before is complete: so it does not matter if some have no message in it. */
static void after_round(struct gathering *g, tutti_vertex_id vertex)
{
  tutti_add_after(g->builder, vertex, g->before);
  for (tutti_vertex_id v = g->unpacking; v < g->unpacked; v++)
    tutti_add_after(g->builder, vertex, v);
}

/* Copy the pieces to the outgoing message; the vertices that were added are those before the return. A single one needs
   no copy. */
static void send_round(struct gathering *g, const struct circulant_round *round)
{
  const struct circulant *graph = &g->pieces->graph;
  int rank = g->pieces->call->rank, to = tutti_circulant_rank(graph, rank, graph->skip[round->k]), count;
  uint64_t elements = tutti_circulant_message(g->pieces, round, to, &count), at = 0, j;
  tutti_block message = tutti_block_of(g->outgoing, 0, elements);
  tutti_vertex_id first = tutti_builder_next(g->builder), after = TUTTI_NO_VERTEX;
  for (int origin = 0; count > 0 && origin < graph->size; origin++) {
    tutti_block piece = tutti_circulant_piece(g->pieces, round, to, origin, &j);
    if (piece.count == 0)
      continue;
    tutti_block source = source_of(g, origin, piece);
    after = *piece_of(g, origin, j);
    if (count == 1) {
      message = source;
      break;
    }
    tutti_vertex_id copied = tutti_add_copy(g->builder, source, tutti_block_of(g->outgoing, at, piece.count));
    tutti_add_after(g->builder, copied, after);
    tutti_add_after(g->builder, copied, g->before);
    at += piece.count;
  }
  if (count == 0)
    return;
  tutti_vertex_id sent = tutti_add_send(g->builder, to, message);
  for (tutti_vertex_id v = first; v < sent; v++)
    tutti_add_after(g->builder, sent, v);
  after_round(g, sent);
  if (count == 1)
    tutti_add_after(g->builder, sent, after);
  g->sent = sent;
}

static void receive_round(struct gathering *g, const struct circulant_round *round)
{
  const struct circulant *graph = &g->pieces->graph;
  int rank = g->pieces->call->rank, from = tutti_circulant_rank(graph, rank, -graph->skip[round->k]), count;
  uint64_t elements = tutti_circulant_message(g->pieces, round, rank, &count), at = 0, j;
  if (count == 0)
    return;
  tutti_vertex_id received = TUTTI_NO_VERTEX;
  if (count > 1) {
    received = tutti_add_recv(g->builder, from, tutti_block_of(g->incoming, 0, elements));
    after_round(g, received);
  }
  tutti_vertex_id first = tutti_builder_next(g->builder);
  for (int origin = 0; origin < graph->size; origin++) {
    tutti_block piece = tutti_circulant_piece(g->pieces, round, rank, origin, &j);
    if (piece.count == 0)
      continue;
    tutti_vertex_id *brought = piece_of(g, origin, j);
    *brought = count == 1 ? tutti_add_recv(g->builder, from, piece)
                          : tutti_add_copy(g->builder, tutti_block_of(g->incoming, at, piece.count), piece);
    if (count == 1)
      after_round(g, *brought);
    tutti_add_after(g->builder, *brought, received);
    at += piece.count;
  }
  g->unpacking = first;
  g->unpacked = tutti_builder_next(g->builder);
}

void tutti_build_allgather_circulant(tutti_builder *builder, const tutti_call *call)
{
  struct circulant_pieces pieces;
  tutti_block own = tutti_output_block(call, call->rank);
  if (own.count > 0)
    tutti_add_copy(builder, tutti_block_of(TUTTI_INPUT, 0, own.count), own);
  if (call->size == 1 || !tutti_circulant_pieces(builder, call, tutti_output_block, &pieces) || pieces.count == 0)
    return;
  struct gathering g = {.builder = builder, .pieces = &pieces, .before = TUTTI_NO_VERTEX, .sent = TUTTI_NO_VERTEX};
  g.brought = tutti_circulant_vertices(builder, (uint64_t)call->size * pieces.count);
  g.outgoing = tutti_builder_temporary(builder, tutti_circulant_longest_out(&pieces));
  g.incoming = tutti_builder_temporary(builder, tutti_circulant_longest_in(&pieces));
  for (uint64_t i = 0; g.brought && i < tutti_circulant_rounds(&pieces.graph, pieces.count); i++) {
    struct circulant_round round = tutti_circulant_round(&pieces.graph, pieces.count, i);
    g.before = g.sent;
    send_round(&g, &round);
    receive_round(&g, &round);
  }
}
