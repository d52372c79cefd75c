#include "measure/range_time.h"

#include "measure/agree.h"
#include "measure/start.h"

tutti_status range_site_open(const tutti_view *view, const struct range_points *points, struct range_site *site,
                             tutti_error *error)
{
  *site = (struct range_site){.measure = points->measure};
  tutti_status status = tutti_halve_tags(view, &site->view, &site->all, error);
  site->parent = (struct range_parent){&site->all, MPI_GROUP_NULL, points->costs};
  tutti_progress_init(&site->progress);
  site->all.progress = &site->progress;
  if (status == TUTTI_OK && MPI_Comm_group(view->comm, &site->parent.group) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: MPI_Comm_group failed", view->rank);
  return status == TUTTI_OK ? tutti_clock_synchronize(&site->view, &site->clock, error) : status;
}

void range_site_close(struct range_site *site)
{
  if (site->parent.group != MPI_GROUP_NULL)
    MPI_Group_free(&site->parent.group);
  tutti_progress_free(&site->progress);
}

/* ---- one run on all ranks ---- */

static tutti_status run_once(struct range_site *site, struct range_trial *trial, int round, double *seconds,
                             tutti_error *error)
{
  double start;
  range_trial_prepare(trial, round);
  tutti_status status = tutti_start_together(&site->view, &site->clock, &start, error);
  if (status == TUTTI_OK)
    status = range_trial_run(trial, error);
  double end = tutti_clock_now(&site->clock);
  if (status != TUTTI_OK)
    return status;
  tutti_rest(&site->clock, start, 1);
  *seconds = (end - start) / trial->inner;
  status = tutti_maximum(&site->view, seconds, 1, error);
  return status == TUTTI_OK ? range_trial_check(trial, round, error) : status;
}

/* ---- many ---- */

/* A simulator needs no warming up, but SMPI's selectors send messages when a communicator is first used, to find the
   ranks that share a node. */
static int warming(const struct range_site *site, const struct range_point *point)
{
  return tutti_clock_is_simulated() ? point->way == WAY_NATIVE : site->measure.warmup;
}

static tutti_status repeat(struct range_site *site, struct range_trial *trial, struct sample *sample,
                           tutti_error *error)
{
  int warmup = warming(site, trial->point);
  char done = 0;
  tutti_status status = TUTTI_OK;
  for (int round = 0; status == TUTTI_OK && !done; round++) {
    double seconds;
    status = run_once(site, trial, round, &seconds, error);
    if (status == TUTTI_OK && round >= warmup && site->view.rank == 0)
      done = sample_add(sample, &site->measure, seconds);
    if (status == TUTTI_OK)
      status = tutti_agree(&site->view, &done, sizeof done, error);
  }
  return status;
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

tutti_status range_time(struct range_site *site, const struct range_point *point, struct statistics *statistics,
                        tutti_error *error)
{
  struct range_trial trial;
  struct sample sample = {.count = 0};
  tutti_status status = range_trial_open(&site->parent, point, &trial, error);
  if (status == TUTTI_OK && site->view.rank == 0)
    status = sample_open(&site->measure, &sample, error);
  if (status == TUTTI_OK)
    status = repeat(site, &trial, &sample, error);
  *statistics = sample.statistics;
  sample_free(&sample);
  range_trial_close(&trial);
  return name_point(point, status, error);
}
