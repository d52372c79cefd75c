#include "tutti/run_comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "harness/experiments/plan/plan.h"
#include "harness/store/private.h"

/* A run whose points are all in the store. */
struct finished_run {
  const tutti_experiment *experiment;
  const tutti_run_summary *summary;
};

/* Measured rows of one kind: an array of structs that are compared as points. */
struct table {
  void *items; /* owned */
  size_t count;
  size_t size; /* of one */
  int (*compare)(const void *left, const void *right);
};

static int compare_measurements(const void *left, const void *right)
{
  const tutti_measurement *a = left, *b = right;
  int order = THREE_WAY((uint64_t)a->method.algorithm->collective, (uint64_t)b->method.algorithm->collective);
  order = order ? order : THREE_WAY(a->root, b->root);
  order = order ? order : THREE_WAY(a->ranks, b->ranks);
  order = order ? order : THREE_WAY(a->count * a->type_size, b->count * b->type_size);
  order = order ? order : THREE_WAY(a->type_size, b->type_size);
  order = order ? order : tutti_method_compare(&a->method, &b->method);
  order = order ? order : tutti_arrival_compare(&a->arrival, &b->arrival);
  order = order ? order : tutti_noise_compare(&a->noise, &b->noise);
  return order ? order : a->launch - b->launch;
}

static int compare_builds(const void *left, const void *right)
{
  return tutti_group_point_compare(&((const tutti_group_run *)left)->point, &((const tutti_group_run *)right)->point);
}

static void sort(struct table *table)
{
  if (table->count > 0)
    qsort(table->items, table->count, table->size, table->compare);
}

static void *item(const struct table *table, size_t index)
{
  return (char *)table->items + index * table->size;
}

static struct table empty_table(const tutti_experiment *experiment)
{
  enum tutti_row kind = tutti_experiment_row(experiment);
  return (struct table){.size = tutti_kind_of(kind)->size,
                        .compare = kind == TUTTI_ROW_GROUP         ? compare_builds
                                   : kind == TUTTI_ROW_MEASUREMENT ? compare_measurements
                                                                   : tutti_compare_results};
}

/* Clear the ranks per node of results: they are among the keys, and may differ between the machines. */
static void forget_ranks_per_node(const tutti_experiment *experiment, struct table *table)
{
  for (size_t i = 0; experiment->result_count > 0 && i < table->count; i++)
    ((tutti_result *)table->items)[i].ranks_per_node = 0;
}

/* ---- what was asked for ---- */

static tutti_status list_points(const struct finished_run *run, struct table *points, tutti_error *error)
{
  tutti_plan plan;
  const tutti_present nothing = {.row_count = 0};
  const tutti_plan_options options = {.ranks_per_node = run->summary->ranks_per_node};
  *points = empty_table(run->experiment);
  tutti_status status = tutti_plan_create(run->experiment, &options, &nothing, &plan, error);
  if (status != TUTTI_OK)
    return status;
  points->items = tutti_xcalloc(plan.point_count + 1, points->size);
  points->count = plan.point_count;
  for (size_t i = 0; i < points->count; i++) {
    tutti_record record;
    const void *row;
    tutti_point_record(&plan.points[i], plan.measure.scheme, plan.ranks_per_node, &record);
    tutti_kind_of_record(&record, &row);
    memcpy(item(points, i), row, points->size);
  }
  tutti_plan_free(&plan);
  forget_ranks_per_node(run->experiment, points);
  sort(points);
  return TUTTI_OK;
}

/* ---- what is stored ---- */

static tutti_status read_table(const char *database, const struct finished_run *run, bool any_pattern,
                               struct table *table, tutti_error *error)
{
  tutti_platform platform;
  tutti_store *store;
  tutti_present present = {.row_count = 0};
  *table = empty_table(run->experiment);
  tutti_status status = tutti_platform_read(run->experiment->platform_path, &platform, error);
  if (status != TUTTI_OK)
    return status;
  tutti_selection selection = {.platform = platform.name,
                               .platform_hash = platform.hash,
                               .flavor = run->experiment->flavor,
                               .library = run->summary->library,
                               .tutti = TUTTI_VERSION,
                               .scheme = (int)run->experiment->measure.scheme,
                               .any_pattern = any_pattern,
                               .ranks_per_node = run->summary->ranks_per_node};
  status = tutti_store_open_existing(database, &store, error);
  if (status == TUTTI_OK) {
    status = tutti_present_read(store, run->experiment, &selection, &present, error);
    table->items = (void *)present.rows;
    table->count = present.row_count;
    forget_ranks_per_node(run->experiment, table);
    tutti_store_close(store);
  }
  tutti_platform_free(&platform);
  sort(table);
  if (run->experiment->sweep_count > 0)
    table->count = tutti_store_join_launches(table->items, table->count);
  return status;
}

/* The measured of the points asked for. */
static tutti_status read_run(const char *database, const struct finished_run *run, bool any_pattern,
                             struct table *table, tutti_error *error)
{
  struct table points;
  size_t kept = 0;
  tutti_status status = list_points(run, &points, error);
  *table = empty_table(run->experiment);
  if (status == TUTTI_OK)
    status = read_table(database, run, any_pattern, table, error);
  for (size_t i = 0; status == TUTTI_OK && i < table->count; i++)
    if (bsearch(item(table, i), points.items, points.count, points.size, points.compare))
      memmove(item(table, kept++), item(table, i), table->size);
  table->count = kept;
  free(points.items);
  return status;
}

/* ---- pairs ---- */

/* Keep the points of both tables, and count the others. */
static void match(struct table tables[2], size_t alone[2])
{
  size_t at[2] = {0, 0}, kept = 0;
  while (at[0] < tables[0].count && at[1] < tables[1].count) {
    int order = tables[0].compare(item(&tables[0], at[0]), item(&tables[1], at[1]));
    for (int side = 0; side < 2 && order == 0; side++)
      memmove(item(&tables[side], kept), item(&tables[side], at[side]), tables[side].size);
    kept += order == 0;
    at[0] += order <= 0;
    at[1] += order >= 0;
  }
  for (int side = 0; side < 2; side++) {
    alone[side] = tables[side].count - kept;
    tables[side].count = kept;
  }
}

static tutti_status move_tables(const tutti_experiment *experiment, struct table tables[2],
                                tutti_run_comparison *comparison, tutti_error *error)
{
  match(tables, comparison->alone);
  comparison->count = tables[0].count;
  for (int side = 0; side < 2; side++) {
    if (experiment->group_count > 0)
      comparison->builds[side] = tables[side].items;
    else if (experiment->result_count > 0)
      comparison->results[side] = tables[side].items;
    else
      comparison->measurements[side] = tables[side].items;
    tables[side].items = NULL;
  }
  if (comparison->count > 0)
    return TUTTI_OK;
  tutti_run_comparison_free(comparison);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: no point was measured on both machines", experiment->path);
}

tutti_status tutti_run_comparison_read(const char *database, const tutti_experiment experiments[2],
                                       const tutti_run_summary summaries[2], bool any_pattern,
                                       tutti_run_comparison *comparison, tutti_error *error)
{
  struct table tables[2] = {{.items = NULL}, {.items = NULL}};
  tutti_status status = TUTTI_OK;
  *comparison = (tutti_run_comparison){.count = 0};
  if (strcmp(tutti_experiment_program(&experiments[0]), tutti_experiment_program(&experiments[1])) != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "two experiments of other kinds cannot be compared");
  for (int side = 0; side < 2 && status == TUTTI_OK; side++) {
    const struct finished_run run = {&experiments[side], &summaries[side]};
    status = read_run(database, &run, any_pattern, &tables[side], error);
  }
  if (status == TUTTI_OK)
    status = move_tables(&experiments[0], tables, comparison, error);
  free(tables[0].items);
  free(tables[1].items);
  return status;
}

/* A row, and its kind. */
static const void *row_at(const tutti_run_comparison *comparison, int side, size_t index,
                          const struct tutti_row_kind **kind)
{
  if (comparison->measurements[side]) {
    *kind = tutti_kind_of(TUTTI_ROW_MEASUREMENT);
    return &comparison->measurements[side][index];
  }
  if (comparison->builds[side]) {
    *kind = tutti_kind_of(TUTTI_ROW_GROUP);
    return &comparison->builds[side][index];
  }
  *kind = tutti_kind_of_result(comparison->results[side][index].kind);
  return &comparison->results[side][index];
}

double tutti_run_comparison_time(const tutti_run_comparison *comparison, int side, size_t index)
{
  const struct tutti_row_kind *kind;
  const void *row = row_at(comparison, side, index, &kind);
  const struct tutti_row_column *column = tutti_column_find(kind, "median_s");
  return column ? tutti_row_number(column, row) : NAN;
}

char *tutti_run_comparison_format_point(const tutti_run_comparison *comparison, size_t index, char *text)
{
  const struct tutti_row_kind *kind;
  const void *row = row_at(comparison, 0, index, &kind);
  tutti_row_format_point(kind, row, text);
  snprintf(text + strlen(text), TUTTI_RESULT_POINT_LENGTH - strlen(text), " ranks=%d",
           (int)tutti_row_integer(kind, row, "ranks", 0));
  return text;
}

void tutti_run_comparison_free(tutti_run_comparison *comparison)
{
  for (int side = 0; side < 2; side++) {
    free(comparison->measurements[side]);
    free(comparison->builds[side]);
    free(comparison->results[side]);
  }
  *comparison = (tutti_run_comparison){.count = 0};
}
