/* Importing: repetitions that have lines of their own become the median of their point. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "base/index.h"
#include "base/numbers.h"
#include "harness/store/import_file.h"

static struct import_series *find(struct import_file *file, struct import_points *points, tutti_collective collective,
                                  const tutti_measurement *point)
{
  char name[TUTTI_METHOD_LENGTH + 128], method[TUTTI_METHOD_LENGTH] = "";
  if (point->method.algorithm)
    tutti_method_format(&point->method, method);
  snprintf(name, sizeof name, "%d %d %d %d %" PRIu64 " %" PRIu64 " %s", (int)collective, point->ranks,
           point->ranks_per_node, point->root, point->count, point->type_size, method);
  size_t *number = tutti_index_number(&points->index, name);
  if (*number == 0) {
    tutti_xpush(points, (struct import_series){.collective = collective, .point = *point, .line = file->line});
    *number = points->count;
  }
  return &points->items[*number - 1];
}

void tutti_import_points_note(struct import_file *file, struct import_points *points, tutti_collective collective,
                              const tutti_measurement *point, const double *time)
{
  struct import_series *series = find(file, points, collective, point);
  if (time)
    tutti_xpush(&series->times, *time);
}

static tutti_status reduce(struct import_file *file, struct import_series *series, tutti_error *error)
{
  tutti_measurement *point = &series->point;
  const size_t count = series->times.count;
  double sum = 0;
  if (count == 0) {
    tutti_import_pass(file, tutti_import_given_up, "%s", tutti_collective_name(series->collective));
    return TUTTI_OK;
  }
  if (count > INT_MAX)
    return tutti_import_fail(file, error, "too many repetitions", "%s", "");
  tutti_doubles_sort(series->times.items, count);
  for (size_t i = 0; i < count; i++)
    sum += series->times.items[i];
  point->repetitions = (int)count;
  point->minimum = series->times.items[0];
  point->maximum = series->times.items[count - 1];
  point->mean = sum / (double)count;
  point->median = tutti_doubles_median(series->times.items, count);
  return tutti_import_add(file, series->collective, point, error);
}

void tutti_import_points_clear(struct import_points *points)
{
  for (size_t i = 0; i < points->count; i++)
    tutti_vector_free(&points->items[i].times);
  tutti_vector_free(points);
  tutti_index_free(&points->index);
}

tutti_status tutti_import_points_end(struct import_file *file, struct import_points *points, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  const size_t line = file->line;
  for (size_t i = 0; i < points->count && status == TUTTI_OK; i++) {
    file->line = points->items[i].line;
    status = tutti_import_go_on(file, reduce(file, &points->items[i], error));
  }
  file->line = line;
  tutti_import_points_clear(points);
  return status;
}
