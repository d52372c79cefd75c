/* Message buffers of a launch. */
#ifndef TUTTI_MEASURE_BUFFERS_H
#define TUTTI_MEASURE_BUFFERS_H

#include "measure/points.h"
#include "tutti/view.h"

/* Two buffers of a rank, large enough for what it does in every point of the launch. */
struct buffers {
  char *input, *output; /* owned */
};

/*
 * Allocated and written to once, so that no page fault is measured. Free with tutti_buffers_free() in any case.
 * TUTTI_ERR_MEMORY, in simulation TUTTI_ERR_UNSUPPORTED, if the ranks of this machine together need more than it has.
 */
tutti_status tutti_buffers_create(const struct points *points, const tutti_view *view, struct buffers *buffers,
                                  tutti_error *error);
void tutti_buffers_free(struct buffers *buffers);

#endif
