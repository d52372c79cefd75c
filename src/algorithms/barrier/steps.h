/* Barriers made of steps in which a rank sends to one peer and receives from one peer. */
#ifndef TUTTI_ALGORITHMS_BARRIER_STEPS_H
#define TUTTI_ALGORITHMS_BARRIER_STEPS_H

#include "tutti/schedule.h"

/* The state after a number of steps: the vertices of the last step and of the one before, TUTTI_NO_VERTEX if none. */
struct steps {
  tutti_vertex_id sent, received, received_before;
};

static inline struct steps tutti_steps_begin(void)
{
  return (struct steps){TUTTI_NO_VERTEX, TUTTI_NO_VERTEX, TUTTI_NO_VERTEX};
}

/* Add a step: its send starts when the step before is complete, its receive is posted one step early, so that each rank
   has two receives posted whatever the number of steps. */
static inline void tutti_steps_add(tutti_builder *builder, struct steps *steps, int to, int from)
{
  tutti_vertex_id received = tutti_add_recv(builder, from, tutti_no_data());
  tutti_add_after(builder, received, steps->received_before);
  tutti_vertex_id sent = tutti_add_send(builder, to, tutti_no_data());
  tutti_add_after(builder, sent, steps->sent);
  tutti_add_after(builder, sent, steps->received);
  *steps = (struct steps){sent, received, steps->received};
}

#endif
