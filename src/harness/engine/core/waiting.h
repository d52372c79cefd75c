/* Ranks that wait for any of their requests. */
#ifndef TUTTI_ENGINE_WAITING_H
#define TUTTI_ENGINE_WAITING_H

#include "harness/engine/core/engine.h"
#include "harness/engine/core/matching.h"

struct engine_waiter {
  uint64_t since;  /* number of the wait that the rank is in; 0: none */
  uint32_t done;   /* of its requests, complete but not taken */
  uint32_t answer; /* place of the request that has ended the wait */
};

struct waiting {
  struct engine_waiter *waiters; /* [rank_count] */
  uint64_t waits;
};

void tutti_waiting_init(struct waiting *waiting, uint32_t rank_count);
void tutti_waiting_free(struct waiting *waiting);

/* Nothing of the rank is complete: it waits until something is, and is woken then. */
static inline void waiting_begin(struct waiting *waiting, uint32_t rank)
{
  waiting->waiters[rank].since = ++waiting->waits;
}

/* Both ends of a message are complete. Of two ranks that wait, the one that has waited longer is woken first. An eager
   end is over with that. */
void tutti_waiting_complete(struct waiting *waiting, struct matching *matching, struct engine *engine, uint32_t a,
                            uint32_t b);

/* The same for a request without another end. */
void tutti_waiting_complete_alone(struct waiting *waiting, struct matching *matching, struct engine *engine,
                                  uint32_t request);

#endif
