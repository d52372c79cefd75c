/* The points of a plan that need no measuring: those that the store has, and those that are under way. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "experiments/job_run.h"
#include "experiments/plan_private.h"
#include "store/rows.h"

enum tutti_row tutti_experiment_row(const tutti_experiment *experiment)
{
  if (experiment->result_count > 0)
    return tutti_row_of(tutti_kind_of_result(experiment->result_kind));
  return experiment->group_count > 0 ? TUTTI_ROW_GROUP : TUTTI_ROW_MEASUREMENT;
}

tutti_point tutti_point_of_row(enum tutti_row kind, const void *row)
{
  const tutti_measurement *measurement = row;
  if (kind == TUTTI_ROW_GROUP) {
    const tutti_group_point *point = &((const tutti_group_run *)row)->point;
    return (tutti_point){.ranks = point->sample.size, .build = *point};
  }
  if (kind != TUTTI_ROW_MEASUREMENT)
    return (tutti_point){.ranks = tutti_result_ranks(row, 0), .result = row};
  return (tutti_point){.method = measurement->method,
                       .ranks = measurement->ranks,
                       .root = measurement->root,
                       .count = measurement->count,
                       .type_size = measurement->type_size,
                       .arrival = measurement->arrival,
                       .noise = measurement->noise};
}

/* Of a result the ranks per node are among what points are compared by. */
static bool counts(enum tutti_row kind, const void *row, const tutti_plan *plan)
{
  const tutti_measurement *measurement = row;
  if (kind == TUTTI_ROW_GROUP)
    return ((const tutti_group_run *)row)->ranks_per_node == plan->ranks_per_node;
  return kind != TUTTI_ROW_MEASUREMENT ||
         (measurement->scheme == plan->measure.scheme && measurement->ranks_per_node == plan->ranks_per_node);
}

size_t tutti_points_drop_present(struct point_list *list, const tutti_plan *plan, const tutti_present *present)
{
  enum tutti_row kind = tutti_experiment_row(plan->experiment);
  struct point_list there = {0};
  size_t kept = 0, before = list->count, size = tutti_kind_of(kind)->size;
  for (size_t i = 0; i < present->row_count; i++) {
    const void *row = (const char *)present->rows + i * size;
    if (counts(kind, row, plan))
      tutti_xpush(&there, tutti_point_of_row(kind, row));
  }
  if (there.count == 0)
    return 0;
  qsort(there.items, there.count, sizeof *there.items, tutti_point_compare);
  for (size_t i = 0; i < before; i++)
    if (!bsearch(&list->items[i], there.items, there.count, sizeof *there.items, tutti_point_compare))
      list->items[kept++] = list->items[i];
  list->count = kept;
  tutti_vector_free(&there);
  return before - kept;
}

static int compare_lines(const void *left, const void *right)
{
  return strcmp(left, *(char *const *)right);
}

size_t tutti_points_drop_pending(struct point_list *list, const tutti_present *present)
{
  size_t kept = 0, before = list->count;
  if (present->pending_count == 0)
    return 0;
  for (size_t i = 0; i < before; i++) {
    char line[TUTTI_POINT_LENGTH], text[16 + TUTTI_POINT_LENGTH];
    snprintf(text, sizeof text, "%d %s", list->items[i].ranks, tutti_point_format(&list->items[i], line));
    if (!bsearch(text, present->pending, present->pending_count, sizeof *present->pending, compare_lines))
      list->items[kept++] = list->items[i];
  }
  list->count = kept;
  return before - kept;
}

/* ---- what the store has: read once, because a query a point would take longer than a simulation ---- */

static bool has_collective(const tutti_experiment *experiment, tutti_collective collective)
{
  for (int i = 0; i < experiment->sweep_count; i++)
    if (experiment->sweeps[i].collective == collective)
      return true;
  return false;
}

/* Append the selected rows of a kind. */
static tutti_status read_more(tutti_store *store, enum tutti_row kind, const tutti_selection *selection,
                              tutti_present *present, tutti_error *error)
{
  void *rows = NULL;
  size_t count = 0, size = tutti_kind_of(kind)->size;
  tutti_status status = tutti_store_read_rows(store, kind, selection, &rows, &count, NULL, error);
  if (count > 0) {
    char *all = tutti_xrealloc((void *)present->rows, (present->row_count + count) * size);
    memcpy(all + present->row_count * size, rows, count * size);
    present->rows = all;
    present->row_count += count;
  }
  free(rows);
  return status;
}

tutti_status tutti_present_read(tutti_store *store, const tutti_experiment *experiment, tutti_selection *selection,
                                tutti_present *present, tutti_error *error)
{
  enum tutti_row kind = tutti_experiment_row(experiment);
  tutti_status status = TUTTI_OK;
  *present = (tutti_present){.row_count = 0};
  if (kind != TUTTI_ROW_MEASUREMENT)
    return read_more(store, kind, selection, present, error);
  for (int i = 0; i < TUTTI_COLL_COUNT && status == TUTTI_OK; i++)
    if (has_collective(experiment, (tutti_collective)i)) {
      selection->collective = (tutti_collective)i;
      status = read_more(store, kind, selection, present, error);
    }
  return status;
}

void tutti_present_free(tutti_present *present)
{
  free((void *)present->rows);
}
