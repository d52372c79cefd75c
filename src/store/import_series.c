/* Raw times: a list for each point, reduced when the run ends. */
#include "store/import_series.h"

#include <limits.h>
#include <stdlib.h>

struct repro_series {
  tutti_collective collective;
  tutti_measurement point;
  double *times;
  size_t count, capacity;
  size_t line; /* of its first repetition */
};

static bool is_same(const struct repro_series *series, tutti_collective collective, const tutti_measurement *point)
{
  return series->collective == collective && series->point.count == point->count &&
         series->point.type_size == point->type_size;
}

/* Repetitions of a point mostly follow each other; NULL without memory. */
static struct repro_series *find(struct import_file *file, tutti_collective collective, const tutti_measurement *point)
{
  struct repro_state *state = &file->repro;
  for (size_t i = state->series_count; i-- > 0;)
    if (is_same(&state->series[i], collective, point))
      return &state->series[i];
  if (state->series_count == state->series_capacity) {
    size_t capacity = state->series_capacity ? 2 * state->series_capacity : 32;
    struct repro_series *grown = reallocarray(state->series, capacity, sizeof *grown);
    if (!grown)
      return NULL;
    state->series = grown;
    state->series_capacity = capacity;
  }
  state->series[state->series_count] =
      (struct repro_series){.collective = collective, .point = *point, .line = file->line};
  return &state->series[state->series_count++];
}

static bool make_room(struct repro_series *series)
{
  if (series->count < series->capacity)
    return true;
  size_t capacity = series->capacity ? 2 * series->capacity : 16;
  double *grown = reallocarray(series->times, capacity, sizeof *grown);
  if (!grown)
    return false;
  series->times = grown;
  series->capacity = capacity;
  return true;
}

tutti_status tutti_import_series_add(struct import_file *file, tutti_collective collective,
                                     const tutti_measurement *measurement, double seconds, bool valid,
                                     tutti_error *error)
{
  struct repro_series *series = find(file, collective, measurement);
  if (!series || (valid && !make_room(series)))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s:%zu: out of memory for the times", file->name, file->line);
  if (valid)
    series->times[series->count++] = seconds;
  return TUTTI_OK;
}

static int compare(const void *left_item, const void *right_item)
{
  double left = *(const double *)left_item, right = *(const double *)right_item;
  return (left > right) - (left < right);
}

static tutti_status reduce(struct import_file *file, struct repro_series *series, tutti_error *error)
{
  tutti_measurement *point = &series->point;
  size_t count = series->count, middle = count / 2;
  double sum = 0;
  if (count == 0) {
    file->imported->given_up++;
    return TUTTI_OK;
  }
  if (count > INT_MAX)
    return tutti_import_fail(file, error, "too many repetitions");
  qsort(series->times, count, sizeof *series->times, compare);
  for (size_t i = 0; i < count; i++)
    sum += series->times[i];
  point->repetitions = (int)count;
  point->minimum = series->times[0];
  point->maximum = series->times[count - 1];
  point->mean = sum / (double)count;
  point->median = count % 2 ? series->times[middle] : (series->times[middle - 1] + series->times[middle]) / 2;
  size_t line = file->line;
  file->line = series->line;
  tutti_status status = tutti_import_add(file, series->collective, point, error);
  file->line = line;
  return status;
}

tutti_status tutti_import_series_end(struct import_file *file, tutti_error *error)
{
  struct repro_state *state = &file->repro;
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < state->series_count; i++) {
    if (status == TUTTI_OK)
      status = reduce(file, &state->series[i], error);
    free(state->series[i].times);
  }
  state->series_count = 0;
  return status;
}

void tutti_import_series_free(struct import_file *file)
{
  struct repro_state *state = &file->repro;
  for (size_t i = 0; i < state->series_count; i++)
    free(state->series[i].times);
  free(state->series);
  state->series = NULL;
  state->series_count = state->series_capacity = 0;
}
