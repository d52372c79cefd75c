/* The points of a plan that need no measuring: those that are there, and those that are under way. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
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

/* The present points that count for the plan. */
static void append_present(struct point_list *there, tutti_scheme scheme, int ranks_per_node,
                           const tutti_present *present)
{
  for (size_t i = 0; i < present->measurement_count; i++) {
    const tutti_measurement *measurement = &present->measurements[i];
    if (measurement->scheme == scheme && measurement->ranks_per_node == ranks_per_node)
      tutti_xpush(there, point_of(measurement));
  }
  for (size_t i = 0; i < present->build_count; i++) {
    const tutti_group_run *run = &present->builds[i];
    if (run->ranks_per_node == ranks_per_node)
      tutti_xpush(there, (tutti_point){.ranks = run->point.sample.size, .build = run->point});
  }
  for (size_t i = 0; i < present->result_count; i++) /* the ranks per node are among their keys */
    tutti_xpush(there, tutti_point_of_result(&present->results[i]));
}

size_t tutti_points_drop_present(struct point_list *list, tutti_scheme scheme, int ranks_per_node,
                                 const tutti_present *present)
{
  struct point_list there = {0};
  size_t kept = 0, before = list->count;
  append_present(&there, scheme, ranks_per_node, present);
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
