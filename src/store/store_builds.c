/* Builds of groups: taking them in, and reading back those of one environment. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/store_private.h"

enum { FINGERPRINT_LENGTH = 17 };

/* ---- in ---- */

static double fraction_of(const tutti_group_sample *sample)
{
  return sample->members >= 0 ? (double)sample->members / sample->size : sample->fraction;
}

static void bind_key(sqlite3_stmt *statement, int64_t environment, const tutti_group_run *build)
{
  const tutti_group_point *point = &build->point;
  sqlite3_bind_int64(statement, 1 + BUILD_ENVIRONMENT, environment);
  sqlite3_bind_text(statement, 1 + BUILD_BUILDER, tutti_group_builder_name(point->builder), -1, SQLITE_STATIC);
  sqlite3_bind_int(statement, 1 + BUILD_RANKS, point->sample.size);
  sqlite3_bind_int(statement, 1 + BUILD_RANKS_PER_NODE, build->ranks_per_node);
  sqlite3_bind_int(statement, 1 + BUILD_BRANCHING, point->branching);
  sqlite3_bind_double(statement, 1 + BUILD_FRACTION, fraction_of(&point->sample));
  sqlite3_bind_int(statement, 1 + BUILD_EXACT, point->sample.members >= 0);
  sqlite3_bind_int64(statement, 1 + BUILD_SEED, (int64_t)point->sample.seed);
  sqlite3_bind_int(statement, 1 + BUILD_COLORS, point->sample.colors);
  sqlite3_bind_int(statement, 1 + BUILD_NODE_RANKS, point->node_ranks);
}

/* What is not bound is NULL. */
static void bind_times(sqlite3_stmt *statement, const tutti_group_run *build)
{
  sqlite3_bind_int(statement, 1 + BUILD_REPETITIONS, build->repetitions);
  if (build->repetitions == 0)
    return;
  sqlite3_bind_double(statement, 1 + BUILD_MINIMUM, build->minimum);
  sqlite3_bind_double(statement, 1 + BUILD_MEDIAN, build->median);
  sqlite3_bind_double(statement, 1 + BUILD_MEAN, build->mean);
  sqlite3_bind_double(statement, 1 + BUILD_MAXIMUM, build->maximum);
}

static void bind_counts(sqlite3_stmt *statement, const tutti_group_counts *counts)
{
  char fingerprint[FINGERPRINT_LENGTH];
  for (int i = 0; i < TUTTI_GROUP_FINGERPRINT; i++)
    sqlite3_bind_int64(statement, 1 + BUILD_COUNTS + i, (int64_t)counts->sums[i]);
  snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, counts->sums[TUTTI_GROUP_FINGERPRINT]);
  sqlite3_bind_text(statement, 1 + BUILD_COUNTS + TUTTI_GROUP_FINGERPRINT, fingerprint, -1, SQLITE_TRANSIENT);
  for (int i = 0; i < TUTTI_GROUP_MAXIMA; i++)
    sqlite3_bind_int64(statement, 1 + BUILD_COUNTS + TUTTI_GROUP_SUMS + i, (int64_t)counts->maxima[i]);
}

_Static_assert(TUTTI_GROUP_FINGERPRINT == TUTTI_GROUP_SUMS - 1, "the fingerprint is the last of the sums");
_Static_assert(BUILD_COUNTS + TUTTI_GROUP_SUMS + TUTTI_GROUP_MAXIMA == 36, "STORE_BUILD_PUT has as many parameters");

static tutti_status put(tutti_store *store, int64_t environment, const tutti_group_run *build, tutti_error *error)
{
  sqlite3_stmt *statement;
  tutti_status status = tutti_store_prepare(store, STORE_BUILD_PUT, &statement, error);
  if (status != TUTTI_OK)
    return status;
  bind_key(statement, environment, build);
  bind_times(statement, build);
  bind_counts(statement, &build->counts);
  return tutti_store_change(store, statement, "add a group", error);
}

tutti_status tutti_store_add_builds(tutti_store *store, int64_t environment, const tutti_group_run *builds,
                                    size_t count, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    status = tutti_store_check_build(&builds[i], error);
  if (status == TUTTI_OK)
    status = tutti_store_begin(store, error);
  if (status != TUTTI_OK)
    return status;
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    status = put(store, environment, &builds[i], error);
  return tutti_store_end(store, status, error);
}

/* ---- out ---- */

static void bind_selection(sqlite3_stmt *statement, const tutti_selection *selection)
{
  sqlite3_bind_int(statement, 6, selection->ranks_per_node);
}

static void read_draw(sqlite3_stmt *row, tutti_group_sample *sample)
{
  sample->size = sqlite3_column_int(row, BUILD_RANKS);
  sample->fraction = sqlite3_column_double(row, BUILD_FRACTION);
  sample->members =
      sqlite3_column_int(row, BUILD_EXACT) ? sqlite3_column_int(row, BUILD_COUNTS + TUTTI_GROUP_MEMBERS) : -1;
  sample->colors = sqlite3_column_int(row, BUILD_COLORS);
  sample->seed = (uint64_t)sqlite3_column_int64(row, BUILD_SEED);
}

static void read_numbers(sqlite3_stmt *row, tutti_group_run *build)
{
  tutti_group_counts *counts = &build->counts;
  build->ranks_per_node = sqlite3_column_int(row, BUILD_RANKS_PER_NODE);
  build->repetitions = sqlite3_column_int(row, BUILD_REPETITIONS);
  build->minimum = sqlite3_column_double(row, BUILD_MINIMUM);
  build->median = sqlite3_column_double(row, BUILD_MEDIAN);
  build->mean = sqlite3_column_double(row, BUILD_MEAN);
  build->maximum = sqlite3_column_double(row, BUILD_MAXIMUM);
  for (int i = 0; i < TUTTI_GROUP_FINGERPRINT; i++)
    counts->sums[i] = (uint64_t)sqlite3_column_int64(row, BUILD_COUNTS + i);
  counts->sums[TUTTI_GROUP_FINGERPRINT] =
      strtoull(tutti_store_text_at(row, BUILD_COUNTS + TUTTI_GROUP_FINGERPRINT), NULL, 16);
  for (int i = 0; i < TUTTI_GROUP_MAXIMA; i++)
    counts->maxima[i] = (uint64_t)sqlite3_column_int64(row, BUILD_COUNTS + TUTTI_GROUP_SUMS + i);
}

static tutti_status read_row(sqlite3_stmt *row, void *context, void *item, tutti_error *error)
{
  tutti_group_run *build = item;
  (void)context;
  *build = (tutti_group_run){.point = {.branching = sqlite3_column_int(row, BUILD_BRANCHING),
                                       .node_ranks = sqlite3_column_int(row, BUILD_NODE_RANKS)}};
  build->point.builder = tutti_group_builder_find(tutti_store_text_at(row, BUILD_BUILDER), error);
  if (!build->point.builder)
    return TUTTI_ERR_ARGUMENT;
  read_draw(row, &build->point.sample);
  read_numbers(row, build);
  return TUTTI_OK;
}

static int compare(const void *left_item, const void *right_item)
{
  const tutti_group_run *left = left_item, *right = right_item;
  int order = tutti_group_point_compare(&left->point, &right->point);
  return order ? order
               : (left->ranks_per_node > right->ranks_per_node) - (left->ranks_per_node < right->ranks_per_node);
}

tutti_status tutti_store_read_builds(tutti_store *store, const tutti_selection *selection, tutti_group_run **builds,
                                     size_t *count, tutti_error *error)
{
  static const struct store_reading reading = {.conditions = STORE_BUILD_CONDITIONS,
                                               .rows = STORE_BUILD_ROWS,
                                               .mixture = "environments with groups match",
                                               .item_size = sizeof **builds,
                                               .bind = bind_selection,
                                               .read = read_row,
                                               .compare = compare};
  void *items;
  *builds = NULL;
  *count = 0;
  if (store->version < 2) /* which had no groups */
    return TUTTI_OK;
  tutti_status status = tutti_store_read_rows(store, &reading, selection, &items, count, error);
  *builds = items;
  return status;
}
