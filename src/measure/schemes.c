#include "measure/bench.h"

#include <math.h>

#include "measure/coordinate.h"
#include "measure/repeat.h"

/* Repetitions between two decisions to go on. */
enum { BATCH = 16 };

/* ---- one repetition ---- */

/* Some ranks may be as far behind rank 0 as the last one was late. Whole seconds stay whole in simulation. */
static double next_start(const struct bench *bench)
{
  double behind = bench->pattern.latest;
  return tutti_clock_next_start(&bench->timing.clock) + (tutti_clock_is_simulated() ? ceil(behind) : behind);
}

/* In simulation, and in the window scheme, everybody starts at a time that rank 0 tells. */
static tutti_status start_together(struct bench *bench, double *start, bool *late, tutti_error *error)
{
  *start = bench->timing.view.rank == 0 ? next_start(bench) : 0;
  tutti_status status = tutti_bcast_from_rank0(&bench->timing.view, start, sizeof *start, error);
  if (status == TUTTI_OK)
    *late = !tutti_clock_wait_until(&bench->timing.clock, *start);
  return status;
}

static tutti_status start_after_barrier(struct bench *bench, double *start, tutti_error *error)
{
  tutti_status status = tutti_barrier_bruck(&bench->timing.view, error);
  *start = tutti_clock_now(&bench->timing.clock);
  return status;
}

/* The barrier that OCC puts behind it is not disturbed. */
static tutti_status perform(struct bench *bench, const struct subject *subject, double start, tutti_error *error)
{
  tutti_view view = bench->timing.view;
  view.noise_hook = tutti_pattern_noise_hook(&bench->pattern);
  tutti_pattern_arrive(&bench->pattern, start);
  return tutti_perform(subject, &view, error);
}

/* Time the subject, or nothing if it is NULL, and, under OCC, a barrier after it. Infinity if the start was missed. */
static tutti_status repeat(struct bench *bench, const struct subject *subject, double *elapsed, tutti_error *error)
{
  bool occ = bench->timing.points->measure.scheme == TUTTI_SCHEME_OCC, late = false;
  double start;
  tutti_status status = occ && !tutti_clock_is_simulated() ? start_after_barrier(bench, &start, error)
                                                           : start_together(bench, &start, &late, error);
  if (status == TUTTI_OK && subject)
    status = perform(bench, subject, start, error);
  if (status == TUTTI_OK && occ)
    status = tutti_barrier_bruck(&bench->timing.view, error);
  *elapsed = late ? INFINITY : tutti_clock_now(&bench->timing.clock) - start;
  return status;
}

/* ---- many repetitions ---- */

/* More than a second to tell everybody a start time: these ranks do not run at the same time. */
#define LARGEST_MARGIN 1.0

/* Rank 0 keeps the repetitions that everybody started in time, from the last arrival on and less the time of the
   barrier. If too many were missed it makes the window wider, for this point only. */
static tutti_status keep_valid(struct bench *bench, struct sample *sample, const double *batch, int count,
                               tutti_error *error)
{
  int missed = 0;
  for (int i = 0; i < count; i++) {
    if (isinf(batch[i]))
      missed++;
    else if (sample->count < bench->timing.points->measure.repetitions_max)
      sample->values[sample->count++] = batch[i] - bench->pattern.waited - bench->barrier;
  }
  if (4 * missed > count)
    bench->timing.clock.margin *= 2;
  if (bench->timing.clock.margin > LARGEST_MARGIN)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED,
                      "%d of %d starts were missed with %g s of notice: run no more ranks than there are cores", missed,
                      count, bench->timing.clock.margin / 2);
  return TUTTI_OK;
}

/* What rank 0 decides after a batch; `failed` is a tutti_status. */
struct verdict {
  int failed;
  bool done;
};

static tutti_status run_batch(struct bench *bench, const struct subject *subject, struct sample *sample, bool *done,
                              tutti_error *error)
{
  double batch[BATCH];
  struct verdict verdict = {TUTTI_OK, false};
  int count = tutti_clock_is_simulated() ? 1 : BATCH;
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < count && status == TUTTI_OK; i++)
    status = repeat(bench, subject, &batch[i], error);
  if (status == TUTTI_OK)
    status = tutti_max_at_rank0(&bench->timing.view, batch, count, error);
  if (status == TUTTI_OK && bench->timing.view.rank == 0) {
    verdict.failed = (int)keep_valid(bench, sample, batch, count, error);
    verdict.done = sample_is_enough(sample, &bench->timing.points->measure);
  }
  if (status == TUTTI_OK)
    status = tutti_bcast_from_rank0(&bench->timing.view, &verdict, sizeof verdict, error);
  *done = verdict.done;
  return status == TUTTI_OK ? (tutti_status)verdict.failed : status;
}

/* A simulator needs no warming up, but SMPI's selectors send messages when a communicator is first used, to find the
   ranks that share a node. */
static int warming(const struct bench *bench, const struct subject *subject)
{
  if (!tutti_clock_is_simulated())
    return bench->timing.points->measure.warmup;
  return subject && tutti_method_is_native(&subject->point->method);
}

static tutti_status warm_up(struct bench *bench, const struct subject *subject, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  int count = warming(bench, subject);
  for (int i = 0; i < count && status == TUTTI_OK; i++) {
    double ignored;
    status = repeat(bench, subject, &ignored, error);
  }
  return status;
}

/* The statistics of a subject, or of nothing if it is NULL. */
static tutti_status measure(struct bench *bench, const struct subject *subject, struct statistics *statistics,
                            tutti_error *error)
{
  struct sample sample;
  bool done = false;
  tutti_status status = sample_open(&bench->timing.points->measure, &bench->timing.view, &sample, error);
  if (status == TUTTI_OK)
    status = warm_up(bench, subject, error);
  while (status == TUTTI_OK && !done)
    status = run_batch(bench, subject, &sample, &done, error);
  *statistics = sample.statistics;
  sample_free(&sample);
  return status;
}

tutti_status tutti_bench_prepare(struct bench *bench, tutti_error *error)
{
  struct timing *timing = &bench->timing;
  struct statistics statistics;
  tutti_pattern_init(&bench->pattern, timing->points, NULL, &timing->view, &timing->clock);
  tutti_status status = tutti_clock_synchronize(&timing->view, &timing->clock, error);
  if (status != TUTTI_OK || timing->points->measure.scheme != TUTTI_SCHEME_OCC)
    return status;
  status = measure(bench, NULL, &statistics, error);
  bench->barrier = statistics.median;
  return status;
}

tutti_status tutti_bench_measure(struct bench *bench, const struct point *point, tutti_error *error)
{
  struct timing *timing = &bench->timing;
  struct subject subject = {.element = MPI_DATATYPE_NULL};
  tutti_status status = TUTTI_OK;
  tutti_pattern_init(&bench->pattern, timing->points, point, &timing->view, &timing->clock);
  if (timing->points->measure.scheme == TUTTI_SCHEME_WINDOW) /* clocks drift, and a wide window was for one point */
    status = tutti_clock_synchronize(&timing->view, &timing->clock, error);
  if (status == TUTTI_OK)
    status = tutti_subject_create(point, &bench->buffers, &timing->view, &subject, error);
  if (status == TUTTI_OK)
    status = measure(bench, &subject, &timing->statistics, error);
  tutti_subject_free(&subject);
  return status;
}
