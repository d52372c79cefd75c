/* Steps: the part of a rank in an algorithm where it can never do anything but wait for one message, or for one each
   way. MPI's blocking functions do that in less time than posting and waiting, and what comes next is known beforehand.
   So small operations that are repeated cost little more than their messages. In simulation sends are synchronous, and
   those functions are not. */
#ifndef TUTTI_MPI_STEPS_H
#define TUTTI_MPI_STEPS_H

#include "algorithms/mpi/run_state.h"

enum step_kind { STEP_SEND, STEP_RECEIVE, STEP_BOTH, STEP_COPY, STEP_REDUCE, STEP_WORK };

/* The block that one vertex sends, receives or copies. */
struct step_end {
  char *const *base; /* of its buffer */
  MPI_Aint offset;
  int count;
  int peer; /* base rank; if the view has a map, which may have changed when the run is repeated, a rank of the view */
  MPI_Datatype type;
  uint64_t bytes;
  tutti_vertex_id vertex;
};

struct step {
  enum step_kind kind;
  struct step_end out, in; /* for a copy: from, to */
};

#endif
