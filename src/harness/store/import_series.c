/* Importing: repetitions that have lines of their own become the median of their point. */
#include <limits.h>
#include <stdlib.h>

#include "base/numbers.h"
#include "harness/store/import_file.h"

struct import_series {
  tutti_measurement point; /* its method stands for any of the collective, if it is not told */
  bool told;
  double first; /* time; the only one of most points */
  struct {
    TUTTI_VECTOR(double);
  } times; /* all of them, if there are more */
  size_t count;
  bool zeros;  /* some were passed over */
  size_t line; /* of the first repetition */
};

size_t tutti_import_points_note(struct import_file *file, struct import_points *points, tutti_collective collective,
                                const tutti_measurement *point, const double *time)
{
  tutti_measurement key = *point;
  if (!key.method.algorithm)
    key.method = tutti_method_default(tutti_algorithm_find(collective, "native"));
  const int *place = tutti_import_points_find(&points->index, &key);
  if (!place) {
    struct import_series *made = tutti_xcalloc(1, sizeof *made);
    *made = (struct import_series){.point = key, .told = point->method.algorithm != NULL, .line = file->line};
    tutti_xpush(points, made);
    *tutti_import_points_add(&points->index, &made->point) = (int)points->count;
  }
  const size_t found = place ? (size_t)*place - 1 : points->count - 1;
  struct import_series *series = points->items[found];
  const bool zero = time && *time <= 0;
  series->zeros = series->zeros || zero;
  if (zero)
    tutti_import_pass_zero(file, &key);
  if (!time || zero)
    return found;
  if (series->count == 1)
    tutti_xpush(&series->times, series->first);
  if (series->count++ == 0)
    series->first = *time;
  else
    tutti_xpush(&series->times, *time);
  return found;
}

static tutti_status reduce(struct import_file *file, struct import_series *series, tutti_error *error)
{
  tutti_measurement *point = &series->point;
  const tutti_collective collective = point->method.algorithm->collective;
  const size_t count = series->count;
  double sum = 0, *times = count == 1 ? &series->first : series->times.items;
  if (count == 0) {
    if (!series->zeros)
      tutti_import_pass(file, tutti_import_given_up, "%s", tutti_collective_name(collective));
    return TUTTI_OK;
  }
  if (count > INT_MAX)
    return tutti_import_fail(file, error, "too many repetitions", "%s", "");
  tutti_doubles_sort(times, count);
  for (size_t i = 0; i < count; i++)
    sum += times[i];
  point->repetitions = (int)count;
  point->minimum = times[0];
  point->maximum = times[count - 1];
  point->mean = sum / (double)count;
  point->median = tutti_doubles_median(times, count);
  point->method.algorithm = series->told ? point->method.algorithm : NULL;
  return tutti_import_add(file, collective, point, error);
}

static void free_series(struct import_series **series)
{
  if (*series)
    tutti_vector_free(&(*series)->times);
  free(*series);
  *series = NULL;
}

void tutti_import_points_clear(struct import_points *points)
{
  tutti_import_points_free(&points->index);
  for (size_t i = 0; i < points->count; i++)
    free_series(&points->items[i]);
  tutti_vector_free(points);
}

tutti_status tutti_import_points_end(struct import_file *file, struct import_points *points, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  const size_t line = file->line;
  tutti_import_points_free(&points->index);
  for (size_t i = 0; i < points->count && status == TUTTI_OK; i++) {
    file->line = points->items[i]->line;
    status = tutti_import_go_on(file, reduce(file, points->items[i], error));
    free_series(&points->items[i]);
  }
  file->line = line;
  tutti_import_points_clear(points);
  return status;
}
