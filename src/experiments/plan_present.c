/* The points of a plan that need no measuring: those that are there, and those that are under way. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/plan_private.h"

static tutti_point point_of(const tutti_measurement *measurement)
{
  return (tutti_point){.method = measurement->method,
                       .ranks = measurement->ranks,
                       .root = measurement->root,
                       .count = measurement->count,
                       .type_size = measurement->type_size,
                       .arrival = measurement->arrival,
                       .noise = measurement->noise};
}

/* The present points that count for the plan; false if memory is short. */
static bool append_present(struct point_list *there, tutti_scheme scheme, int ranks_per_node,
                           const tutti_present *present)
{
  bool complete = true;
  for (size_t i = 0; i < present->measurement_count && complete; i++) {
    const tutti_measurement *measurement = &present->measurements[i];
    if (measurement->scheme != scheme || measurement->ranks_per_node != ranks_per_node)
      continue;
    tutti_point point = point_of(measurement);
    complete = tutti_points_append(there, &point);
  }
  for (size_t i = 0; i < present->build_count && complete; i++) {
    tutti_point point = {.ranks = present->builds[i].point.sample.size, .build = present->builds[i].point};
    if (present->builds[i].ranks_per_node == ranks_per_node)
      complete = tutti_points_append(there, &point);
  }
  for (size_t i = 0; i < present->result_count && complete; i++) {
    tutti_point point = tutti_point_of_result(&present->results[i]);
    complete = tutti_points_append(there, &point); /* the ranks per node are among its keys */
  }
  return complete;
}

tutti_status tutti_points_drop_present(struct point_list *list, tutti_scheme scheme, int ranks_per_node,
                                       const tutti_present *present, size_t *dropped, tutti_error *error)
{
  struct point_list there = {0};
  bool complete = append_present(&there, scheme, ranks_per_node, present);
  if (complete && there.count) {
    qsort(there.points, there.count, sizeof *there.points, tutti_point_compare);
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
      if (!bsearch(&list->points[i], there.points, there.count, sizeof *there.points, tutti_point_compare))
        list->points[kept++] = list->points[i];
    *dropped = list->count - kept;
    list->count = kept;
  }
  free(there.points);
  return complete ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu stored points", there.count);
}

static int compare_lines(const void *left, const void *right)
{
  return strcmp(left, *(char *const *)right);
}

void tutti_points_drop_pending(struct point_list *list, const tutti_present *present, size_t *dropped)
{
  size_t kept = 0;
  for (size_t i = 0; present->pending_count > 0 && i < list->count; i++) {
    char line[TUTTI_POINT_LENGTH], text[16 + TUTTI_POINT_LENGTH];
    snprintf(text, sizeof text, "%d %s", list->points[i].ranks, tutti_point_format(&list->points[i], line));
    if (!bsearch(text, present->pending, present->pending_count, sizeof *present->pending, compare_lines))
      list->points[kept++] = list->points[i];
  }
  *dropped = present->pending_count > 0 ? list->count - kept : 0;
  list->count -= *dropped;
}
