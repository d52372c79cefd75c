#include "harness/measure/coordinate.h"

#include <stdlib.h>
#include <string.h>

#include "base/meeting.h"

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

/* ---- starting together ---- */

/* In simulation all ranks share one address space: rank 0 sends where this is, in as many bytes as the time has that it
   sends on a real machine. */
struct shared_meeting {
  struct meeting meeting;
  double notice; /* seconds */
  int size;      /* ranks */
  int ended;     /* that have done what they met for */
  int left;      /* that do not look at it any more */
  bool over;     /* the launch is */
};

union invitation {
  struct shared_meeting *shared;
  double time;
};

static void leave(struct shared_meeting *shared)
{
  if (shared && ++shared->left == shared->size)
    free(shared);
}

/* Rank 0: NULL without memory. */
static struct shared_meeting *call_meeting(const tutti_view *view, const struct starts *starts, double behind)
{
  struct shared_meeting *shared = calloc(1, sizeof *shared);
  if (!shared)
    return NULL;
  shared->meeting.start = tutti_clock_next_start(starts->clock) + behind;
  shared->notice = starts->clock->margin;
  shared->size = view->size;
  shared->over = starts->measured && shared->meeting.start >= MEETING_LATER;
  return shared;
}

static tutti_status check_clock(const struct shared_meeting *shared, struct starts *starts, tutti_error *error)
{
  starts->over = shared->over;
  if (shared->over)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "the next point begins at %.10g s: another launch measures it",
                      shared->meeting.start);
  if (shared->meeting.start >= MEETING_LAST)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, MEETING_TOO_LATE, shared->meeting.start, shared->notice);
  return TUTTI_OK;
}

/* Agree on a start; *met is whether all ranks knew it in time. */
static tutti_status meet(const tutti_view *view, struct starts *starts, double behind, bool *met, tutti_error *error)
{
  union invitation invitation = {view->rank == 0 ? call_meeting(view, starts, behind) : NULL};
  tutti_status status = tutti_bcast_from_rank0(view, &invitation, sizeof invitation, error);
  struct shared_meeting *shared = invitation.shared;
  leave(starts->last);
  starts->last = status == TUTTI_OK ? shared : NULL;
  if (status == TUTTI_OK && !shared)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank 0: out of memory for a start");
  if (status == TUTTI_OK)
    status = check_clock(shared, starts, error);
  if (status != TUTTI_OK)
    return status;
  shared->meeting.arrived++;
  tutti_clock_wait_until(starts->clock, shared->meeting.start);
  *met = meeting_met(&shared->meeting, (uint32_t)shared->size);
  if (!*met)
    starts->clock->margin *= 2;
  return TUTTI_OK;
}

tutti_status tutti_start_together(const tutti_view *view, struct starts *starts, double behind, double *start,
                                  tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  bool met = false;
  if (!tutti_clock_is_simulated()) {
    status = tutti_barrier_bruck(view, error);
    *start = tutti_clock_now(starts->clock);
    return status;
  }
  while (status == TUTTI_OK && !met)
    status = meet(view, starts, behind, &met, error);
  *start = status == TUTTI_OK ? starts->last->meeting.start : 0;
  return status;
}

void tutti_sleep_until_all(struct starts *starts, double seconds)
{
  struct shared_meeting *shared = starts->last;
  if (!shared)
    return;
  shared->ended++;
  do {
    tutti_clock_wait_until(starts->clock, shared->meeting.start + seconds);
    seconds *= 2;
  } while (shared->ended < shared->size);
}

void tutti_starts_end(struct starts *starts)
{
  leave(starts->last);
  starts->last = NULL;
}
