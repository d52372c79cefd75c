/* The data of collectives on ranges. */
#include <stdlib.h>
#include <unistd.h>

#include "harness/measure/range/range.h"

/* ---- values: small whole numbers, so that their sums are exact ---- */

enum { PERIOD = 1000, ROUNDS = 100, NOT_YET = -1 };

static double value_of(int rank, size_t i, int round)
{
  return rank + 3.0 * (double)(i % PERIOD) + round % ROUNDS + 1;
}

/* The sum over ranks 0 .. rank. */
static double sum_of(int rank, size_t i, int round)
{
  return rank * (rank + 1.0) / 2 + (rank + 1) * value_of(0, i, round);
}

static bool is_bcast(const struct range_point *point)
{
  return point->operation == RANGE_BCAST || point->operation == RANGE_SUBRANGE_BCAST;
}

/* ---- buffers ---- */

static tutti_status check_memory(const struct range_point *point, const tutti_view *view, tutti_error *error)
{
  double needed = (is_bcast(point) ? 1.0 : 2.0) * (double)point->count * view->size * sizeof(double);
  double there = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  if (!tutti_clock_is_simulated() || needed <= there)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_UNSUPPORTED,
                    "the messages of %d ranks take %.3g GB of memory, and this machine has %.3g GB", view->size,
                    needed / 1e9, there / 1e9);
}

/* Not NULL even without data. */
static double *allocate(size_t count)
{
  return malloc((count > 0 ? count : 1) * sizeof(double));
}

tutti_status range_data_open(const struct range_point *point, const tutti_view *view, struct range_data *data,
                             tutti_error *error)
{
  bool receives = point->operation != RANGE_GATHER && (point->operation != RANGE_REDUCE || view->rank == 0);
  size_t count = point->count;
  *data = (struct range_data){.input_count = is_bcast(point) ? 0 : count, .output_count = receives ? count : 0};
  tutti_status status = check_memory(point, view, error);
  if (status != TUTTI_OK)
    return status;
  if (point->operation == RANGE_GATHER && view->rank == 0)
    data->output_count = count * (size_t)view->size;
  data->input = allocate(data->input_count);
  data->output = allocate(data->output_count);
  if (!data->input || !data->output)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for %zu doubles", view->rank,
                      data->input_count + data->output_count);
  return TUTTI_OK;
}

void range_data_free(struct range_data *data)
{
  free(data->input);
  free(data->output);
  *data = (struct range_data){.input = NULL};
}

void range_data_fill(const struct range_point *point, const tutti_view *view, int round, struct range_data *data)
{
  for (size_t i = 0; i < data->input_count; i++)
    data->input[i] = value_of(view->rank, i, round);
  for (size_t i = 0; i < data->output_count; i++)
    data->output[i] = is_bcast(point) && view->rank == 0 ? value_of(0, i, round) : NOT_YET;
}

static double expected_at(const struct range_point *point, const tutti_view *view, size_t i, int round)
{
  switch (point->operation) {
  case RANGE_REDUCE:
    return sum_of(view->size - 1, i, round);
  case RANGE_SCAN:
    return sum_of(view->rank, i, round);
  case RANGE_GATHER:
    return value_of((int)(i / point->count), i % point->count, round);
  default:
    return value_of(0, i, round);
  }
}

tutti_status range_data_check(const struct range_point *point, const tutti_view *view, int round,
                              const struct range_data *data, tutti_error *error)
{
  for (size_t i = 0; i < data->output_count; i++) {
    double expected = expected_at(point, view, i, round);
    if (data->output[i] != expected)
      return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d: element %zu is %g instead of %g", view->rank, i,
                        data->output[i], expected);
  }
  return TUTTI_OK;
}

/* ---- the operations ---- */

static tutti_status start_collective(const struct range_point *point, tutti_view *view, const struct range_data *data,
                                     tutti_request **request, tutti_error *error)
{
  const tutti_method *method = &point->method;
  double *in = data->input, *out = data->output;
  uint64_t count = point->count;
  switch (point->operation) {
  case RANGE_REDUCE:
    return tutti_ireduce(method, in, out, count, MPI_DOUBLE, MPI_SUM, 0, view, request, error);
  case RANGE_SCAN:
    return tutti_iscan(method, in, out, count, MPI_DOUBLE, MPI_SUM, view, request, error);
  case RANGE_GATHER:
    return tutti_igather(method, in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, 0, view, request, error);
  default:
    return tutti_ibcast(method, out, count, MPI_DOUBLE, 0, view, request, error);
  }
}

tutti_status range_collective(const struct range_point *point, tutti_view *view, const struct range_data *data,
                              tutti_error *error)
{
  tutti_request *request = NULL;
  tutti_status status = start_collective(point, view, data, &request, error);
  return status == TUTTI_OK ? tutti_wait(&request, error) : status;
}

static int begin_native(const struct range_point *point, MPI_Comm comm, const struct range_data *data,
                        MPI_Request *request)
{
  double *in = data->input, *out = data->output;
  int count = (int)point->count;
  switch (point->operation) {
  case RANGE_REDUCE:
    return MPI_Ireduce(in, out, count, MPI_DOUBLE, MPI_SUM, 0, comm, request);
  case RANGE_SCAN:
    return MPI_Iscan(in, out, count, MPI_DOUBLE, MPI_SUM, comm, request);
  case RANGE_GATHER:
    return MPI_Igather(in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, 0, comm, request);
  default:
    return MPI_Ibcast(out, count, MPI_DOUBLE, 0, comm, request);
  }
}

tutti_status range_collective_native(const struct range_point *point, MPI_Comm comm, const struct range_data *data,
                                     tutti_error *error)
{
  MPI_Request request;
  int code = begin_native(point, comm, data, &request);
  if (code == MPI_SUCCESS)
    code = MPI_Wait(&request, MPI_STATUS_IGNORE);
  return code == MPI_SUCCESS ? TUTTI_OK
                             : tutti_fail(error, TUTTI_ERR_MPI, "MPI_I%s returned %d",
                                          tutti_range_operation_name(point->operation), code);
}
