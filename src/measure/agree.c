#include "measure/agree.h"

#include <string.h>

enum { MOST_VALUES = 64 };

static tutti_method method_of(tutti_collective collective, const char *name)
{
  return tutti_method_default(tutti_algorithm_find(collective, name));
}

tutti_status tutti_agree(const tutti_view *view, void *data, uint64_t bytes, tutti_error *error)
{
  tutti_method method = method_of(TUTTI_COLL_BCAST, "binomial");
  return tutti_bcast(&method, data, bytes, MPI_BYTE, 0, view, error);
}

tutti_status tutti_maximum(const tutti_view *view, double *values, int count, tutti_error *error)
{
  tutti_method method = method_of(TUTTI_COLL_REDUCE, "binomial");
  double largest[MOST_VALUES];
  if (count > MOST_VALUES)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d values in one maximum", count);
  tutti_status status = tutti_reduce(&method, values, largest, (uint64_t)count, MPI_DOUBLE, MPI_MAX, 0, view, error);
  if (status == TUTTI_OK && view->rank == 0)
    memcpy(values, largest, (size_t)count * sizeof *values);
  return status;
}

tutti_status tutti_bruck(const tutti_view *view, tutti_error *error)
{
  tutti_method method = method_of(TUTTI_COLL_BARRIER, "bruck");
  return tutti_barrier(&method, view, error);
}
