#include "measure/buffers.h"

#include <stdlib.h>
#include <string.h>

tutti_status tutti_buffers_create(const struct points *points, struct buffers *buffers, tutti_error *error)
{
  uint64_t largest = 1, reduced = 0;
  for (size_t i = 0; i < points->count; i++) {
    uint64_t bytes = points->items[i].count * points->items[i].type_size;
    largest = bytes > largest ? bytes : largest;
    if (points->items[i].method.algorithm->collective == TUTTI_COLL_REDUCE)
      reduced = bytes > reduced ? bytes : reduced;
  }
  *buffers = (struct buffers){malloc(reduced + 1), malloc(largest)};
  if (!buffers->input || !buffers->output)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a message of %llu bytes",
                      (unsigned long long)largest);
  memset(buffers->input, 0, reduced + 1);
  memset(buffers->output, 0, largest);
  return TUTTI_OK;
}

void tutti_buffers_free(struct buffers *buffers)
{
  free(buffers->input);
  free(buffers->output);
}

/* A reduction needs a type that a predefined operation takes. */
static tutti_status reduce(const struct point *point, const struct buffers *buffers, const tutti_view *view,
                           tutti_error *error)
{
  MPI_Datatype type = point->type_size == 1   ? MPI_BYTE
                      : point->type_size == 4 ? MPI_INT
                      : point->type_size == 8 ? MPI_DOUBLE
                                              : MPI_DATATYPE_NULL;
  if (type == MPI_DATATYPE_NULL)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "reduce is measured on elements of 1, 4 or 8 bytes, not %llu",
                      (unsigned long long)point->type_size);
  MPI_Op op = point->type_size == 1 ? MPI_BOR : MPI_SUM;
  return tutti_reduce(&point->method, buffers->input, buffers->output, point->count, type, op, point->root, view,
                      error);
}

static tutti_status bcast(const struct point *point, const struct buffers *buffers, const tutti_view *view,
                          tutti_error *error)
{
  MPI_Datatype type = MPI_BYTE;
  bool derived = point->type_size != 1;
  if (derived && (MPI_Type_contiguous((int)point->type_size, MPI_BYTE, &type) != MPI_SUCCESS ||
                  MPI_Type_commit(&type) != MPI_SUCCESS))
    return tutti_fail(error, TUTTI_ERR_MPI, "no datatype of %llu bytes", (unsigned long long)point->type_size);
  tutti_status status = tutti_bcast(&point->method, buffers->output, point->count, type, point->root, view, error);
  if (derived)
    MPI_Type_free(&type);
  return status;
}

tutti_status tutti_perform(const struct point *point, const struct buffers *buffers, const tutti_view *view,
                           tutti_error *error)
{
  switch (point->method.algorithm->collective) {
  case TUTTI_COLL_BCAST:
    return bcast(point, buffers, view, error);
  case TUTTI_COLL_BARRIER:
    return tutti_barrier(&point->method, view, error);
  case TUTTI_COLL_REDUCE:
    return reduce(point, buffers, view, error);
  case TUTTI_COLL_COUNT:
    break;
  }
  return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "collective %d is not measured",
                    (int)point->method.algorithm->collective);
}
