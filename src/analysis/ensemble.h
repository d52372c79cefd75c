/* The schedules of all ranks of a group together: matched, and executed in an order that respects every wait. */
#ifndef TUTTI_SCHEDULE_ENSEMBLE_H
#define TUTTI_SCHEDULE_ENSEMBLE_H

#include "tutti/algorithm.h"

/* Vertices of all ranks are numbered through: rank r has first[r] .. first[r + 1] - 1. */
struct ensemble {
  const tutti_schedule *schedules;
  int size;
  size_t *first;   /* [size + 1] */
  size_t *partner; /* [vertices] the other end of a message; NO_PARTNER for local vertices */
};

#define NO_PARTNER SIZE_MAX

/* One thing that happens: a message (send and receive) or a local vertex (receive is NO_PARTNER). */
struct event {
  size_t vertex; /* the local vertex or the send */
  size_t receive;
  int rank, receiver;
};

/* Called for each event in an order that respects all waits. Returns a status; anything but TUTTI_OK ends the run. */
typedef tutti_status (*tutti_visit)(void *context, const struct event *event, tutti_error *error);

/* Validate all schedules and match sends with receives. Free with tutti_ensemble_free() in any case. */
tutti_status tutti_ensemble_create(struct ensemble *ensemble, const tutti_schedule *schedules, int size,
                                   tutti_error *error);
void tutti_ensemble_free(struct ensemble *ensemble);

/* Execute. TUTTI_ERR_FAULT names the vertices of a cycle if some wait for ever. */
tutti_status tutti_ensemble_run(const struct ensemble *ensemble, tutti_visit visit, void *context, tutti_error *error);

const tutti_vertex *tutti_ensemble_vertex(const struct ensemble *ensemble, int rank, size_t vertex);

/* The same call by each rank, [call->size]; owned by the arena. */
tutti_status tutti_calls_of(const tutti_call *call, tutti_arena *arena, tutti_call **calls, tutti_error *error);

/* Build the schedules of all ranks, whose calls are given, into one arena. The array is owned by the arena. */
tutti_status tutti_schedules_of(const tutti_method *method, const tutti_call *calls, tutti_arena *arena,
                                tutti_schedule **schedules, tutti_error *error);

#endif
