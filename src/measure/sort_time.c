#include "measure/sort_time.h"

#include <math.h>
#include <stdlib.h>

#include "measure/agree.h"
#include "measure/sample.h"
#include "measure/start.h"

/* Simulated seconds in which a sort is expected to end. */
enum { PATIENCE = 32 };

tutti_status sort_site_open(const tutti_view *view, const struct sort_points *points, struct sort_site *site,
                            tutti_error *error)
{
  *site = (struct sort_site){.points = points};
  tutti_status status = tutti_halve_tags(view, &site->view, &site->all, error);
  tutti_progress_init(&site->progress);
  site->all.progress = &site->progress;
  return status == TUTTI_OK ? tutti_clock_synchronize(&site->view, &site->clock, error) : status;
}

void sort_site_close(struct sort_site *site)
{
  tutti_progress_free(&site->progress);
}

/* ---- one sort ---- */

static tutti_status fill(const struct sort_site *site, const struct sort_point *point, void **input, uint64_t *count,
                         tutti_error *error)
{
  const struct sort_input what = {.distribution = (enum sort_distribution)point->distribution,
                                  .kind = (enum sort_kind)point->kind,
                                  .seed = point->seed,
                                  .size = site->view.size,
                                  .rank = site->view.rank,
                                  .count = point->count};
  *count = sort_input_count(&what);
  *input = malloc(*count > 0 ? *count * sort_kind_type(what.kind).size : 1);
  if (!*input)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for %llu elements", site->view.rank,
                      (unsigned long long)*count);
  sort_input_fill(&what, *input);
  return TUTTI_OK;
}

/* Begin together, sort, and look at the clock. */
static tutti_status run(struct sort_site *site, const struct sort_point *point, struct sorted *sorted, void **output,
                        double *start, tutti_error *error)
{
  const tutti_sort_how how = sort_point_how(point, &site->points->costs);
  const tutti_sort_type type = sort_kind_type((enum sort_kind)point->kind);
  tutti_status status = tutti_start_together(&site->view, &site->clock, start, error);
  if (status == TUTTI_OK)
    status = tutti_sort(&how, &type, sorted->input, sorted->input_count, output, &sorted->output_count, &sorted->tally,
                        &site->all, error);
  sorted->end = tutti_clock_now(&site->clock);
  sorted->output = *output;
  return status;
}

static tutti_status sort_once(struct sort_site *site, const struct sort_point *point, struct sort_report *report,
                              double *seconds, tutti_error *error)
{
  struct sorted sorted = {.point = point};
  void *input = NULL, *output = NULL;
  double start = 0;
  tutti_status status = fill(site, point, &input, &sorted.input_count, error);
  sorted.input = input;
  if (status == TUTTI_OK)
    status = run(site, point, &sorted, &output, &start, error);
  if (status == TUTTI_OK) {
    tutti_rest(&site->clock, start, PATIENCE);
    status = sort_check(&site->view, &sorted, report, error);
  }
  *seconds = fmax(0, report->end - start); /* clocks may differ a little */
  free(input);
  free(output);
  return status;
}

/* ---- many ---- */

static tutti_status repeat(struct sort_site *site, const struct sort_point *point, struct sample *sample,
                           struct sort_report *report, tutti_error *error)
{
  const tutti_measure *measure = &site->points->measure;
  int warmup = tutti_clock_is_simulated() ? 0 : measure->warmup;
  char done = 0;
  tutti_status status = TUTTI_OK;
  for (int i = 0; status == TUTTI_OK && !done; i++) {
    double seconds;
    status = sort_once(site, point, report, &seconds, error);
    if (status == TUTTI_OK && site->view.rank == 0 && i >= warmup)
      done = sample_add(sample, measure, seconds);
    if (status == TUTTI_OK)
      status = tutti_agree(&site->view, &done, sizeof done, error);
  }
  return status;
}

static void keep(const struct statistics *statistics, const struct sort_report *report, tutti_result *result)
{
  tutti_value *values = result->values;
  values[TUTTI_SORT_FIELD_ELEMENTS].whole = report->elements;
  values[TUTTI_SORT_FIELD_REPETITIONS].whole = (uint64_t)statistics->count;
  values[TUTTI_SORT_FIELD_MINIMUM].seconds = statistics->minimum;
  values[TUTTI_SORT_FIELD_MEDIAN].seconds = statistics->median;
  values[TUTTI_SORT_FIELD_MEAN].seconds = statistics->mean;
  values[TUTTI_SORT_FIELD_MAXIMUM].seconds = statistics->maximum;
  values[TUTTI_SORT_FIELD_LEVELS].whole = report->levels;
  values[TUTTI_SORT_FIELD_JANUS_LEVELS].whole = report->janus_levels;
  values[TUTTI_SORT_FIELD_GROUPS].whole = report->groups;
  values[TUTTI_SORT_FIELD_MESSAGES].whole = report->messages;
  values[TUTTI_SORT_FIELD_SENT].whole = report->sent_bytes;
  values[TUTTI_SORT_FIELD_MOST_SENT].whole = report->most_sent;
  values[TUTTI_SORT_FIELD_MOST_RECEIVED].whole = report->most_received;
  values[TUTTI_SORT_FIELD_LEAST_ELEMENTS].whole = report->least_elements;
  values[TUTTI_SORT_FIELD_MOST_ELEMENTS].whole = report->most_elements;
}

/* Say of which point an error is. */
static tutti_status name_point(const tutti_result *result, tutti_status status, tutti_error *error)
{
  char text[TUTTI_RESULT_POINT_LENGTH];
  if (status == TUTTI_OK || !error)
    return status;
  const tutti_error reason = *error;
  return tutti_fail(error, status, "%s: %s", tutti_result_format_point(result, text), reason.message);
}

tutti_status sort_time(struct sort_site *site, const struct sort_point *point, tutti_result *result, tutti_error *error)
{
  struct sample sample = {.count = 0};
  struct sort_report report = {.end = 0};
  tutti_status status = TUTTI_OK;
  sort_point_keys(point, site->view.size, result);
  if (site->view.rank == 0)
    status = sample_open(&site->points->measure, &sample, error);
  if (status == TUTTI_OK)
    status = repeat(site, point, &sample, &report, error);
  keep(&sample.statistics, &report, result);
  sample_free(&sample);
  return name_point(result, status, error);
}
