/* The rider of actors. Each rank has one, and acts for it as an endpoint of src/groups does under SMPI, call by call:
   it keeps receives from any source posted, announces long messages, and sleeps for the costs of the runtime. The
   messages that an actor sends while it takes one follow from that message alone: so it takes it at once, and its own
   messages then leave one after the other. */
#ifndef TUTTI_ENGINE_ACTORS_H
#define TUTTI_ENGINE_ACTORS_H

#include "harness/engine/machine/machine.h"
#include "tutti/group_run.h"

struct actors_cast;

struct engine_actors {
  tutti_transport transport; /* of all actors, before they are made: tutti_actors_transport */
  const struct engine_machine *machine;
  uint32_t rank_count;
  tutti_actor **actors;     /* [rank_count] builders of groups, by rank; not owned */
  const uint32_t *order;    /* [rank_count] in which the ranks begin */
  double time;              /* when they do */
  double complete;          /* out: when the last group was complete; -infinity: no group */
  double ended;             /* out: when rank 0 knew that all of them do */
  struct actors_cast *cast; /* while they run */
};

/* For engine_actors.transport. */
extern const tutti_transport tutti_actors_transport;

/* Start all actors and deliver until no message is left. The first failure of an actor; TUTTI_ERR_FAULT names one that
   waits for ever, TUTTI_ERR_UNSUPPORTED two that no route joins. */
tutti_status tutti_actors_run(struct engine_actors *actors, tutti_error *error);

#endif
