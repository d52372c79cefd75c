/* The order in which the ranks of an alltoall send their blocks, each by its way: messages are matched to the links of
   their routes as these become free, so that those under way at the same time meet as little as possible. */
#ifndef TUTTI_ENGINE_EXCHANGE_H
#define TUTTI_ENGINE_EXCHANGE_H

#include "harness/engine/search/spread.h"
#include "harness/engine/search/ways.h"

struct exchange_request {
  const struct ways *ways;
  bool balanced;  /* by the relays that make the load of links even */
  uint64_t bytes; /* of a block */
  bool far_first; /* a rank begins with its longest routes, else with the next rank */
  uint64_t seed;  /* mixes the order in which a rank looks for a receiver; 0: it does not */
};

/* Moves in the order in which they begin, and when the last one ends. The chunk of a move is the number of the pair,
   sender * ranks + receiver; one that is relayed moves twice. Takes some operations for each link of the routes of all
   pairs. */
void tutti_search_exchange(const struct exchange_request *request, struct moves *moves, double *seconds);

#endif
