/* The scatter that begins the scatter-allgather broadcasts: blocks of the message down an in-order binomial tree. */
#ifndef TUTTI_ALGORITHMS_BCAST_PIECES_H
#define TUTTI_ALGORITHMS_BCAST_PIECES_H

#include "tutti/algorithm.h"

/* The message cut into one block per virtual rank, of equal size but for the last ones, which may be short or empty. */
struct pieces {
  const tutti_call *call;
  int parts;       /* number of blocks = ranks 0..parts-1 that take part, counted from the root */
  uint64_t length; /* elements of a full block */
  int v;           /* own virtual rank */
};

struct pieces tutti_pieces(const tutti_call *call, int parts);

/* Rank in the group of a virtual rank. */
int tutti_pieces_rank(const struct pieces *pieces, int v);

/* Blocks first .. first + count - 1, cut off at the last one. May be empty. */
tutti_block tutti_pieces_range(const struct pieces *pieces, int first, int count);

/* How many blocks, from its own one on, virtual rank v holds after the scatter: its subtree. */
int tutti_pieces_span(const struct pieces *pieces, int v);

/* Add the scatter for the own rank (0 <= v < parts). Returns the receive that brings the own blocks; TUTTI_NO_VERTEX at
   the root and where they are empty. */
tutti_vertex_id tutti_build_pieces_scatter(tutti_builder *builder, const struct pieces *pieces);

#endif
