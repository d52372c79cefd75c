#include "measure/coordinate.h"

#include <math.h>
#include <string.h>

/* ---- what the ranks do together ---- */

enum { MAX_VALUES = 64 };

static tutti_method method_of(tutti_collective collective, const char *name)
{
  return tutti_method_default(tutti_algorithm_find(collective, name));
}

tutti_status tutti_bcast_from_rank0(const tutti_view *view, void *data, uint64_t bytes, tutti_error *error)
{
  tutti_method method = method_of(TUTTI_COLL_BCAST, "binomial");
  return tutti_bcast(&method, data, bytes, MPI_BYTE, 0, view, error);
}

tutti_status tutti_max_at_rank0(const tutti_view *view, double *values, int count, tutti_error *error)
{
  tutti_method method = method_of(TUTTI_COLL_REDUCE, "binomial");
  double largest[MAX_VALUES];
  if (count > MAX_VALUES)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d values in one maximum", count);
  tutti_status status = tutti_reduce(&method, values, largest, (uint64_t)count, MPI_DOUBLE, MPI_MAX, 0, view, error);
  if (status == TUTTI_OK && view->rank == 0)
    memcpy(values, largest, (size_t)count * sizeof *values);
  return status;
}

tutti_status tutti_barrier_bruck(const tutti_view *view, tutti_error *error)
{
  tutti_method method = method_of(TUTTI_COLL_BARRIER, "bruck");
  return tutti_barrier(&method, view, error);
}

tutti_status tutti_halve_tags(const tutti_view *view, tutti_view *around, tutti_view *inside, tutti_error *error)
{
  int half = view->tag_count / 2;
  *around = *inside = *view;
  tutti_status status = tutti_view_tags(around, 0, half, error);
  return status == TUTTI_OK ? tutti_view_tags(inside, half, view->tag_count - half, error) : status;
}

tutti_status tutti_start_together(const tutti_view *view, const struct clock *clock, double *start, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  if (!tutti_clock_is_simulated()) {
    status = tutti_barrier_bruck(view, error);
    *start = tutti_clock_now(clock);
    return status;
  }
  *start = view->rank == 0 ? tutti_clock_next_start(clock) : 0;
  status = tutti_bcast_from_rank0(view, start, sizeof *start, error);
  tutti_clock_wait_until(clock, *start);
  return status;
}

void tutti_sleep_until(const struct clock *clock, double start, double seconds)
{
  if (tutti_clock_is_simulated() && !tutti_clock_wait_until(clock, start + seconds))
    tutti_clock_wait_until(clock, ceil(tutti_clock_now(clock)));
}
