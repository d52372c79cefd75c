/* Readers of the formats of traces (workload.h). They get the whole file in workload->text. */
#ifndef TUTTI_ENGINE_WORKLOAD_READ_H
#define TUTTI_ENGINE_WORKLOAD_READ_H

#include "engine/workload.h"

/* What the interposer writes (results/trace_format.h). */
tutti_status tutti_workload_read_trace(const char *path, struct workload *workload, tutti_error *error);

/* ---- workload_shapes.c ---- */

/* The counts of an irregular collective, as one rank has them: NULL and 0 where it has none, one number for the own
   block, or one for each rank. */
struct workload_vector {
  uint64_t *items;
  size_t count;
};

/* Make the call of a shape from what was recorded: its collective, bytes, call.size, .rank, .root, .type_size and
   .commutative are set. Returns NULL, or what is wrong. Takes nothing of the vectors. */
const char *tutti_workload_shape_complete(struct workload_shape *shape, const struct workload_vector *input,
                                          const struct workload_vector *output);

#endif
