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
  struct place input, output;
  char **temporaries;     /* [temporary_count] */
  uint32_t *pending;      /* [vertices] prerequisites that are not complete yet */
  tutti_vertex_id *ready; /* [vertices] queue of vertices to start; each enters once */
  uint32_t ready_head, ready_tail;
  MPI_Request *requests;    /* messages in flight */
  tutti_vertex_id *carried; /* the vertex of each request */
  int active;
  uint32_t started; /* vertices posted or performed */
};

/* Bind the buffers and allocate all arrays from the arena; nothing is started. */
tutti_status tutti_run_prepare(struct run *run, const tutti_bindings *bindings, tutti_arena *arena, tutti_error *error);

#endif
