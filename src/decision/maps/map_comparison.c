#include "tutti/map_comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tutti_speedup tutti_speedup_of(const double *before, const double *after, size_t count)
{
  tutti_speedup speedup = {.mean = NAN, .least = NAN, .most = NAN};
  double logarithms = 0;
  for (size_t i = 0; i < count; i++) {
    if (!(before[i] > 0 && after[i] > 0))
      continue;
    double ratio = before[i] / after[i];
    if (speedup.points == 0 || ratio < speedup.least) {
      speedup.least = ratio;
      speedup.least_at = i;
    }
    if (speedup.points == 0 || ratio > speedup.most) {
      speedup.most = ratio;
      speedup.most_at = i;
    }
    logarithms += log(ratio);
    speedup.points++;
  }
  if (speedup.points > 0)
    speedup.mean = exp(logarithms / (double)speedup.points);
  return speedup;
}

int tutti_decision_map_crossovers(const tutti_decision_map *map, int ranks_index, tutti_crossover *crossovers)
{
  const int *best = map->best + (size_t)ranks_index * (size_t)map->size_count;
  int count = 0;
  for (int j = 0; j < map->size_count; j++)
    if (best[j] >= 0 && (count == 0 || crossovers[count - 1].method != best[j]))
      crossovers[count++] = (tutti_crossover){.size = map->sizes[j], .method = best[j]};
  return count;
}

static size_t cells_of(const tutti_decision_map *map)
{
  return (size_t)map->ranks_count * (size_t)map->size_count;
}

static bool is_alike(const tutti_decision_map *before, const tutti_decision_map *after)
{
  if (before->collective != after->collective || before->ranks_count != after->ranks_count ||
      before->size_count != after->size_count || before->method_count != after->method_count)
    return false;
  for (int m = 0; m < before->method_count; m++)
    if (tutti_method_compare(&before->methods[m], &after->methods[m]) != 0)
      return false;
  return memcmp(before->ranks, after->ranks, (size_t)before->ranks_count * sizeof *before->ranks) == 0 &&
         memcmp(before->sizes, after->sizes, (size_t)before->size_count * sizeof *before->sizes) == 0;
}

static double best_time(const tutti_decision_map *map, size_t cell)
{
  return map->best[cell] < 0 ? NAN : map->times[cell * (size_t)map->method_count + (size_t)map->best[cell]];
}

/* ---- staying with the old decisions ---- */

/* The best method of a map at one of its own points. */
static bool decide(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  const tutti_decision_map *map = decision->data;
  int i = 0, j = 0;
  while (i < map->ranks_count && map->ranks[i] != question->ranks)
    i++;
  while (j < map->size_count && map->sizes[j] != question->rank_bytes)
    j++;
  if (i == map->ranks_count || j == map->size_count)
    return false;
  int best = map->best[(size_t)i * (size_t)map->size_count + (size_t)j];
  if (best >= 0)
    *method = map->methods[best];
  return best >= 0;
}

static void compute_staying(const tutti_decision_map *before, const tutti_decision_map *after,
                            tutti_decision_map_comparison *comparison)
{
  tutti_error ignored; /* no point could be counted: points is 0 then */
  tutti_decision decision = {
      .name = "before", .collective = before->collective, .decide = decide, .data = (void *)before};
  if (tutti_penalty_compute(after, &decision, &comparison->staying, &ignored) != TUTTI_OK)
    comparison->staying = (tutti_penalty){.points = 0};
}

static void count_changes(const tutti_decision_map *before, const tutti_decision_map *after,
                          tutti_decision_map_comparison *comparison)
{
  for (size_t cell = 0; cell < cells_of(before); cell++) {
    if (before->best[cell] < 0 || after->best[cell] < 0)
      continue;
    bool changed = before->best[cell] != after->best[cell];
    double stayed = after->times[cell * (size_t)after->method_count + (size_t)before->best[cell]];
    comparison->points++;
    comparison->changed += changed;
    comparison->costly += changed && stayed > 1.01 * best_time(after, cell);
  }
}

tutti_status tutti_decision_map_compare(const tutti_decision_map *before, const tutti_decision_map *after,
                                        tutti_decision_map_comparison *comparison, tutti_error *error)
{
  size_t cells = cells_of(before);
  *comparison = (tutti_decision_map_comparison){.points = 0};
  if (!is_alike(before, after))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "two decision maps of other points or methods cannot be compared");
  double *times = calloc(2 * cells, sizeof *times);
  if (!times)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the times of %zu points", cells);
  for (size_t cell = 0; cell < cells; cell++) {
    times[cell] = best_time(before, cell);
    times[cells + cell] = best_time(after, cell);
  }
  comparison->best = tutti_speedup_of(times, times + cells, cells);
  comparison->all = tutti_speedup_of(before->times, after->times, cells * (size_t)before->method_count);
  free(times);
  count_changes(before, after, comparison);
  compute_staying(before, after, comparison);
  return TUTTI_OK;
}
