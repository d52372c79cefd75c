#include "algorithms/mpi/clock.h"

#include <math.h>
#include <stddef.h>

#ifdef SMPI_HELPERS_H
#include <simgrid/actor.h>
#include <simgrid/engine.h>

#include "base/meeting.h"
#endif

#ifdef SMPI_HELPERS_H

/* Not MPI_Wtime(), which takes smpi/wtime. */
double tutti_clock_now(const struct clock *clock)
{
  return simgrid_get_clock() + clock->offset;
}

bool tutti_clock_is_simulated(void)
{
  return true;
}

tutti_status tutti_clock_synchronize(const tutti_view *view, struct clock *clock, tutti_error *error)
{
  (void)view, (void)error;
  *clock = (struct clock){.offset = 0, .margin = MEETING_NOTICE};
  return TUTTI_OK;
}

double tutti_clock_next_start(const struct clock *clock)
{
  return meeting_next(tutti_clock_now(clock), clock->margin);
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

double tutti_clock_now(const struct clock *clock)
{
  return MPI_Wtime() + clock->offset;
}

bool tutti_clock_is_simulated(void)
{
  return false;
}

enum { EXCHANGES = 20 };

/* Rank 0: the clock of `rank` was at `theirs` in the middle of the round trip. */
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
  while (tutti_clock_now(clock) < time) /* busy: waking up takes longer than the measured times */
    ;
  return early;
}

#endif
