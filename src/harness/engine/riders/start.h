/* The start of an operation: when it is, and in which order the ranks begin. The messages that a measuring program
   sends before it decide both, not the operation: so points of one kind share their start. */
#ifndef TUTTI_ENGINE_START_H
#define TUTTI_ENGINE_START_H

#include "harness/engine/machine/machine.h"

enum start_kind {
  START_OF_CALL,
  START_BEHIND_BARRIER, /* of a call, in the scheme occ: a barrier has been measured alone */
  START_OF_BUILD,       /* of groups: endpoints have posted their receives */
};

/* All that the start depends on, beside the machine. */
struct start_key {
  enum start_kind kind;
  uint32_t rank_count;
  int launch;         /* 0: the order of SMPI; else one drawn by the number */
  uint64_t latest_ns; /* delay of the last arrival, for which the start is put off */
};

/* The one found last; zero it before the first. */
struct engine_start {
  struct start_key key;
  uint32_t *order; /* [rank_count] in which the ranks begin; owned; NULL: not found yet */
  double time;     /* when the operation is to begin */
  double now;      /* when the ranks begin: the same, except for the last digit */
  double barrier;  /* seconds of the barrier */
};

/* Find the start, unless it is known. @p start must be of the same machine. TUTTI_ERR_ARGUMENT for more ranks than
   places, else as tutti_script_run(). */
tutti_status tutti_start_find(const struct engine_machine *machine, struct start_key key, struct engine_start *start,
                              tutti_error *error);

/* TUTTI_ERR_ARGUMENT for more ranks than places. */
tutti_status tutti_start_check_room(const struct engine_machine *machine, uint32_t ranks, tutti_error *error);

void tutti_start_free(struct engine_start *start);

#endif
