/* Timing a point on all ranks. */
#include "measure/range_bench.h"

#include "measure/coordinate.h"
#include "measure/repeat.h"

tutti_status range_bench_open(void *state, tutti_error *error)
{
  struct range_bench *bench = state;
  struct timing *timing = &bench->timing;
  timing->inside.progress = &timing->progress;
  bench->parent = (struct range_parent){&timing->inside, MPI_GROUP_NULL, timing->points};
  if (MPI_Comm_group(timing->view.comm, &bench->parent.group) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: MPI_Comm_group failed", timing->view.rank);
  return tutti_clock_synchronize(&timing->view, &timing->clock, error);
}

void range_bench_close(void *state)
{
  struct range_bench *bench = state;
  if (bench->parent.all && bench->parent.group != MPI_GROUP_NULL)
    MPI_Group_free(&bench->parent.group);
}

/* What is timed, and by what. */
struct trying {
  struct timing *timing;
  struct range_trial trial;
};

static tutti_status run_once(void *context, int round, double *seconds, tutti_error *error)
{
  struct trying *trying = context;
  const struct timing *timing = trying->timing;
  struct range_trial *trial = &trying->trial;
  double start;
  range_trial_prepare(trial, round);
  tutti_status status = tutti_start_together(&timing->view, &timing->clock, &start, error);
  if (status == TUTTI_OK)
    status = range_trial_run(trial, error);
  double end = tutti_clock_now(&timing->clock);
  if (status != TUTTI_OK)
    return status;
  tutti_sleep_until(&timing->clock, start, 1);
  *seconds = (end - start) / trial->inner;
  status = tutti_max_at_rank0(&timing->view, seconds, 1, error);
  return status == TUTTI_OK ? range_trial_check(trial, round, error) : status;
}

/* A simulator needs no warming up, but SMPI's selectors send messages when a communicator is first used, to find the
   ranks that share a node. */
static int warming(const struct timing *timing, const struct range_point *point)
{
  return tutti_clock_is_simulated() ? point->way == WAY_NATIVE : timing->points->measure.warmup;
}

/* Say of which point an error is. */
static tutti_status name_point(const struct range_point *point, tutti_status status, tutti_error *error)
{
  char text[RANGE_POINT_LENGTH];
  if (status == TUTTI_OK || !error)
    return status;
  tutti_error reason = *error;
  return tutti_fail(error, status, "%s: %s", tutti_range_point_format(point, text), reason.message);
}

tutti_status range_bench_measure(void *state, const void *item, tutti_error *error)
{
  const struct range_point *point = item;
  struct range_bench *bench = state;
  struct timing *timing = &bench->timing;
  struct trying trying = {.timing = timing};
  tutti_status status = range_trial_open(&bench->parent, point, &trying.trial, error);
  if (status == TUTTI_OK)
    status = tutti_repeat(&timing->points->measure, warming(timing, point), &timing->view, run_once, &trying,
                          &timing->statistics, error);
  range_trial_close(&trying.trial);
  return name_point(point, status, error);
}
