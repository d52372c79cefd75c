/* Pipelined collectives on a circulant graph (Traff, Optimal broadcast schedules in logarithmic time with applications
   to broadcast, reduction, all-to-all broadcast and all-to-all reduction, arXiv 2407.18004): in round i, with
   k = i mod q and q = ceil(log2 P), rank r sends to r + skip[k] and receives from r - skip[k]. Which block it is
   follows from tables of q numbers a rank, which each rank computes for itself without messages. Ranks are relative to
   the root here; all rank arithmetic is modulo P.

       P = 9:  skips 1 2 3 5        rank 1 receives in rounds 0, 1, 2, 3 blocks 0 -2 -3 -1: only that of round 0 exists;
                                    in rounds 4 to 7 blocks 4 2 1 3, and so on: all of them, each once

   For n blocks there are x empty rounds first, so that the last of the n - 1 + q rounds that follow is a multiple of
   q. A block beyond the last one is the last one, one before the first is none. Reversed in time, with operands in
   place of blocks, it is a reduction. */
#ifndef TUTTI_ALGORITHMS_CIRCULANT_H
#define TUTTI_ALGORITHMS_CIRCULANT_H

#include "algorithms/catalogue/builders.h"

enum { CIRCULANT_MAX_ROUNDS = 31 };

struct circulant {
  int size;
  int rounds;                         /* q */
  int skip[CIRCULANT_MAX_ROUNDS + 1]; /* [q + 1] skip[q] = P, skip[k] = ceil(skip[k + 1] / 2) */
};

struct circulant tutti_circulant(int size);

/* The blocks that rank r, relative to the root, receives in rounds 0 to q - 1 of an endless pipeline: -q to q - 1, one
   of them >= 0 unless r is 0. O(q). */
void tutti_circulant_receives(const struct circulant *graph, int r, int8_t blocks[CIRCULANT_MAX_ROUNDS]);

/* The blocks that it sends: those that its receivers receive. O(q^2). */
void tutti_circulant_sends(const struct circulant *graph, int r, int8_t blocks[CIRCULANT_MAX_ROUNDS]);

/* `places` ranks after r, or before if that is negative. */
static inline int tutti_circulant_rank(const struct circulant *graph, int r, int places)
{
  int64_t rank = (int64_t)r + places;
  return (int)(rank < 0 ? rank + graph->size : rank >= graph->size ? rank - graph->size : rank);
}

/* ---- rounds of a pipeline of n >= 1 blocks ---- */

struct circulant_round {
  int k;          /* its skip is number k */
  int64_t offset; /* added to the number in the table */
};

/* n - 1 + q of them. */
static inline uint64_t tutti_circulant_rounds(const struct circulant *graph, uint64_t blocks)
{
  return blocks - 1 + (uint64_t)graph->rounds;
}

/* Round number `index` of these; P > 1. */
struct circulant_round tutti_circulant_round(const struct circulant *graph, uint64_t blocks, uint64_t index);

/* The block that goes in a round by the table's entry for it; -1: none. */
static inline int64_t tutti_circulant_block(const struct circulant_round *round, int entry, uint64_t blocks)
{
  int64_t block = entry + round->offset;
  return block < 0 ? -1 : block < (int64_t)blocks ? block : (int64_t)blocks - 1;
}

/* ---- the own part of a broadcast and of a reduction ---- */

struct circulant_part {
  struct circulant graph;
  const tutti_segmentation *segments; /* the blocks */
  int root, r;                        /* r: the own rank, relative to the root */
  int8_t receives[CIRCULANT_MAX_ROUNDS], sends[CIRCULANT_MAX_ROUNDS];
};

struct circulant_part tutti_circulant_part(const tutti_call *call, const tutti_segmentation *segments, int root);

/* The broadcast from the root, in TUTTI_OUTPUT. ready[b] must be complete before block b is sent by the root or
   received by another rank. */
void tutti_build_circulant_bcast(tutti_builder *builder, const struct circulant_part *part, tutti_vertex_id *ready);

/* The reduction to the root. Partial results are in `partial`, at the root TUTTI_OUTPUT, else any buffer of the
   message's length. done[b] becomes what completes block b at the root, or sends the partial result of b. */
void tutti_build_circulant_reduce(tutti_builder *builder, const struct circulant_part *part, tutti_buffer partial,
                                  tutti_vertex_id *done);

/* Scratch for a vertex of each block, none yet; NULL without memory. */
tutti_vertex_id *tutti_circulant_vertices(tutti_builder *builder, uint64_t blocks);

/* ---- broadcasts from all ranks at once ---- */

/* The blocks of all ranks, each cut into the same number of pieces. */
struct circulant_pieces {
  const tutti_call *call;
  struct circulant graph;
  tutti_block (*block)(const tutti_call *call, int rank);
  uint64_t count; /* n: pieces of each block; 0 if all blocks are empty */
  int *full;      /* [full_count] ranks whose blocks are not empty */
  int full_count;
  int8_t *receives; /* [P * q] tables of all ranks, found when they are asked for */
};

/* The ranks whose blocks have pieces. */
#define CIRCULANT_FOR_EACH_ORIGIN(origin, pieces)                                                                      \
  for (int i_ = 0, origin; i_ < (pieces)->full_count && (origin = (pieces)->full[i_], true); i_++)

/* Cut blocks into pieces of the call's segment size at most. False without memory. */
bool tutti_circulant_pieces(tutti_builder *builder, const tutti_call *call,
                            tutti_block (*block)(const tutti_call *call, int rank), struct circulant_pieces *pieces);

/* The piece of the block of `origin`, and its number j, that rank `receiver` receives in a round; one of no elements:
   none. */
tutti_block tutti_circulant_piece(const struct circulant_pieces *pieces, const struct circulant_round *round,
                                  int receiver, int origin, uint64_t *j);

/* Elements that `receiver` receives in a round, and pieces. */
uint64_t tutti_circulant_message(const struct circulant_pieces *pieces, const struct circulant_round *round,
                                 int receiver, int *count);

/* Elements of the longest message that the own rank sends in an allgather (`out`), or receives. */
uint64_t tutti_circulant_longest(const struct circulant_pieces *pieces, bool out);

/* A rank's part of an exchange of all blocks in rounds: in each it sends and receives one message at most. */
struct circulant_exchange {
  tutti_builder *builder;
  const struct circulant_pieces *pieces;
  tutti_buffer partial;            /* of a reduction: the results so far */
  tutti_buffer outgoing, incoming; /* messages of several pieces */
  tutti_vertex_id *last;           /* [P * n] what brought or combined a piece last, by rank of the block and number */
  tutti_vertex_id before, sent;    /* the last message sent before this round, and after it */
  tutti_vertex_id first, end;      /* first and end of taking in the previous round: the incoming temporary is free */
};

/* All but the temporaries; `last` is NULL without memory. */
struct circulant_exchange tutti_circulant_exchange(tutti_builder *builder, const struct circulant_pieces *pieces);

static inline tutti_vertex_id *tutti_circulant_last(const struct circulant_exchange *x, int origin, uint64_t j)
{
  return &x->last[(uint64_t)origin * x->pieces->count + j];
}

/* A round begins when the one before is complete: so it does not matter if some have no message in it. */
void tutti_circulant_after_round(const struct circulant_exchange *x, tutti_vertex_id vertex);

/* Send the pieces that `receiver` receives in that round of the allgather. `source`: where a piece is, which `last`
   brought or combined. */
void tutti_circulant_send(struct circulant_exchange *x, const struct circulant_round *round, int to, int receiver,
                          tutti_block (*source)(const struct circulant_exchange *x, int origin, tutti_block piece,
                                                tutti_vertex_id last));

#endif
