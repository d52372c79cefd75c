/* The operation of a point: everything that a program would have at hand before it calls, made before anything is
   timed. */
#ifndef TUTTI_MEASURE_SUBJECT_H
#define TUTTI_MEASURE_SUBJECT_H

#include "measure/buffers.h"
#include "tutti/collectives.h"

struct subject {
  const struct point *point;
  const struct buffers *buffers;
  MPI_Datatype element;
  MPI_Op op;           /* MPI_OP_NULL where nothing is reduced */
  int *counts;         /* [ranks] of the irregular forms, at the ranks that hand them over, else NULL; owned */
  int *places;         /* [ranks] their displacements, blocks one after the other; part of the same memory */
  MPI_Datatype *types; /* [ranks] of alltoallw, else NULL; owned */
};

/* Free with tutti_subject_free() in any case. */
tutti_status tutti_subject_create(const struct point *point, const struct buffers *buffers, const tutti_view *view,
                                  struct subject *subject, tutti_error *error);
void tutti_subject_free(struct subject *subject);

/* Perform it once, as a program would call it: building the schedule is part of it. */
tutti_status tutti_perform(const struct subject *subject, const tutti_view *view, tutti_error *error);

#endif
