/* tutti explain: measured and predicted times of what runs and what could run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/explain/explain.h"

static struct explained_time *add_row(struct explained_times *times, const tutti_method *method, tutti_error *error)
{
  for (int i = 0; i < times->count; i++)
    if (tutti_method_compare(&times->rows[i].method, method) == 0)
      return &times->rows[i];
  struct explained_time *rows = reallocarray(times->rows, (size_t)times->count + 1, sizeof *rows);
  if (!rows) {
    tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the times of methods");
    return NULL;
  }
  times->rows = rows;
  rows += times->count++;
  *rows = (struct explained_time){.method = *method, .measured = NAN};
  for (int p = 0; p < TUTTI_MOST_VOTERS; p++)
    rows->predicted[p] = NAN;
  return rows;
}

/* ---- measured ---- */

static int index_of_ranks(const tutti_decision_map *map, int ranks)
{
  for (int i = 0; i < map->ranks_count; i++)
    if (map->ranks[i] == ranks)
      return i;
  return -1;
}

static int index_of_size(const tutti_decision_map *map, uint64_t bytes)
{
  for (int i = 0; i < map->size_count; i++)
    if (map->sizes[i] == bytes)
      return i;
  return -1;
}

/* The times of the very point, if it was measured. */
static tutti_status take_point(const tutti_decision_map *map, const tutti_explained_call *call,
                               struct explained_times *times, tutti_error *error)
{
  int i = index_of_ranks(map, call->ranks), j = index_of_size(map, call->rank_bytes);
  for (int m = 0; i >= 0 && j >= 0 && m < map->method_count; m++) {
    double seconds = tutti_decision_map_time(map, i, j, m);
    if (isnan(seconds))
      continue;
    struct explained_time *row = add_row(times, &map->methods[m], error);
    if (!row)
      return TUTTI_ERR_MEMORY;
    row->measured = seconds;
    times->any_measured = true;
  }
  return TUTTI_OK;
}

static tutti_status take_measured(const struct explain_options *options, struct explained_times *times,
                                  tutti_error *error)
{
  struct measured_map measured = {0};
  tutti_error reason;
  if (selection_read_map(&options->selection, options->call.collective, &measured, &reason) != TUTTI_OK) {
    if (options->selection.database_given && reason.status != TUTTI_ERR_ARGUMENT)
      return tutti_fail(error, reason.status, "%s", reason.message);
    return TUTTI_OK; /* nothing was measured, which the report says */
  }
  tutti_status status = take_point(&measured.map, &options->call, times, error);
  tutti_decision_map_free(&measured.map);
  return status;
}

/* ---- predicted ---- */

static tutti_status add_candidates(const struct explain_options *options, struct explained_times *times,
                                   tutti_error *error)
{
  const tutti_algorithm *algorithm;
  for (size_t i = 0; !times->any_measured && (algorithm = tutti_algorithm_at(i)); i++) {
    tutti_method method = tutti_method_default(algorithm);
    if (algorithm->collective == options->call.collective && !add_row(times, &method, error))
      return TUTTI_ERR_MEMORY;
  }
  return TUTTI_OK;
}

static void predict_row(const struct explain_options *options, struct explained_times *times,
                        struct explained_time *row)
{
  for (int p = 0; p < times->predictors.count; p++) {
    double seconds;
    tutti_error ignored;
    if (tutti_predict_time(&times->predictors.items[p], &row->method, options->call.ranks, options->call.rank_bytes,
                           &seconds, &ignored) == TUTTI_OK) {
      row->predicted[p] = seconds;
      times->any_predicted = true;
    }
  }
}

static tutti_status take_predicted(const struct explain_options *options, struct explained_times *times,
                                   tutti_error *error)
{
  tutti_error reason;
  tutti_status status = predictors_read(&options->predictor, NULL, &options->selection, &times->predictors, &reason);
  if (status == TUTTI_ERR_MEMORY)
    return tutti_fail(error, status, "%s", reason.message);
  if (status != TUTTI_OK) {
    memset(&times->predictors, 0, sizeof times->predictors);
    memcpy(times->why_not, reason.message, sizeof times->why_not);
    return TUTTI_OK;
  }
  for (int i = 0; i < times->count; i++)
    predict_row(options, times, &times->rows[i]);
  return TUTTI_OK;
}

/* ---- together ---- */

/* NaN goes last. */
static int compare_times(double left, double right)
{
  if (isnan(left) || isnan(right))
    return isnan(left) - isnan(right);
  return (left > right) - (left < right);
}

static int compare(const void *a, const void *b)
{
  const struct explained_time *left = a, *right = b;
  int order = compare_times(left->measured, right->measured);
  if (order == 0)
    order = compare_times(left->predicted[0], right->predicted[0]);
  return order ? order : tutti_method_compare(&left->method, &right->method);
}

tutti_status explain_gather_times(const struct explain_options *options, const tutti_method *chosen,
                                  struct explained_times *times, tutti_error *error)
{
  struct explained_time *row = NULL;
  if (!*options->selection.platform)
    return TUTTI_OK;
  tutti_status status = take_measured(options, times, error);
  if (status == TUTTI_OK)
    status = add_candidates(options, times, error);
  if (status == TUTTI_OK && chosen) {
    row = add_row(times, chosen, error);
    if (!row)
      return TUTTI_ERR_MEMORY;
    row->chosen = true;
  }
  if (status == TUTTI_OK)
    status = take_predicted(options, times, error);
  if (status == TUTTI_OK && times->count)
    qsort(times->rows, (size_t)times->count, sizeof *times->rows, compare);
  return status;
}

void explained_times_free(struct explained_times *times)
{
  if (times->predictors.count)
    predictors_free(&times->predictors);
  free(times->rows);
  *times = (struct explained_times){0};
}
