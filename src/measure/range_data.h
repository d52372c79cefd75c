/* What collectives on ranges move: doubles of which everybody knows what they must be. */
#ifndef TUTTI_MEASURE_RANGE_DATA_H
#define TUTTI_MEASURE_RANGE_DATA_H

#include "results/range_point.h"
#include "tutti/collectives.h"

/* Of one process. */
struct range_data {
  double *input, *output; /* owned; a broadcast has the output only */
  size_t input_count, output_count;
};

/* Buffers for one operation of the point on `view`. TUTTI_ERR_UNSUPPORTED, the same on all ranks, if a simulation would
   take more memory than there is. Free with range_data_free() in any case. */
tutti_status range_data_open(const struct range_point *point, const tutti_view *view, struct range_data *data,
                             tutti_error *error);
void range_data_free(struct range_data *data);

/* Before the operation: other values each round. */
void range_data_fill(const struct range_point *point, const tutti_view *view, int round, struct range_data *data);

/* After it: TUTTI_ERR_FAULT names the element that is wrong. */
tutti_status range_data_check(const struct range_point *point, const tutti_view *view, int round,
                              const struct range_data *data, tutti_error *error);

/* The operation: nonblocking, then waited for, on a view with progress or by the library on a communicator. */
tutti_status range_collective(const struct range_point *point, tutti_view *view, const struct range_data *data,
                              tutti_error *error);
tutti_status range_collective_native(const struct range_point *point, MPI_Comm comm, const struct range_data *data,
                                     tutti_error *error);

#endif
