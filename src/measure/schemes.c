#include "measure/schemes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/agree.h"

/* Repetitions between two decisions to go on. */
enum { BATCH = 16 };

/* ---- one repetition ---- */

/* Some ranks may be as far behind rank 0 as the last one was late. Whole seconds stay whole in simulation. */
static double next_start(const struct bench *bench)
{
  double behind = bench->pattern.latest;
  return tutti_clock_next_start(&bench->clock) + (tutti_clock_is_simulated() ? ceil(behind) : behind);
}

/* In simulation, and in the window scheme, everybody starts at a time that rank 0 tells. */
static tutti_status start_together(struct bench *bench, double *start, bool *late, tutti_error *error)
{
  *start = bench->view.rank == 0 ? next_start(bench) : 0;
  tutti_status status = tutti_agree(&bench->view, start, sizeof *start, error);
  if (status == TUTTI_OK)
    *late = !tutti_clock_wait_until(&bench->clock, *start);
  return status;
}

static tutti_status start_after_barrier(struct bench *bench, double *start, tutti_error *error)
{
  tutti_status status = tutti_bruck(&bench->view, error);
  *start = tutti_clock_now(&bench->clock);
  return status;
}

/* The barrier that OCC puts behind it is not disturbed. */
static tutti_status perform(struct bench *bench, const struct subject *subject, double start, tutti_error *error)
{
  tutti_view view = bench->view;
  view.disturbance = tutti_pattern_disturbance(&bench->pattern);
  tutti_pattern_arrive(&bench->pattern, start);
  return tutti_perform(subject, &view, error);
}

/* Time the subject, or nothing if it is NULL, and, under OCC, a barrier after it. Infinity if the start was missed. */
static tutti_status repeat(struct bench *bench, const struct subject *subject, double *elapsed, tutti_error *error)
{
  bool occ = bench->measure.scheme == TUTTI_SCHEME_OCC, late = false;
  double start;
  tutti_status status = occ && !tutti_clock_is_simulated() ? start_after_barrier(bench, &start, error)
                                                           : start_together(bench, &start, &late, error);
  if (status == TUTTI_OK && subject)
    status = perform(bench, subject, start, error);
  if (status == TUTTI_OK && occ)
    status = tutti_bruck(&bench->view, error);
  *elapsed = late ? INFINITY : tutti_clock_now(&bench->clock) - start;
  return status;
}

/* ---- many repetitions ---- */

struct sample {
  double *values; /* [repetitions_max] at rank 0 */
  int count;
  struct statistics statistics;
};

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
    else if (sample->count < bench->measure.repetitions_max)
      sample->values[sample->count++] = batch[i] - bench->pattern.waited - bench->barrier;
  }
  if (4 * missed > count)
    bench->clock.margin *= 2;
  if (bench->clock.margin > LARGEST_MARGIN)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED,
                      "%d of %d starts were missed with %g s of notice: run no more ranks than there are cores", missed,
                      count, bench->clock.margin / 2);
  return TUTTI_OK;
}

static bool enough(const struct bench *bench, struct sample *sample)
{
  if (sample->count == 0)
    return false;
  sample->statistics = tutti_statistics_of(sample->values, sample->count);
  return tutti_clock_is_simulated() || sample->count >= bench->measure.repetitions_max ||
         tutti_statistics_settled(&sample->statistics, bench->measure.confidence);
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
    status = tutti_maximum(&bench->view, batch, count, error);
  if (status == TUTTI_OK && bench->view.rank == 0) {
    verdict.failed = (int)keep_valid(bench, sample, batch, count, error);
    verdict.done = enough(bench, sample);
  }
  if (status == TUTTI_OK)
    status = tutti_agree(&bench->view, &verdict, sizeof verdict, error);
  *done = verdict.done;
  return status == TUTTI_OK ? (tutti_status)verdict.failed : status;
}

/* A simulator needs no warming up, but SMPI's selectors send messages when a communicator is first used, to find the
   ranks that share a node. */
static int warming(const struct bench *bench, const struct subject *subject)
{
  if (!tutti_clock_is_simulated())
    return bench->measure.warmup;
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

static tutti_status take_sample(struct bench *bench, const struct subject *subject, struct statistics *statistics,
                                tutti_error *error)
{
  struct sample sample = {.count = 0};
  bool done = false;
  if (bench->view.rank == 0) {
    sample.values = malloc((size_t)bench->measure.repetitions_max * sizeof *sample.values);
    if (!sample.values)
      return tutti_fail(error, TUTTI_ERR_MEMORY, "rank 0: out of memory for %d repetitions",
                        bench->measure.repetitions_max);
  }
  tutti_status status = warm_up(bench, subject, error);
  while (status == TUTTI_OK && !done)
    status = run_batch(bench, subject, &sample, &done, error);
  *statistics = sample.statistics;
  free(sample.values);
  return status;
}

tutti_status tutti_bench_prepare(struct bench *bench, tutti_error *error)
{
  struct statistics statistics;
  bench->barrier = 0;
  tutti_pattern_init(&bench->pattern, bench->points, NULL, &bench->view, &bench->clock);
  tutti_status status = tutti_clock_synchronize(&bench->view, &bench->clock, error);
  if (status != TUTTI_OK || bench->measure.scheme != TUTTI_SCHEME_OCC)
    return status;
  status = take_sample(bench, NULL, &statistics, error);
  bench->barrier = statistics.median;
  return status;
}

tutti_status tutti_bench_measure(struct bench *bench, const struct point *point, struct statistics *statistics,
                                 tutti_error *error)
{
  struct subject subject = {.element = MPI_DATATYPE_NULL};
  tutti_status status = TUTTI_OK;
  tutti_pattern_init(&bench->pattern, bench->points, point, &bench->view, &bench->clock);
  if (bench->measure.scheme == TUTTI_SCHEME_WINDOW) /* clocks drift apart, and a wide window was for one point */
    status = tutti_clock_synchronize(&bench->view, &bench->clock, error);
  if (status == TUTTI_OK)
    status = tutti_subject_create(point, &bench->buffers, &bench->view, &subject, error);
  if (status == TUTTI_OK)
    status = take_sample(bench, &subject, statistics, error);
  tutti_subject_free(&subject);
  return status;
}
