/* The blocks of all ranks one after the other, so that any range of them is one message: in the order of the ranks,
   which is that of the output, or turned, so that the block of another rank than 0 comes first; then in a temporary,
   from which the blocks are copied to their places in the end. */
#ifndef TUTTI_ALGORITHMS_ALLGATHER_PACKING_H
#define TUTTI_ALGORITHMS_ALLGATHER_PACKING_H

#include "tutti/algorithm.h"

/* Blocks that are in the buffer when a vertex is complete. */
struct arrival {
  tutti_vertex_id vertex;
  int first, count;
};

struct packing {
  tutti_builder *builder;
  const tutti_call *call;
  int turn;                /* the rank whose block comes first */
  tutti_buffer buffer;     /* TUTTI_OUTPUT or a temporary */
  uint64_t base;           /* where the blocks begin in it */
  const uint64_t *offsets; /* [size + 1] where each begins, from base on; NULL: all have call->count elements */
  struct arrival *arrived; /* [room] */
  int arrivals, room;
};

/* Choose the buffer. False if memory is short, which the builder reports. */
bool tutti_packing_plan(tutti_builder *builder, const tutti_call *call, int turn, struct packing *packing);

/* The same, and put the own block in its place. */
bool tutti_packing_begin(tutti_builder *builder, const tutti_call *call, int turn, struct packing *packing);

/* `count` blocks from number `first` of the turned order on. */
tutti_block tutti_packed(const struct packing *packing, int first, int count);

/* Record that `count` blocks from number `first` on have arrived after `vertex`. TUTTI_NO_VERTEX has no effect. */
void tutti_packing_arrived(struct packing *packing, tutti_vertex_id vertex, int first, int count);

/* Send blocks to a rank as soon as they have arrived; the own block alone is sent from the input, at once. An empty
 * range is no message, here as below. */
void tutti_packing_send(tutti_builder *builder, const struct packing *packing, int peer, int first, int count);

/* Receive blocks from a rank. */
void tutti_packing_receive(tutti_builder *builder, struct packing *packing, int peer, int first, int count);

/* When all blocks have arrived, copy them from the temporary, if there is one, to their places in the output. */
void tutti_packing_end(tutti_builder *builder, const struct packing *packing);

#endif
