/* tutti explain: measured and predicted times of what runs and what could run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/explain/explain.h"

static struct explained_time *add_row(struct explained_times *times, const tutti_method *method)
{
  for (int i = 0; i < times->count; i++)
    if (tutti_method_compare(&times->rows[i].method, method) == 0)
      return &times->rows[i];
  times->rows = tutti_xrealloc(times->rows, ((size_t)times->count + 1) * sizeof *times->rows);
  struct explained_time *row = &times->rows[times->count++];
  *row = (struct explained_time){.method = *method, .measured = NAN};
  for (int p = 0; p < TUTTI_MAX_VOTERS; p++)
    row->predicted[p] = NAN;
  return row;
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
static void add_point(const tutti_decision_map *map, const tutti_explained_call *call, struct explained_times *times)
{
  int i = index_of_ranks(map, call->ranks), j = index_of_size(map, call->rank_bytes);
  for (int m = 0; i >= 0 && j >= 0 && m < map->method_count; m++) {
    double seconds = tutti_decision_map_time(map, i, j, m);
    if (isnan(seconds))
      continue;
    add_row(times, &map->methods[m])->measured = seconds;
    times->any_measured = true;
  }
}

static tutti_status add_measured(const struct explain_options *options, struct explained_times *times,
                                 tutti_error *error)
{
  struct measured_map measured = {0};
  tutti_error reason;
  if (selection_read_map(&options->selection, options->call.collective, &measured, &reason) != TUTTI_OK) {
    if (options->selection.database_given && reason.status != TUTTI_ERR_ARGUMENT)
      return tutti_fail(error, reason.status, "%s", reason.message);
    return TUTTI_OK; /* nothing was measured, which the report says */
  }
  add_point(&measured.map, &options->call, times);
  tutti_decision_map_free(&measured.map);
  return TUTTI_OK;
}

/* ---- predicted ---- */

static void add_candidates(const struct explain_options *options, struct explained_times *times)
{
  const tutti_algorithm *algorithm;
  for (size_t i = 0; !times->any_measured && (algorithm = tutti_algorithm_at(i)); i++) {
    tutti_method method = tutti_method_default(algorithm);
    if (algorithm->collective == options->call.collective)
      add_row(times, &method);
  }
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

static tutti_status add_predicted(const struct explain_options *options, struct explained_times *times,
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
  if (!*options->selection.platform)
    return TUTTI_OK;
  tutti_status status = add_measured(options, times, error);
  if (status != TUTTI_OK)
    return status;
  add_candidates(options, times);
  if (chosen)
    add_row(times, chosen)->chosen = true;
  status = add_predicted(options, times, error);
  if (status == TUTTI_OK && times->count)
    qsort(times->rows, (size_t)times->count, sizeof *times->rows, compare);
  for (int i = 0; status == TUTTI_OK && i < times->count; i++)
    times->rows[i].penalty = 100 * (times->rows[i].measured - times->rows[0].measured) / times->rows[0].measured;
  return status;
}

void explained_times_free(struct explained_times *times)
{
  if (times->predictors.count)
    predictors_free(&times->predictors);
  free(times->rows);
  *times = (struct explained_times){0};
}
