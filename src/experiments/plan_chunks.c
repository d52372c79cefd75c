/*
 * Cutting a plan into chunks.
 *
 * The points of one number of ranks (and selector of native methods) are dealt out, costliest first, like cards: so its
 * chunks cost about the same, and with the costliest chunks started first the last ones to run are the cheap ones (the
 * rule of longest processing time first).
 */
#include <stdlib.h>

#include "experiments/plan_private.h"

static int compare_chunks(const void *left, const void *right)
{
  const tutti_chunk *a = left, *b = right;
  if (a->cost != b->cost)
    return a->cost > b->cost ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

/* Points from @p first on that have the same number of ranks and the same launch. */
static size_t group_length(const tutti_point *points, size_t first, size_t count)
{
  size_t end = first;
  while (end < count && points[end].ranks == points[first].ranks &&
         tutti_point_launch(&points[end]) == tutti_point_launch(&points[first]))
    end++;
  return end - first;
}

/* Points of a chunk. Native methods under a selector are launched one by one: some of SMPI's copies of libraries'
   algorithms leave messages behind, which the next operation takes for its own (impi's broadcast of 1 B). */
static size_t limit_of(const tutti_point *group, size_t limit)
{
  return tutti_point_launch(group) > 1 ? 1 : limit;
}

/* Deal the group into chunks; the points of a chunk end up in a row in @p target. */
static void deal_group(const tutti_point *group, size_t length, size_t limit, tutti_point *target, tutti_plan *plan)
{
  size_t hands = (length + limit - 1) / limit;
  size_t first = (size_t)(target - plan->points);
  for (size_t hand = 0; hand < hands; hand++) {
    int launch = tutti_point_launch(group);
    tutti_chunk chunk = {
        .ranks = group->ranks, .native = launch > 0, .selector = tutti_selector_name(launch - 1), .first = first};
    for (size_t i = hand; i < length; i += hands) {
      plan->points[first++] = group[i];
      chunk.count++;
      chunk.cost += group[i].cost;
    }
    plan->chunks[plan->chunk_count++] = chunk;
    plan->cost += chunk.cost;
  }
}

static size_t count_chunks(const tutti_point *points, size_t count, size_t limit)
{
  size_t chunks = 0;
  for (size_t i = 0; i < count;) {
    size_t length = group_length(points, i, count);
    size_t most = limit_of(&points[i], limit);
    chunks += (length + most - 1) / most;
    i += length;
  }
  return chunks;
}

tutti_status tutti_plan_cut(tutti_plan *plan, size_t limit, tutti_error *error)
{
  if (plan->point_count == 0)
    return TUTTI_OK;
  tutti_point *sorted = plan->points;
  qsort(sorted, plan->point_count, sizeof *sorted, tutti_point_compare_cost);
  size_t chunks = count_chunks(sorted, plan->point_count, limit);
  plan->chunks = calloc(chunks, sizeof *plan->chunks);
  plan->points = calloc(plan->point_count, sizeof *plan->points);
  if (plan->chunks && plan->points) {
    for (size_t i = 0; i < plan->point_count;) {
      size_t length = group_length(sorted, i, plan->point_count);
      deal_group(&sorted[i], length, limit_of(&sorted[i], limit), &plan->points[i], plan);
      i += length;
    }
    qsort(plan->chunks, plan->chunk_count, sizeof *plan->chunks, compare_chunks);
  }
  free(sorted);
  if (plan->chunk_count)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a plan of %zu points", plan->point_count);
}
