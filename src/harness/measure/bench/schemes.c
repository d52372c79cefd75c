/* The schemes OCC and window, in simulation and on real machines, under arrival patterns and noise. */
#include <math.h>

#include "harness/measure/bench/bench.h"

#include "base/text.h"

/* ---- arrival patterns and noise ---- */

static uint64_t nanoseconds_since_start(const struct pattern *pattern)
{
  return (uint64_t)llround((tutti_clock_now(pattern->clock) - pattern->start) * 1e9);
}

static void wait_until(const struct pattern *pattern, uint64_t nanoseconds)
{
  tutti_clock_wait_until(pattern->clock, pattern->start + (double)nanoseconds * 1e-9);
}

static void inject_jitter(struct pattern *pattern, tutti_noise_point noise_point)
{
  if (noise_point == TUTTI_BEFORE_VERTEX)
    wait_until(pattern,
               nanoseconds_since_start(pattern) + tutti_noise_jitter(&pattern->noise, pattern->rank, pattern->index++));
}

static void inject_detours(struct pattern *pattern, tutti_noise_point noise_point)
{
  const tutti_noise *noise = &pattern->noise;
  uint64_t now = nanoseconds_since_start(pattern), pause;
  if (noise_point == TUTTI_AFTER_WORK) {
    uint64_t work = now - pattern->begun;
    wait_until(pattern, tutti_noise_finish(noise, pattern->phase, pattern->begun, work));
    return;
  }
  pause = tutti_noise_pause(noise, pattern->phase, now);
  if (pause > 0)
    wait_until(pattern, now + pause);
  pattern->begun = now + pause;
}

static void inject_noise(tutti_noise_hook *noise_hook, tutti_noise_point noise_point)
{
  struct pattern *pattern = (struct pattern *)noise_hook;
  if (pattern->noise.kind == TUTTI_NOISE_DETOUR)
    inject_detours(pattern, noise_point);
  else
    inject_jitter(pattern, noise_point);
}

/* The pattern of a point, on this rank; NULL: none. It must stay where it is. */
static void init_pattern(struct pattern *pattern, const struct points *points, const struct point *point,
                         const tutti_view *view, const struct clock *clock)
{
  *pattern = (struct pattern){.noise_hook = {inject_noise}, .clock = clock, .rank = view->rank};
  if (!point)
    return;
  const tutti_trace *trace = tutti_points_trace(points, &point->arrival);
  pattern->noise = point->noise;
  pattern->delay = (double)tutti_arrival_delay(&point->arrival, trace, view->rank, view->size) * 1e-9;
  if (view->rank == 0)
    pattern->latest = (double)tutti_arrival_latest(&point->arrival, trace, view->size) * 1e-9;
  if (point->noise.kind == TUTTI_NOISE_DETOUR)
    pattern->phase = tutti_noise_phase(&point->noise, view->rank);
}

/* Wait until this rank arrives at an operation that begins at `start`, and begin its noise. */
static void arrive(struct pattern *pattern, double start)
{
  pattern->start = start;
  pattern->waited = (start + pattern->latest) - start;
  pattern->begun = pattern->index = 0;
  if (pattern->delay > 0)
    tutti_clock_wait_until(pattern->clock, start + pattern->delay);
}

/* Repetitions between two decisions to continue. */
enum { BATCH = 16 };

/* ---- one repetition ---- */

/* In the window scheme, on a real machine, rank 0 chooses the start of all ranks, with time for the latest arrival. */
static tutti_status start_in_window(struct bench *bench, double *start, bool *late, tutti_error *error)
{
  const struct timing *timing = &bench->timing;
  *start = timing->view.rank == 0 ? tutti_clock_next_start(&timing->clock) + bench->pattern.latest : 0;
  tutti_status status = tutti_bcast_from_rank0(&timing->view, start, sizeof *start, error);
  if (status == TUTTI_OK)
    *late = !tutti_clock_wait_until(&timing->clock, *start);
  return status;
}

static tutti_status start(struct bench *bench, double *begun, bool *late, tutti_error *error)
{
  if (!tutti_clock_is_simulated() && bench->timing.points->measure.scheme == TUTTI_SCHEME_WINDOW)
    return start_in_window(bench, begun, late, error);
  return tutti_start_together(&bench->timing.view, &bench->timing.starts, ceil(bench->pattern.latest), begun, error);
}

/* Perform the subject without the barrier that OCC puts after it, which has no noise. */
static tutti_status perform(struct bench *bench, const struct subject *subject, double start, tutti_error *error)
{
  tutti_view view = bench->timing.view;
  if (tutti_noise_interrupts(&bench->pattern.noise))
    view.noise_hook = &bench->pattern.noise_hook;
  arrive(&bench->pattern, start);
  return tutti_perform(subject, &view, error);
}

/* Time @p calls calls of the subject (0: none), and, under OCC, a barrier after them. Infinity after a missed start. */
static tutti_status repeat(struct bench *bench, const struct subject *subject, int calls, double *elapsed,
                           tutti_error *error)
{
  bool occ = bench->timing.points->measure.scheme == TUTTI_SCHEME_OCC, late = false;
  double begun;
  tutti_status status = start(bench, &begun, &late, error);
  for (int i = 0; i < calls && status == TUTTI_OK; i++)
    status = perform(bench, subject, begun, error);
  if (status == TUTTI_OK && occ)
    status = tutti_barrier_bruck(&bench->timing.view, error);
  *elapsed = late ? INFINITY : tutti_clock_now(&bench->timing.clock) - begun;
  return status;
}

/* ---- many repetitions ---- */

/* On a real machine: if sending a start time takes more than a second, the ranks do not run at the same time. */
#define LARGEST_MARGIN 1.0

/* A repetition has several calls where one is no longer than the noise of the barrier or a tick of the clock: at most
   MAX_CALLS, and, once its time is above zero, at most LONGEST_SPAN. */
enum { MAX_CALLS = 1 << 20, MORE_CALLS = 4 };
#define LONGEST_SPAN 5e-3

/* One measurement. */
struct series {
  const struct subject *subject;
  int calls;                    /* of the subject in a repetition, on all ranks */
  struct sample with;           /* repetitions */
  struct sample without;        /* of what surrounds the calls: of the barrier, under OCC on a real machine */
  struct statistics statistics; /* of one call */
};

static bool has_pattern(const struct bench *bench)
{
  return tutti_noise_interrupts(&bench->pattern.noise) || bench->pattern.latest > 0;
}

/* Rank 0 keeps the repetitions that all ranks started in time, from the last arrival on. If too many were missed it
   makes the window wider, for this point only. */
static tutti_status add_valid(struct bench *bench, struct sample *sample, const double *batch, int count,
                              tutti_error *error)
{
  int missed = 0;
  for (int i = 0; i < count; i++) {
    if (isinf(batch[i]))
      missed++;
    else if (sample->count < bench->timing.points->measure.repetitions_max)
      sample->values[sample->count++] = batch[i] - bench->pattern.waited;
  }
  if (4 * missed <= count)
    return TUTTI_OK;
  bench->timing.clock.margin *= 2;
  if (bench->timing.clock.margin > LARGEST_MARGIN)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED,
                      "%d of %d starts were missed with %g s of notice: run no more ranks than there are cores", missed,
                      count, bench->timing.clock.margin / 2);
  return TUTTI_OK;
}

/* Decision of rank 0 after a batch; `failed` is a tutti_status. */
struct verdict {
  int failed;
  int calls; /* of the next repetitions; other ones than before: those so far are forgotten */
  bool done;
};

/* The barrier alone has no arrival pattern: the wait for it is zero, and was subtracted. */
static void compute(struct bench *bench, struct series *series)
{
  struct statistics nothing = {
      .minimum = bench->barrier, .median = bench->barrier, .low = bench->barrier, .high = bench->barrier};
  series->with.statistics = tutti_statistics_of(series->with.values, series->with.count);
  if (series->without.count > 0)
    nothing = tutti_statistics_of(series->without.values, series->without.count);
  series->without.statistics = nothing;
  series->statistics = tutti_statistics_of_difference(&series->with.statistics, &nothing, series->calls);
}

/* Whether the calls exceed the uncertainty by enough for the requested confidence of the median. */
static bool is_clear(const struct bench *bench, const struct series *series)
{
  double time = series->statistics.median * series->calls;
  double unclear = fmax(tutti_statistics_spread(&series->without.statistics), MPI_Wtick());
  return 2 * unclear <= bench->timing.points->measure.confidence * time;
}

static double least(const struct statistics *statistics)
{
  return fmin(statistics->minimum, statistics->mean);
}

static bool wants_more_calls(const struct bench *bench, const struct series *series, bool enough)
{
  bool positive = least(&series->statistics) > 0;
  if (tutti_clock_is_simulated() || has_pattern(bench) || series->calls >= MAX_CALLS)
    return false;
  return (enough && !positive) ||
         (!is_clear(bench, series) && (!positive || series->with.statistics.median < LONGEST_SPAN));
}

/* In simulation an operation that sends nothing takes no time. */
static tutti_status check_positive(const struct bench *bench, const struct series *series, tutti_error *error)
{
  const struct point *point = series->subject->point;
  double minimum = least(&series->statistics);
  if (minimum > 0 || (tutti_clock_is_simulated() && !(minimum < 0)))
    return TUTTI_OK;
  return tutti_point_without_time(bench->timing.points, point, series->calls, minimum * series->calls, error);
}

static tutti_status decide(struct bench *bench, struct series *series, struct verdict *verdict, tutti_error *error)
{
  *verdict = (struct verdict){.calls = series->calls};
  if (series->with.count == 0)
    return TUTTI_OK;
  compute(bench, series);
  bool enough = statistics_are_enough(&series->statistics, &bench->timing.points->measure);
  if (wants_more_calls(bench, series, enough))
    verdict->calls *= MORE_CALLS;
  else
    verdict->done = enough;
  return verdict->done && series->subject ? check_positive(bench, series, error) : TUTTI_OK;
}

/* Repetitions and, in turn with them, as many of the barrier alone, which drifts, too. */
static tutti_status repeat_batch(struct bench *bench, const struct series *series, int count, bool barriers,
                                 double *batch, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < count && status == TUTTI_OK; i++) {
    status = repeat(bench, series->subject, series->subject ? series->calls : 0, &batch[i], error);
    if (barriers && status == TUTTI_OK)
      status = repeat(bench, NULL, 0, &batch[count + i], error);
  }
  return status == TUTTI_OK ? tutti_max_at_rank0(&bench->timing.view, batch, barriers ? 2 * count : count, error)
                            : status;
}

static tutti_status add_batch(struct bench *bench, struct series *series, int count, bool barriers, const double *batch,
                              struct verdict *verdict, tutti_error *error)
{
  double waited = bench->pattern.waited;
  tutti_status status = add_valid(bench, &series->with, batch, count, error);
  bench->pattern.waited = 0;
  if (status == TUTTI_OK && barriers)
    status = add_valid(bench, &series->without, batch + count, count, error);
  bench->pattern.waited = waited;
  return status == TUTTI_OK ? decide(bench, series, verdict, error) : status;
}

static tutti_status run_batch(struct bench *bench, struct series *series, bool *done, tutti_error *error)
{
  double batch[2 * BATCH];
  struct verdict verdict = {TUTTI_OK, series->calls, false};
  bool barriers = !tutti_clock_is_simulated() && bench->timing.points->measure.scheme == TUTTI_SCHEME_OCC;
  int count = tutti_clock_is_simulated() ? 1 : BATCH;
  tutti_status status = repeat_batch(bench, series, count, barriers, batch, error);
  if (status == TUTTI_OK && bench->timing.view.rank == 0)
    verdict.failed = (int)add_batch(bench, series, count, barriers, batch, &verdict, error);
  if (status == TUTTI_OK)
    status = tutti_bcast_from_rank0(&bench->timing.view, &verdict, sizeof verdict, error);
  *done = verdict.done;
  if (verdict.calls != series->calls)
    series->with.count = series->without.count = 0;
  series->calls = verdict.calls;
  return status == TUTTI_OK ? (tutti_status)verdict.failed : status;
}

static tutti_status warm_up(struct bench *bench, const struct subject *subject, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  bool native = subject && tutti_method_is_library(&subject->point->method);
  int count = warmup_of(&bench->timing.points->measure, native);
  for (int i = 0; i < count && status == TUTTI_OK; i++) {
    double ignored;
    status = repeat(bench, subject, subject ? 1 : 0, &ignored, error);
  }
  return status;
}

/* The statistics of a subject, or of nothing if it is NULL. */
static tutti_status measure(struct bench *bench, const struct subject *subject, struct statistics *statistics,
                            tutti_error *error)
{
  const tutti_measure *settings = &bench->timing.points->measure;
  struct series series = {.subject = subject, .calls = 1};
  bool done = false;
  tutti_status status = sample_open(settings, &bench->timing.view, &series.with, error);
  if (status == TUTTI_OK)
    status = sample_open(settings, &bench->timing.view, &series.without, error);
  if (status == TUTTI_OK)
    status = warm_up(bench, subject, error);
  while (status == TUTTI_OK && !done)
    status = run_batch(bench, &series, &done, error);
  *statistics = series.statistics;
  sample_free(&series.with);
  sample_free(&series.without);
  return status;
}

/* A simulated barrier always takes the same time; on a real machine each point has its own. */
tutti_status tutti_bench_prepare(struct bench *bench, tutti_error *error)
{
  struct timing *timing = &bench->timing;
  struct statistics statistics;
  init_pattern(&bench->pattern, timing->points, NULL, &timing->view, &timing->clock);
  if (timing->points->measure.scheme != TUTTI_SCHEME_OCC || !tutti_clock_is_simulated())
    return TUTTI_OK;
  tutti_status status = measure(bench, NULL, &statistics, error);
  bench->barrier = statistics.median;
  return status;
}

/* Scale the statistics by the noise factor of the point, as if measured where times vary. */
static void vary(struct statistics *statistics, const struct point *point, int ranks)
{
  const double factor =
      tutti_noise_factor(&point->noise, &point->method, ranks, point->root, point->count * point->type_size);
  double *times[] = {&statistics->minimum, &statistics->median, &statistics->mean, &statistics->maximum};
  for (size_t i = 0; i < sizeof times / sizeof *times; i++)
    *times[i] *= factor;
}

tutti_status tutti_bench_measure(void *state, const void *point, tutti_error *error)
{
  struct bench *bench = state;
  struct timing *timing = &bench->timing;
  struct subject subject = {.element = MPI_DATATYPE_NULL};
  tutti_status status = TUTTI_OK;
  init_pattern(&bench->pattern, timing->points, point, &timing->view, &timing->clock);
  if (timing->points->measure.scheme == TUTTI_SCHEME_WINDOW) /* clocks drift, and a wide window was for one point */
    status = tutti_clock_synchronize(&timing->view, &timing->clock, error);
  if (status == TUTTI_OK)
    status = tutti_subject_create(point, &bench->buffers, &timing->view, &subject, error);
  if (status == TUTTI_OK)
    status = measure(bench, &subject, &timing->statistics, error);
  vary(&timing->statistics, point, timing->view.size);
  tutti_subject_free(&subject);
  return status;
}
