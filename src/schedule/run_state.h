/* The state of a running schedule. */
#ifndef TUTTI_SCHEDULE_RUN_STATE_H
#define TUTTI_SCHEDULE_RUN_STATE_H

#include "tutti/run.h"

/* A buffer bound to memory. */
struct place {
  char *base; /* of element 0 */
  MPI_Aint extent;
  MPI_Datatype type;
};

struct run {
  const tutti_schedule *schedule;
  const tutti_view *view;
  MPI_Op op;
  tutti_arena *arena;
  struct place input, output;
  char **temporaries; /* [temporary_count] */
  /* [vertices] prerequisites that are not complete yet; of a vertex that waits to be started, which has none left, the
     next one in the queue. So the queue takes no memory, of which a simulation has 131,072 times as much to find. */
  uint32_t *pending;
  tutti_vertex_id ready_first, ready_last; /* the queue; TUTTI_NO_VERTEX if empty */
  MPI_Request *requests;                   /* [capacity] messages in flight */
  tutti_vertex_id *carried;                /* [capacity] the vertex of each request */
  int active, capacity;
  uint32_t started; /* vertices posted or performed */
};

/* Bind the buffers and allocate all arrays from the arena; nothing is started. */
tutti_status tutti_run_prepare(struct run *run, const tutti_bindings *bindings, tutti_arena *arena, tutti_error *error);

/* Room for one more message in flight. */
tutti_status tutti_run_make_room(struct run *run, tutti_error *error);

#endif
