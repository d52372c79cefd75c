/**
 * @file inprocess.h
 * @ingroup groups
 * The transport among actors of one process: all of them in one address space, messages delivered one at a time in an
 * order that a seed and a policy determine. For adversarial tests, for counting at a scale no machine has, and for
 * believing.
 */
#ifndef TUTTI_INPROCESS_H
#define TUTTI_INPROCESS_H

#include "tutti/actor.h"

#ifdef __cplusplus
extern "C" {
#endif

/** In which order messages are delivered. */
typedef enum tutti_delivery {
  TUTTI_DELIVERY_FIFO,   /**< as sent: every message takes one unit of time */
  TUTTI_DELIVERY_LIFO,   /**< the newest first */
  TUTTI_DELIVERY_RANDOM, /**< any, by the seed */
  TUTTI_DELIVERY_STARVE  /**< random, but one process (chosen by the seed) gets its messages when there are no others */
} tutti_delivery;

typedef struct tutti_inprocess tutti_inprocess;

/** Room for @p size processes without actors; NULL if memory is short. */
tutti_inprocess *tutti_inprocess_create(int size, tutti_delivery delivery, uint64_t seed);

/** Free them, their actors and undelivered messages. NULL is allowed. */
void tutti_inprocess_free(tutti_inprocess *processes);

/** Whom these actors send through. */
tutti_transport *tutti_inprocess_transport(tutti_inprocess *processes);

/** The actor with id @p actor->id moves in; it is owned by @p processes from now on. */
void tutti_inprocess_settle(tutti_inprocess *processes, tutti_actor *actor);

/** The actor of process @p id, or NULL. */
tutti_actor *tutti_inprocess_actor(const tutti_inprocess *processes, int id);

/** Start all actors, then deliver until no message is left. TUTTI_ERR_FAULT if an actor is not done then; or the first
    failure of an actor. */
tutti_status tutti_inprocess_run(tutti_inprocess *processes, tutti_error *error);

/** Deliver what is under way, for actors that send after they are done (lookups). */
tutti_status tutti_inprocess_deliver(tutti_inprocess *processes, tutti_error *error);

/** Sums and maxima over all actors; @p memory gets the largest peak of any heap. */
tutti_tally tutti_inprocess_tally(const tutti_inprocess *processes, size_t *memory);

#ifdef __cplusplus
}
#endif
#endif
