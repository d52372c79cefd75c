/* Sorting against the clock. */
#include <math.h>
#include <stdlib.h>

#include "measure/coordinate.h"
#include "measure/repeat.h"
#include "measure/sort_bench.h"

/* Simulated seconds in which a sort is expected to end. */
enum { PATIENCE = 32 };

tutti_status sort_bench_open(void *state, tutti_error *error)
{
  struct timing *timing = state;
  timing->inside.progress = &timing->progress;
  return tutti_clock_synchronize(&timing->view, &timing->clock, error);
}

/* ---- one sort ---- */

static tutti_sort_how how_of(const struct sort_point *point, const struct points *points)
{
  tutti_sort_how how = tutti_sort_how_default();
  how.algorithm = (tutti_sort_algorithm)point->algorithm;
  how.layer = (tutti_sort_layer)(point->layer < 0 ? 0 : point->layer);
  how.order = (tutti_sort_order)(point->order < 0 ? 0 : point->order);
  how.assignment = (tutti_sort_assignment)(point->assignment < 0 ? 0 : point->assignment);
  how.seed = point->seed;
  how.element_cost = points->costs.element;
  how.entry_cost = points->costs.entry;
  how.compare_cost = points->costs.compare;
  return how;
}

static tutti_status fill(const struct sort_bench *bench, const struct sort_point *point, void **input, uint64_t *count,
                         tutti_error *error)
{
  const struct sort_input what = {.distribution = (enum sort_distribution)point->distribution,
                                  .kind = (enum sort_kind)point->kind,
                                  .seed = point->seed,
                                  .size = bench->timing.view.size,
                                  .rank = bench->timing.view.rank,
                                  .count = point->count};
  *count = sort_input_count(&what);
  *input = malloc(*count > 0 ? *count * sort_kind_type(what.kind).size : 1);
  if (!*input)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for %llu elements", bench->timing.view.rank,
                      (unsigned long long)*count);
  sort_input_fill(&what, *input);
  return TUTTI_OK;
}

/* Begin together, sort, and look at the clock. */
static tutti_status run(struct sort_bench *bench, const struct sort_point *point, struct sorted *sorted, void **output,
                        double *start, tutti_error *error)
{
  const tutti_sort_how how = how_of(point, bench->timing.points);
  const tutti_sort_type type = sort_kind_type((enum sort_kind)point->kind);
  tutti_status status = tutti_start_together(&bench->timing.view, &bench->timing.clock, start, error);
  if (status == TUTTI_OK)
    status = tutti_sort(&how, &type, sorted->input, sorted->input_count, output, &sorted->output_count, &sorted->tally,
                        &bench->timing.inside, error);
  sorted->end = tutti_clock_now(&bench->timing.clock);
  sorted->output = *output;
  return status;
}

/* What is sorted, and with what. */
struct sorting {
  struct sort_bench *bench;
  const struct sort_point *point;
};

static tutti_status sort_once(void *context, int round, double *seconds, tutti_error *error)
{
  const struct sorting *sorting = context;
  struct sort_bench *bench = sorting->bench;
  struct sorted sorted = {.point = sorting->point};
  void *input = NULL, *output = NULL;
  double start = 0;
  (void)round;
  tutti_status status = fill(bench, sorted.point, &input, &sorted.input_count, error);
  sorted.input = input;
  if (status == TUTTI_OK)
    status = run(bench, sorted.point, &sorted, &output, &start, error);
  if (status == TUTTI_OK) {
    tutti_sleep_until(&bench->timing.clock, start, PATIENCE);
    status = sort_check(&bench->timing.view, &sorted, &bench->report, error);
  }
  *seconds = fmax(0, bench->report.end - start); /* clocks may differ a little */
  free(input);
  free(output);
  return status;
}

/* ---- many ---- */

/* A frame of its own: a result is large for the stack of a simulated rank. */
static char *__attribute__((noinline)) format_point(const struct sort_point *point, int ranks, char *text)
{
  tutti_result result;
  sort_point_keys(point, ranks, &result);
  return tutti_result_format_point(&result, text);
}

/* Say of which point an error is. */
static tutti_status name_point(const struct sort_point *point, int ranks, tutti_status status, tutti_error *error)
{
  char text[TUTTI_RESULT_POINT_LENGTH];
  if (!error)
    return status;
  const tutti_error reason = *error;
  return tutti_fail(error, status, "%s: %s", format_point(point, ranks, text), reason.message);
}

tutti_status sort_bench_measure(void *state, const void *point, tutti_error *error)
{
  struct sort_bench *bench = state;
  struct sorting sorting = {bench, point};
  const tutti_measure *measure = &bench->timing.points->measure;
  bench->report = (struct sort_report){.end = 0};
  tutti_status status = tutti_repeat(measure, tutti_clock_is_simulated() ? 0 : measure->warmup, &bench->timing.view,
                                     sort_once, &sorting, &bench->timing.statistics, error);
  return status == TUTTI_OK ? TUTTI_OK : name_point(point, bench->timing.view.size, status, error);
}
