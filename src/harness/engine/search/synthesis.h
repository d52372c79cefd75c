/* Schedules that were found, as plain data, and as an algorithm that builds them. */
#ifndef TUTTI_ENGINE_SYNTHESIS_H
#define TUTTI_ENGINE_SYNTHESIS_H

#include "harness/engine/search/spread.h"
#include "tutti/algorithm.h"

/* Moves of all ranks, and which of them are of a rank. */
struct phase {
  struct moves moves;
  uint32_t *first; /* [ranks + 1] in `own` */
  uint32_t *own;   /* moves that a rank sends or receives, in their order */
};

struct split_request {
  int ranks, root; /* root -1: owners are spread evenly */
  uint32_t chunks;
  double copy_s, message_s; /* seconds to copy a chunk; of one more message */
};

/* Cut messages to the owners of chunks where copies of chunks that are in different places take longer than messages.
 */
void tutti_moves_split(struct moves *moves, const struct split_request *request);

/* What was found. An alltoall has a chunk for each pair (exchange.h). */
struct synthesis {
  tutti_algorithm algorithm; /* whose data are this */
  int ranks, root;
  uint32_t chunks;      /* of the message, or of all blocks */
  uint32_t window;      /* a send waits for the one so many before it to the same rank, 1 or 2; 0: for none */
  uint32_t outstanding; /* a send waits for the one so many before it, to whatever rank; 0: for none */
  struct phase combine; /* of a reduction: on the way to the owners, first */
  struct phase spread;  /* from the owners to all; of a reduce: to the root, if chunks have owners all over */
};

/* Take over the moves, which are empty then, for a collective that a search knows. @p gathered: of a reduce, whose
   chunks have owners all over, which send them to the root; there are no moves for that. */
void tutti_synthesis_make(struct synthesis *synthesis, tutti_collective collective, int ranks, int root,
                          uint32_t chunks, bool gathered, struct moves *combine, struct moves *spread);
void tutti_synthesis_free(struct synthesis *synthesis);

/* The method of a synthesis, which must stay where it is. */
tutti_method tutti_synthesis_method(struct synthesis *synthesis);

#endif
