/* Two decision maps of the same points, measured on another machine or with another library. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "decision/maps/map.h"
#include "tutti/decision.h"

tutti_speedup tutti_speedup_of(const double *before, const double *after, size_t count)
{
  tutti_speedup speedup = {.mean = NAN, .min = NAN, .max = NAN};
  double logarithms = 0;
  for (size_t i = 0; i < count; i++) {
    if (!(before[i] > 0 && after[i] > 0))
      continue;
    double ratio = before[i] / after[i];
    if (speedup.points == 0 || ratio < speedup.min) {
      speedup.min = ratio;
      speedup.min_at = i;
    }
    if (speedup.points == 0 || ratio > speedup.max) {
      speedup.max = ratio;
      speedup.max_at = i;
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

/* ---- staying with the old decisions ---- */

/* The best method of a map at one of its own points. */
static bool decide(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  const tutti_decision_map *map = decision->data;
  int i, j, best = -1;
  if (tutti_decision_map_locate(map, question->ranks, question->rank_bytes, &i, &j))
    best = tutti_decision_map_best_at(map, i, j);
  if (best >= 0)
    *method = map->methods[best];
  return best >= 0;
}

static void compute_staying(const tutti_decision_map *before, const tutti_decision_map *after,
                            tutti_decision_map_comparison *comparison)
{
  tutti_decision decision = {
      .name = "before", .collective = before->collective, .decide = decide, .data = (void *)before};
  if (tutti_penalty_compute(after, &decision, &comparison->staying, NULL) != TUTTI_OK) /* no point was counted */
    comparison->staying = (tutti_penalty){.points = 0};
}

static void count_changes(const tutti_decision_map *before, const tutti_decision_map *after,
                          tutti_decision_map_comparison *comparison)
{
  for (size_t cell = 0; cell < tutti_decision_map_points(before); cell++) {
    if (before->best[cell] < 0 || after->best[cell] < 0)
      continue;
    bool changed = before->best[cell] != after->best[cell];
    double stayed = after->times[cell * (size_t)after->method_count + (size_t)before->best[cell]];
    comparison->points++;
    comparison->changed += changed;
    comparison->costly += changed && stayed > 1.01 * tutti_decision_map_best_time(after, cell);
  }
}

tutti_status tutti_decision_map_compare(const tutti_decision_map *before, const tutti_decision_map *after,
                                        tutti_decision_map_comparison *comparison, tutti_error *error)
{
  size_t cells = tutti_decision_map_points(before);
  *comparison = (tutti_decision_map_comparison){.points = 0};
  if (before->collective != after->collective || !tutti_decision_map_same_axes(before, after))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "two decision maps of other points or methods cannot be compared");
  double *times = tutti_xcalloc(2 * cells, sizeof *times);
  for (size_t cell = 0; cell < cells; cell++) {
    times[cell] = tutti_decision_map_best_time(before, cell);
    times[cells + cell] = tutti_decision_map_best_time(after, cell);
  }
  comparison->best = tutti_speedup_of(times, times + cells, cells);
  comparison->all = tutti_speedup_of(before->times, after->times, cells * (size_t)before->method_count);
  free(times);
  count_changes(before, after, comparison);
  compute_staying(before, after, comparison);
  return TUTTI_OK;
}
