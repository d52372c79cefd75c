#include "measure/coordinate.h"

#include <math.h>
#include <string.h>

#ifdef SMPI_HELPERS_H
#include <simgrid/actor.h>
#endif

double tutti_clock_now(const struct clock *clock)
{
  return MPI_Wtime() + clock->offset;
}

#ifdef SMPI_HELPERS_H

bool tutti_clock_is_simulated(void)
{
  return true;
}

tutti_status tutti_clock_synchronize(const tutti_view *view, struct clock *clock, tutti_error *error)
{
  (void)view, (void)error;
  *clock = (struct clock){.offset = 0, .margin = 0.25};
  return TUTTI_OK;
}

double tutti_clock_next_start(const struct clock *clock)
{
  return fmax(16384, ceil(tutti_clock_now(clock) + clock->margin));
}

/* Both times are multiples of the same spacing and less than a factor of two apart after the first start, so that the
   difference is exact and all ranks wake at the very same time. */
bool tutti_clock_wait_until(const struct clock *clock, double time)
{
  double rest = time - tutti_clock_now(clock);
  if (rest > 0)
    sg_actor_sleep_for(rest);
  return rest >= 0;
}

#else

bool tutti_clock_is_simulated(void)
{
  return false;
}

enum { EXCHANGES = 20 };

/* Rank 0: the clock of `rank` stood at `theirs` in the middle of the round trip. */
static int ask(const tutti_view *view, int rank, double *offset)
{
  int peer = tutti_view_base_rank(view, rank), result = MPI_SUCCESS;
  double shortest = INFINITY;
  for (int i = 0; i < EXCHANGES && result == MPI_SUCCESS; i++) {
    double before = MPI_Wtime(), theirs;
    result = MPI_Send(NULL, 0, MPI_BYTE, peer, view->first_tag, view->comm);
    if (result == MPI_SUCCESS)
      result = MPI_Recv(&theirs, 1, MPI_DOUBLE, peer, view->first_tag, view->comm, MPI_STATUS_IGNORE);
    double trip = MPI_Wtime() - before;
    if (trip < shortest) {
      shortest = trip;
      *offset = before + trip / 2 - theirs;
    }
  }
  return result;
}

static int synchronize_with_root(const tutti_view *view, double *offset)
{
  int result = MPI_SUCCESS, root = tutti_view_base_rank(view, 0);
  for (int i = 0; i < EXCHANGES && result == MPI_SUCCESS; i++) {
    double now;
    result = MPI_Recv(NULL, 0, MPI_BYTE, root, view->first_tag, view->comm, MPI_STATUS_IGNORE);
    now = MPI_Wtime();
    if (result == MPI_SUCCESS)
      result = MPI_Send(&now, 1, MPI_DOUBLE, root, view->first_tag, view->comm);
  }
  if (result != MPI_SUCCESS)
    return result;
  return MPI_Recv(offset, 1, MPI_DOUBLE, root, view->first_tag, view->comm, MPI_STATUS_IGNORE);
}

static int synchronize_all(const tutti_view *view)
{
  int result = MPI_SUCCESS;
  for (int rank = 1; rank < view->size && result == MPI_SUCCESS; rank++) {
    double offset = 0;
    result = ask(view, rank, &offset);
    if (result == MPI_SUCCESS)
      result = MPI_Send(&offset, 1, MPI_DOUBLE, tutti_view_base_rank(view, rank), view->first_tag, view->comm);
  }
  return result;
}

tutti_status tutti_clock_synchronize(const tutti_view *view, struct clock *clock, tutti_error *error)
{
  *clock = (struct clock){.offset = 0, .margin = 100e-6};
  int result = view->rank == 0 ? synchronize_all(view) : synchronize_with_root(view, &clock->offset);
  if (result != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: synchronising the clocks failed", view->rank);
  return TUTTI_OK;
}

double tutti_clock_next_start(const struct clock *clock)
{
  return tutti_clock_now(clock) + clock->margin;
}

bool tutti_clock_wait_until(const struct clock *clock, double time)
{
  bool early = tutti_clock_now(clock) <= time;
  while (tutti_clock_now(clock) < time) /* busy: waking up takes longer than what is measured */
    ;
  return early;
}

#endif

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
