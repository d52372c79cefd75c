/* tutti-range: times the making of groups of processes, and collectives on them, and prints one record a line. Rank 0
   reads and writes; it never opens a database. */
#include <stdlib.h>

#include "measure/program.h"
#include "measure/range_time.h"
#include "tutti/result.h"

static void describe(const tutti_view *view, const struct range_point *point, const struct statistics *s,
                     tutti_result *result)
{
  tutti_value *values = result->values;
  result->kind = TUTTI_RESULT_RANGE;
  tutti_result_set_word(result, TUTTI_RANGE_FIELD_OPERATION, tutti_range_operation_name(point->operation));
  tutti_result_set_word(result, TUTTI_RANGE_FIELD_WAY, point->way_name);
  tutti_result_set_word(result, TUTTI_RANGE_FIELD_ORDER, tutti_range_order_name(point->order));
  values[TUTTI_RANGE_FIELD_RANKS].whole = (uint64_t)view->size;
  values[TUTTI_RANGE_FIELD_SIZE].whole = (uint64_t)tutti_range_point_size(point, view->size);
  values[TUTTI_RANGE_FIELD_COUNT].whole = point->count;
  values[TUTTI_RANGE_FIELD_TYPE_SIZE].whole = sizeof(double);
  values[TUTTI_RANGE_FIELD_USES].whole = (uint64_t)point->uses;
  values[TUTTI_RANGE_FIELD_REPETITIONS].whole = (uint64_t)s->count;
  values[TUTTI_RANGE_FIELD_MINIMUM].seconds = s->minimum;
  values[TUTTI_RANGE_FIELD_MEDIAN].seconds = s->median;
  values[TUTTI_RANGE_FIELD_MEAN].seconds = s->mean;
  values[TUTTI_RANGE_FIELD_MAXIMUM].seconds = s->maximum;
}

/* A record is large for the stack of a simulated rank. */
static tutti_status print(const tutti_view *view, const struct range_point *point, const struct statistics *statistics,
                          tutti_error *error)
{
  tutti_record *record = calloc(1, sizeof *record);
  if (!record)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank 0: out of memory for a record");
  record->kind = TUTTI_RECORD_RESULT;
  describe(view, point, statistics, &record->result);
  tutti_program_print(record);
  free(record);
  return TUTTI_OK;
}

static tutti_status time_all(struct range_site *site, const struct range_points *points, tutti_error *error)
{
  struct statistics statistics;
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < points->count && status == TUTTI_OK; i++) {
    status = range_time(site, &points->items[i], &statistics, error);
    if (status == TUTTI_OK && site->view.rank == 0)
      status = print(&site->view, &points->items[i], &statistics, error);
  }
  return status;
}

static tutti_status time_points(const tutti_view *view, const struct range_points *points, tutti_error *error)
{
  struct range_site site;
  if (view->rank == 0)
    tutti_program_print_run(view, points->ranks_per_node);
  tutti_status status = range_site_open(view, points, &site, error);
  if (status == TUTTI_OK)
    status = time_all(&site, points, error);
  range_site_close(&site);
  if (status == TUTTI_OK && view->rank == 0)
    tutti_program_print_end(points->count);
  return status;
}

static tutti_status measure(const tutti_view *view, char *text, const char *name, tutti_error *error)
{
  struct range_points points;
  tutti_status status = range_points_parse(text, name, view->size, &points, error);
  free(text);
  if (status != TUTTI_OK)
    return status;
  status = time_points(view, &points, error);
  range_points_free(&points);
  return status;
}

int main(int argc, char **argv)
{
  const struct program program = {"tutti-range", range_options_read, measure};
  return tutti_program_run(&program, argc, argv);
}
