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

static MPI_Datatype predefined(uint64_t bytes)
{
  switch (bytes) {
  case 1:
    return MPI_BYTE;
  case 4:
    return MPI_INT;
  case 8:
    return MPI_DOUBLE;
  default:
    return MPI_DATATYPE_NULL;
  }
}

tutti_status tutti_element_create(const struct point *point, MPI_Datatype *element, tutti_error *error)
{
  *element = predefined(point->type_size);
  if (*element != MPI_DATATYPE_NULL)
    return TUTTI_OK;
  if (point->method.algorithm->collective == TUTTI_COLL_REDUCE)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "reduce is measured on elements of 1, 4 or 8 bytes, not %llu",
                      (unsigned long long)point->type_size);
  if (MPI_Type_contiguous((int)point->type_size, MPI_BYTE, element) != MPI_SUCCESS ||
      MPI_Type_commit(element) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "no datatype of %llu bytes", (unsigned long long)point->type_size);
  return TUTTI_OK;
}

void tutti_element_free(MPI_Datatype *element)
{
  if (*element != MPI_DATATYPE_NULL && *element != MPI_BYTE && *element != MPI_INT && *element != MPI_DOUBLE)
    MPI_Type_free(element);
}

tutti_status tutti_perform(const struct point *point, MPI_Datatype element, const struct buffers *buffers,
                           const tutti_view *view, tutti_error *error)
{
  const tutti_method *method = &point->method;
  switch (method->algorithm->collective) {
  case TUTTI_COLL_BCAST:
    return tutti_bcast(method, buffers->output, point->count, element, point->root, view, error);
  case TUTTI_COLL_BARRIER:
    return tutti_barrier(method, view, error);
  case TUTTI_COLL_REDUCE:
    return tutti_reduce(method, buffers->input, buffers->output, point->count, element,
                        element == MPI_BYTE ? MPI_BOR : MPI_SUM, point->root, view, error);
  default:
    break;
  }
  return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "collective %d is not measured", (int)method->algorithm->collective);
}
