/* Decision maps made of others: the methods that a target has, the points to train or to test on, few methods that are
 * good enough, one map of several patterns. */
#include "decision/maps/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/splitmix64.h"
#include "base/words.h"

/* ---- methods ---- */

static void copy_column(const tutti_decision_map *map, int from, tutti_decision_map *restricted, int to)
{
  for (size_t i = 0; i < tutti_decision_map_points(map); i++) {
    size_t cell = i * (size_t)restricted->method_count + (size_t)to;
    restricted->times[cell] = map->times[i * (size_t)map->method_count + (size_t)from];
    restricted->noise[cell] = map->noise[i * (size_t)map->method_count + (size_t)from];
    restricted->own_choice[cell] = map->own_choice[i * (size_t)map->method_count + (size_t)from];
  }
  restricted->methods[to] = map->methods[from];
}

tutti_status tutti_decision_map_restrict(const tutti_decision_map *map,
                                         bool (*knows)(const tutti_method *method, void *context), void *context,
                                         tutti_decision_map *restricted, tutti_error *error)
{
  int kept = 0, to = 0;
  *restricted = (tutti_decision_map){0};
  for (int m = 0; m < map->method_count; m++)
    kept += !knows || knows(&map->methods[m], context);
  if (kept == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "none of the %d methods of %s that were measured is known there",
                      map->method_count, tutti_collective_name(map->collective));
  *restricted = tutti_decision_map_copy_axes(map, kept);
  for (int m = 0; m < map->method_count; m++)
    if (!knows || knows(&map->methods[m], context))
      copy_column(map, m, restricted, to++);
  tutti_decision_map_choose(restricted, map->candidates);
  return TUTTI_OK;
}

void tutti_decision_map_favor_native(tutti_decision_map *map, double percent)
{
  const int native = tutti_decision_map_native(map);
  size_t cells = tutti_decision_map_points(map) * (size_t)map->method_count;
  for (size_t cell = 0; cell < cells && native >= 0; cell++)
    if ((int)(cell % (size_t)map->method_count) == native)
      map->times[cell] -= fmax(map->noise[cell], percent / 100 * map->times[cell]);
    else
      map->times[cell] += map->noise[cell];
  if (native >= 0)
    tutti_decision_map_choose(map, map->candidates);
}

/* ---- points ---- */

/* The points of a map where something was measured, in order; returns how many. */
static size_t list_points(const tutti_decision_map *map, size_t *points)
{
  size_t count = 0;
  for (size_t i = 0; i < tutti_decision_map_points(map); i++)
    if (map->best[i] >= 0)
      points[count++] = i;
  return count;
}

/* Fisher and Yates. */
static void shuffle(size_t *points, size_t count, uint64_t seed)
{
  for (size_t i = count; i > 1; i--) {
    size_t j = (size_t)(tutti_splitmix64_next(&seed) % i), swap = points[i - 1];
    points[i - 1] = points[j];
    points[j] = swap;
  }
}

tutti_status tutti_decision_map_deal(const tutti_decision_map *map, int fold_count, uint64_t seed, int *folds,
                                     tutti_error *error)
{
  size_t *points = tutti_xcalloc(tutti_decision_map_points(map), sizeof *points);
  size_t count = list_points(map, points);
  bool fits = fold_count >= 2 && (size_t)fold_count <= count;
  if (fits) {
    shuffle(points, count, seed);
    for (size_t i = 0; i < tutti_decision_map_points(map); i++)
      folds[i] = -1;
    for (size_t i = 0; i < count; i++)
      folds[points[i]] = (int)(i % (size_t)fold_count);
  }
  free(points);
  return fits ? TUTTI_OK
              : tutti_fail(error, TUTTI_ERR_ARGUMENT, "%zu points cannot be dealt into %d folds: 2 to %zu are possible",
                           count, fold_count, count);
}

void tutti_decision_map_deal_ranks(const tutti_decision_map *map, int *folds)
{
  for (size_t i = 0; i < tutti_decision_map_points(map); i++)
    folds[i] = map->best[i] < 0 ? -1 : (int)(i / (size_t)map->size_count);
}

tutti_decision_map tutti_decision_map_select(const tutti_decision_map *map, const int *folds, int fold, bool inside)
{
  size_t methods = (size_t)map->method_count;
  tutti_decision_map selected = tutti_decision_map_copy_axes(map, map->method_count);
  for (size_t i = 0; i < tutti_decision_map_points(map); i++)
    if (folds[i] >= 0 && (folds[i] == fold) == inside) {
      memcpy(selected.times + i * methods, map->times + i * methods, methods * sizeof *map->times);
      memcpy(selected.noise + i * methods, map->noise + i * methods, methods * sizeof *map->noise);
      memcpy(selected.own_choice + i * methods, map->own_choice + i * methods, methods * sizeof *map->own_choice);
      selected.best[i] = map->best[i];
    }
  return selected;
}

/* ---- smoothing ---- */

/* A nearly best time counts as best, so that few methods and few boundaries remain. Greedy set cover: the method that
   is good enough at most points not yet covered comes first. */

struct smoothing {
  tutti_decision_map *map;
  double share;   /* allowed excess over the best time */
  bool *covered;  /* [points] */
  double *bounds; /* [points] slowest time that is good enough; NaN: no point */
};

static bool is_good(const struct smoothing *smoothing, size_t point, int method)
{
  double time = smoothing->map->times[point * (size_t)smoothing->map->method_count + (size_t)method];
  double bound = smoothing->bounds[point];
  return !isnan(time) && !isnan(bound) && (time <= bound || time_tie(time, bound));
}

static size_t count_good(const struct smoothing *smoothing, int method)
{
  size_t good = 0;
  for (size_t i = 0; i < tutti_decision_map_points(smoothing->map); i++)
    good += !smoothing->covered[i] && is_good(smoothing, i, method);
  return good;
}

static void cover(struct smoothing *smoothing, int method)
{
  for (size_t i = 0; i < tutti_decision_map_points(smoothing->map); i++)
    if (!smoothing->covered[i] && is_good(smoothing, i, method)) {
      smoothing->map->best[i] = method;
      smoothing->covered[i] = true;
    }
}

/* Cover the points of the best method; false if none is left. */
static bool cover_most(struct smoothing *smoothing)
{
  int best = -1;
  size_t most = 0;
  for (int m = 0; m < smoothing->map->method_count; m++) {
    bool candidate = tutti_candidates_have(&smoothing->map->candidates, &smoothing->map->methods[m]);
    size_t good = candidate ? count_good(smoothing, m) : 0;
    if (good > most) {
      most = good;
      best = m;
    }
  }
  if (best >= 0)
    cover(smoothing, best);
  return best >= 0;
}

static void bound_all(struct smoothing *smoothing)
{
  const tutti_decision_map *map = smoothing->map;
  for (size_t i = 0; i < tutti_decision_map_points(map); i++) {
    double least = tutti_decision_map_best_time(map, i);
    smoothing->bounds[i] = least + smoothing->share * fabs(least);
  }
}

tutti_status tutti_decision_map_smooth(tutti_decision_map *map, double percent, tutti_error *error)
{
  if (!(percent >= 0 && isfinite(percent)))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "what is within %g %% of the best cannot count as best", percent);
  size_t points = tutti_decision_map_points(map);
  struct smoothing smoothing = {.map = map,
                                .share = percent / 100,
                                .covered = tutti_xcalloc(points, sizeof *smoothing.covered),
                                .bounds = tutti_xcalloc(points, sizeof *smoothing.bounds)};
  bound_all(&smoothing);
  while (cover_most(&smoothing))
    ;
  free(smoothing.covered);
  free(smoothing.bounds);
  return TUTTI_OK;
}

/* ---- joining maps that were measured under several patterns ---- */

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
  *joint = tutti_decision_map_copy_axes(&maps[0], maps[0].method_count);
  for (int r = 0; r < joint->ranks_count; r++)
    for (int s = 0; s < joint->size_count; s++)
      join_point(maps, count, robust, r, s, joint);
  tutti_decision_map_choose(joint, maps[0].candidates);
  return TUTTI_OK;
}
