/* Barriers made of steps in which a rank sends to one peer and receives from one peer. */
#ifndef TUTTI_ALGORITHMS_BARRIER_STEPS_H
#define TUTTI_ALGORITHMS_BARRIER_STEPS_H

#include "tutti/schedule.h"

/* The vertices of the last step, TUTTI_NO_VERTEX if there was none. */
struct steps {
  tutti_vertex_id sent, received;
};

static inline struct steps tutti_steps_begin(void)
{
  return (struct steps){TUTTI_NO_VERTEX, TUTTI_NO_VERTEX};
}

/* Add a step; it starts when the step before is complete. So a rank never has more than two messages in flight, which
   at 131,072 ranks is what keeps a simulation small. */
static inline void tutti_steps_add(tutti_builder *builder, struct steps *steps, int to, int from)
{
  tutti_vertex_id received = tutti_add_recv(builder, from, tutti_no_data());
  tutti_vertex_id sent = tutti_add_send(builder, to, tutti_no_data());
  const tutti_vertex_id step[] = {received, sent};
  for (int i = 0; i < 2; i++) {
    tutti_add_after(builder, step[i], steps->received);
    tutti_add_after(builder, step[i], steps->sent);
  }
  *steps = (struct steps){sent, received};
}

#endif
