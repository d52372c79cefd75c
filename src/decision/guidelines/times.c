/* Times of collectives: from maps, sorted, looked up. */
#include "decision/guidelines/times.h"

#include <math.h>
#include <stdlib.h>

#include "base/vector.h"

#define THREE_WAY(a, b) (((a) > (b)) - ((a) < (b)))

tutti_status tutti_guideline_times_add(tutti_guideline_times *times, const tutti_guideline_time *time,
                                       tutti_error *error)
{
  return tutti_vector_push(times, *time)
             ? TUTTI_OK
             : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu times", times->count);
}

void tutti_guideline_times_free(tutti_guideline_times *times)
{
  free(times->items);
  *times = (tutti_guideline_times){.items = NULL};
}

/* ---- of a map ---- */

/* The method that runs at a point, and its time; NaN if it is not known. */
static double what_runs(const tutti_decision_map *map, const tutti_decision *decision, int i, int j,
                        tutti_method *method)
{
  int best = map->best[i * map->size_count + j];
  if (!decision && best >= 0)
    *method = map->methods[best];
  if (!decision)
    return best >= 0 ? tutti_decision_map_time(map, i, j, best) : NAN;
  tutti_question question = tutti_decision_map_question(map, i, j);
  if (!decision->decide(decision, &question, method) || method->algorithm->collective != map->collective)
    return NAN;
  return tutti_decision_map_serving_time(map, i, j, method);
}

static bool was_measured(const tutti_decision_map *map, int i, int j)
{
  for (int k = 0; k < map->method_count; k++)
    if (!isnan(tutti_decision_map_time(map, i, j, k)))
      return true;
  return false;
}

static tutti_status add_point(tutti_guideline_times *times, const tutti_decision_map *map,
                              const tutti_decision *decision, int i, int j, int ranks_per_node, size_t *unknown,
                              tutti_error *error)
{
  tutti_guideline_time time = {.collective = map->collective,
                               .ranks = map->ranks[i],
                               .ranks_per_node = ranks_per_node,
                               .rank_bytes = map->sizes[j]};
  time.seconds = what_runs(map, decision, i, j, &time.method);
  if (!isnan(time.seconds))
    return tutti_guideline_times_add(times, &time, error);
  *unknown += was_measured(map, i, j);
  return TUTTI_OK;
}

tutti_status tutti_guideline_times_of_map(tutti_guideline_times *times, const tutti_decision_map *map,
                                          const tutti_decision *decision, const int *ranks_per_node, size_t *unknown,
                                          tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  *unknown = 0;
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count && status == TUTTI_OK; j++)
      status = add_point(times, map, decision, i, j, ranks_per_node[i], unknown, error);
  return status;
}

/* ---- order ---- */

static int compare(const void *left_item, const void *right_item)
{
  const tutti_guideline_time *left = left_item, *right = right_item;
  if (left->collective != right->collective)
    return THREE_WAY(left->collective, right->collective);
  if (left->ranks != right->ranks)
    return THREE_WAY(left->ranks, right->ranks);
  return THREE_WAY(left->rank_bytes, right->rank_bytes);
}

tutti_status tutti_guideline_times_sort(tutti_guideline_times *times, tutti_error *error)
{
  char size[24];
  if (times->count > 0)
    qsort(times->items, times->count, sizeof *times->items, compare);
  for (size_t i = 1; i < times->count; i++) {
    const tutti_guideline_time *time = &times->items[i];
    if (compare(time - 1, time) == 0)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "two times of %s on %d ranks with %s",
                        tutti_collective_name(time->collective), time->ranks,
                        tutti_size_format(time->rank_bytes, size));
  }
  return TUTTI_OK;
}

const tutti_guideline_time *tutti_guideline_times_from(const tutti_guideline_times *times, tutti_collective collective,
                                                       int ranks, uint64_t rank_bytes)
{
  const tutti_guideline_time key = {.collective = collective, .ranks = ranks, .rank_bytes = rank_bytes};
  size_t low = 0, high = times->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare(&times->items[middle], &key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return times->items + low;
}

const tutti_guideline_time *tutti_guideline_times_find(const tutti_guideline_times *times, tutti_collective collective,
                                                       int ranks, uint64_t rank_bytes)
{
  const tutti_guideline_time *found = tutti_guideline_times_from(times, collective, ranks, rank_bytes);
  bool there = found < times->items + times->count && found->collective == collective && found->ranks == ranks &&
               found->rank_bytes == rank_bytes;
  return there ? found : NULL;
}
