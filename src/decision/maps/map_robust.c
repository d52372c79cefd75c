/* Joining maps that were measured under several patterns. */
#include "tutti/robust.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decision/maps/map_cells.h"

static const char *const names[TUTTI_ROBUST_COUNT] = {[TUTTI_ROBUST_MEAN] = "mean", [TUTTI_ROBUST_WORST] = "worst"};

const char *tutti_robust_name(tutti_robust robust)
{
  return (unsigned)robust < TUTTI_ROBUST_COUNT ? names[robust] : NULL;
}

tutti_status tutti_robust_parse(const char *name, tutti_robust *robust, tutti_error *error)
{
  for (int i = 0; i < TUTTI_ROBUST_COUNT; i++)
    if (strcmp(names[i], name) == 0) {
      *robust = (tutti_robust)i;
      return TUTTI_OK;
    }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "unknown way to be robust '%s': known are mean, worst", name);
}

/* Indices of a point in another map than the joint one; -1: it is not there. */
struct place {
  int ranks, size;
};

static struct place find_place(const tutti_decision_map *map, int ranks, uint64_t size)
{
  struct place place = {-1, -1};
  for (int i = 0; i < map->ranks_count; i++)
    if (map->ranks[i] == ranks)
      place.ranks = i;
  for (int j = 0; j < map->size_count; j++)
    if (map->sizes[j] == size)
      place.size = j;
  return place;
}

/* Seconds of the best method at a place; NaN where it is not known or not positive. */
static double best_time(const tutti_decision_map *map, struct place place)
{
  if (place.ranks < 0 || place.size < 0)
    return NAN;
  int best = map->best[(size_t)place.ranks * (size_t)map->size_count + (size_t)place.size];
  double time = best < 0 ? NAN : tutti_decision_map_time(map, place.ranks, place.size, best);
  return time > 0 ? time : NAN;
}

static double time_of(const tutti_decision_map *map, struct place place, const tutti_method *method)
{
  int index = tutti_decision_map_find(map, method);
  return index < 0 ? NAN : tutti_decision_map_time(map, place.ranks, place.size, index);
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
  double *times = &joint->times[decision_map_cell(joint, ranks_index, size_index, 0)], scale = 0;
  for (int m = 0; m < joint->method_count; m++)
    times[m] = 0;
  for (int i = 0; i < count; i++) {
    struct place place = find_place(&maps[i], joint->ranks[ranks_index], joint->sizes[size_index]);
    double best = best_time(&maps[i], place);
    for (int m = 0; m < joint->method_count; m++)
      times[m] = isnan(best) ? NAN : join_ratios(times[m], time_of(&maps[i], place, &joint->methods[m]) / best, robust);
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
