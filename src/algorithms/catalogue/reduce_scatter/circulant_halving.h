/* Blocks of all ranks turned so that the own one comes first, halved on a circulant graph. */
#ifndef TUTTI_ALGORITHMS_REDUCE_SCATTER_CIRCULANT_HALVING_H
#define TUTTI_ALGORITHMS_REDUCE_SCATTER_CIRCULANT_HALVING_H

#include "algorithms/catalogue/shared/circulant.h"

struct turned {
  tutti_builder *builder;
  const tutti_call *call;
  struct circulant graph;                            /* its skips give the number of blocks left in a round */
  uint64_t (*cut)(const tutti_call *call, int rank); /* first element of a rank's block, up to rank P: their end */
  tutti_buffer blocks;                               /* the temporary that holds them */
  tutti_vertex_id ready;                             /* the blocks are combined as far as they are */
  tutti_vertex_id last_sent;                         /* the last message sent */
  tutti_vertex_id sent[CIRCULANT_MAX_ROUNDS];        /* [q] blocks skip[k] to skip[k + 1] - 1, to be overwritten */
};

/* Blocks number first to end - 1 of the turned order. */
tutti_block tutti_turned_range(const struct turned *t, int first, int end);

/* Copy the input into a temporary in that order, and halve until block 0 is the result of the own rank's block. */
struct turned tutti_turned_halve(tutti_builder *builder, const tutti_call *call,
                                 uint64_t (*cut)(const tutti_call *call, int rank));

#endif
