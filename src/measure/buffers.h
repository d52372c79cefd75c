/* Message buffers and datatypes of measured operations. */
#ifndef TUTTI_MEASURE_BUFFERS_H
#define TUTTI_MEASURE_BUFFERS_H

#include "measure/points.h"
#include "tutti/collectives.h"

/* Two buffers, large enough for every point of a launch. */
struct buffers {
  char *input, *output; /* owned */
};

/* Allocated and written to once, so that no page fault is measured. Free with tutti_buffers_free() in any case. */
tutti_status tutti_buffers_create(const struct points *points, struct buffers *buffers, tutti_error *error);
void tutti_buffers_free(struct buffers *buffers);

/* The datatype of a point's elements, made before anything is timed; free with tutti_element_free(). */
tutti_status tutti_element_create(const struct point *point, MPI_Datatype *element, tutti_error *error);
void tutti_element_free(MPI_Datatype *element);

/* Perform the operation of a point once, as a program would call it: building the schedule is part of it. */
tutti_status tutti_perform(const struct point *point, MPI_Datatype element, const struct buffers *buffers,
                           const tutti_view *view, tutti_error *error);

#endif
