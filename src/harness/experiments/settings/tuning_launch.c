/* A library under two tuning files: launches in pairs. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/splitmix64.h"
#include "harness/experiments/settings/tuning.h"

/* ---- one launch ---- */

/* A random state that depends only on the seed, the round, the number of ranks and its purpose. */
static uint64_t draw_for(const struct comparing *comparing, int round, int ranks, int purpose)
{
  uint64_t state = tutti_splitmix64(comparing->request->seed + 1);
  state = tutti_splitmix64(state + (uint64_t)round);
  return tutti_splitmix64(state + 4 * (uint64_t)ranks + (uint64_t)purpose);
}

/* Fisher and Yates: numbers 0 .. count - 1 in a random order. */
static void shuffle(size_t *order, size_t count, uint64_t state)
{
  for (size_t i = 0; i < count; i++)
    order[i] = i;
  for (size_t i = count; i > 1; i--) {
    size_t other = tutti_splitmix64_next(&state) % i, kept = order[i - 1];
    order[i - 1] = order[other];
    order[other] = kept;
  }
}

static tutti_status run_job(struct comparing *comparing, struct job_setting *setting, const tutti_chunk *chunk)
{
  struct run *run = &comparing->run;
  double limit = run->options->job_timeout > 0 ? run->options->job_timeout : JOB_SILENCE;
  struct job job;
  tutti_status status = tutti_job_start(&job, setting, chunk, run->work.next++, comparing->error);
  if (status != TUTTI_OK)
    return status;
  int wait_status = tutti_job_wait(&job, setting, limit);
  status = tutti_job_poll(&job, setting, comparing->error);
  if (status == TUTTI_OK || status == TUTTI_ERR_LAUNCH)
    status = tutti_job_judge(&job, setting, wait_status, comparing->error);
  if (status != TUTTI_OK)
    tutti_job_print_rest(&job, setting, comparing->error);
  tutti_job_close(&job, setting, status == TUTTI_OK ? JOB_FILES_REMOVE : JOB_FILES_KEEP_ERRORS);
  return status;
}

/* Measure points under one of the files, in an order of their own, into medians[count]. */
static tutti_status launch(struct comparing *comparing, int side, const tutti_point *points, size_t count,
                           uint64_t state, double *medians)
{
  size_t *order = tutti_xcalloc(count, sizeof *order);
  tutti_plan plan = comparing->run.plan;
  const tutti_chunk chunk = {.ranks = points->ranks, .native = true, .count = count};
  struct record_ingest ingest = {.store = NULL};
  struct job_setting setting = comparing->run.setting;
  plan.points = tutti_xcalloc(count, sizeof *plan.points);
  plan.point_count = count;
  shuffle(order, count, state);
  for (size_t i = 0; i < count; i++)
    plan.points[i] = points[order[i]];
  setting.plan = &plan;
  setting.ingest = &ingest;
  setting.variables = comparing->variables[side];
  if (side == AFTER && comparing->launcher.flavor) {
    setting.launcher = &comparing->launcher;
    setting.manifest = &comparing->manifest;
  }
  tutti_status status = run_job(comparing, &setting, &chunk);
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    medians[order[i]] = ((const tutti_measurement *)(void *)ingest.rows)[i].median;
  free(ingest.rows);
  free(plan.points);
  free(order);
  return status;
}

/* ---- one pair of launches ---- */

static void report(struct comparing *comparing)
{
  const tutti_run_options *options = comparing->run.options;
  const tutti_tuning_comparison *found = comparing->found;
  if (!options->report)
    return;
  const tutti_progress progress = {.planned = comparing->wanted,
                                   .measured = found->measured,
                                   .cost = (double)comparing->wanted,
                                   .cost_measured = (double)found->measured,
                                   .seconds = tutti_clock(CLOCK_MONOTONIC) - comparing->started};
  options->report(options->context, &progress);
}

static tutti_status store_pairs(struct comparing *comparing, const tutti_point *points, size_t count, int round,
                                int first, double *const medians[SIDES])
{
  tutti_result *rows = tutti_xcalloc(count, sizeof *rows);
  for (size_t i = 0; i < count; i++) {
    rows[i] = tutti_comparing_key(comparing, &points[i], round);
    tutti_result_set_word(&rows[i], TUTTI_COMPARISON_FIELD_FIRST, first == BEFORE ? "before" : "after");
    rows[i].values[TUTTI_COMPARISON_FIELD_BEFORE_MEDIAN].seconds = medians[BEFORE][i];
    rows[i].values[TUTTI_COMPARISON_FIELD_AFTER_MEDIAN].seconds = medians[AFTER][i];
  }
  tutti_status status =
      tutti_store_add_results(comparing->run.store, comparing->run.ingest->environment, rows, count, comparing->error);
  free(rows);
  comparing->found->measured += count;
  report(comparing);
  return status;
}

tutti_status tutti_comparing_launch(struct comparing *comparing, const tutti_point *points, size_t count, int round)
{
  double *medians[SIDES] = {tutti_xcalloc(count, sizeof(double)), tutti_xcalloc(count, sizeof(double))};
  uint64_t state = draw_for(comparing, round, points->ranks, SIDES);
  int first = (int)(tutti_splitmix64_next(&state) % SIDES);
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < SIDES && status == TUTTI_OK; i++) {
    int side = i == 0 ? first : !first;
    status = launch(comparing, side, points, count, draw_for(comparing, round, points->ranks, side), medians[side]);
  }
  if (status == TUTTI_OK)
    status = store_pairs(comparing, points, count, round, first, medians);
  free(medians[BEFORE]);
  free(medians[AFTER]);
  return status;
}
