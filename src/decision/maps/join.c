/* Joining maps that were measured under several patterns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "decision/maps/map.h"

static const char *const names[TUTTI_ROBUST_COUNT] = {[TUTTI_ROBUST_MEAN] = "mean", [TUTTI_ROBUST_WORST] = "worst"};

const char *tutti_robust_name(tutti_robust robust)
{
  return tutti_word_of(names, TUTTI_ROBUST_COUNT, (int)robust);
}

tutti_status tutti_robust_parse(const char *name, tutti_robust *robust, tutti_error *error)
{
  int value;
  tutti_status status = tutti_word_parse(names, TUTTI_ROBUST_COUNT, "way to be robust", name, &value, error);
  if (status == TUTTI_OK)
    *robust = (tutti_robust)value;
  return status;
}

/* Seconds of the best method at a point; NaN where it is not known or not positive. */
static double positive_best(const tutti_decision_map *map, int ranks_index, int size_index)
{
  double time = tutti_decision_map_best_time(map, (size_t)ranks_index * (size_t)map->size_count + (size_t)size_index);
  return time > 0 ? time : NAN;
}

/* NaN as soon as one of the ratios is. */
static double join_ratios(double so_far, double ratio, tutti_robust robust)
{
  if (robust == TUTTI_ROBUST_MEAN || isnan(so_far) || isnan(ratio))
    return so_far + ratio;
  return fmax(so_far, ratio);
}

static void join_point(const tutti_decision_map *maps, int count, tutti_robust robust, int ranks_index, int size_index,
                       tutti_decision_map *joint)
{
  double *times = &joint->times[tutti_decision_map_cell(joint, ranks_index, size_index, 0)], scale = 0;
  for (int m = 0; m < joint->method_count; m++)
    times[m] = 0;
  for (int i = 0; i < count; i++) {
    int r, s;
    bool known = tutti_decision_map_locate(&maps[i], joint->ranks[ranks_index], joint->sizes[size_index], &r, &s);
    double best = known ? positive_best(&maps[i], r, s) : NAN;
    for (int m = 0; m < joint->method_count; m++)
      times[m] =
          isnan(best)
              ? NAN
              : join_ratios(times[m], tutti_decision_map_time_of(&maps[i], r, s, &joint->methods[m]) / best, robust);
    scale += best / count;
  }
  for (int m = 0; m < joint->method_count; m++)
    times[m] *= robust == TUTTI_ROBUST_MEAN ? scale / count : scale;
}

tutti_status tutti_decision_map_join(const tutti_decision_map *maps, int count, tutti_robust robust,
                                     tutti_decision_map *joint, tutti_error *error)
{
  *joint = (tutti_decision_map){0};
  if (count < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no decision map to join");
  for (int i = 1; i < count; i++)
    if (maps[i].collective != maps[0].collective)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "decision maps of %s and %s are not joined",
                        tutti_collective_name(maps[0].collective), tutti_collective_name(maps[i].collective));
  tutti_status status = tutti_decision_map_copy_axes(&maps[0], maps[0].method_count, joint, error);
  if (status != TUTTI_OK)
    return status;
  for (int r = 0; r < joint->ranks_count; r++)
    for (int s = 0; s < joint->size_count; s++)
      join_point(maps, count, robust, r, s, joint);
  tutti_decision_map_choose(joint, false);
  return TUTTI_OK;
}
