/* The penalty of a decision function: 100 (t(picked) - t(best)) / t(best) at a point of a map, over all points, and
 * where it is worst (Pjesivac-Grbovic 2007, section 6.1.2 and table 6.2). */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "decision/maps/map.h"
#include "tutti/decision.h"

/* ---- a point ---- */

static bool pick(const tutti_decision_map *map, const tutti_decision *decision, int ranks_index, int size_index,
                 tutti_method *method)
{
  const tutti_question question = tutti_decision_map_question(map, ranks_index, size_index);
  return decision->decide(decision, &question, method);
}

/* The smallest time of those methods that can be best and are faster than one by more than the noise of both, or NAN.
   The best may be among the noisiest, and tie where a steadier one does not. */
static double least_beyond_noise(const tutti_decision_map *map, int ranks_index, int size_index, int method)
{
  const double own = tutti_decision_map_time(map, ranks_index, size_index, method);
  double least = NAN;
  for (int m = 0; m < map->method_count; m++) {
    const double time = tutti_decision_map_time(map, ranks_index, size_index, m);
    if (time < own && !(least <= time) && tutti_candidates_have(&map->candidates, &map->methods[m]) &&
        !tutti_decision_map_ties(map, ranks_index, size_index, method, m))
      least = time;
  }
  return least;
}

double tutti_penalty_of_method(const tutti_decision_map *map, int ranks_index, int size_index, int method,
                               bool *within_noise)
{
  const int best = tutti_decision_map_best_at(map, ranks_index, size_index);
  const double least = best < 0 ? NAN : tutti_decision_map_time(map, ranks_index, size_index, best);
  const double time = method < 0 ? NAN : tutti_decision_map_time(map, ranks_index, size_index, method);
  *within_noise = false;
  if (!(least > 0) || isnan(time))
    return NAN;
  /* The best of a tie is its first method and need not have the smallest time. */
  if (time_tie(time, least))
    return 0;
  const bool ties = tutti_decision_map_ties(map, ranks_index, size_index, method, best);
  const double faster = ties ? least_beyond_noise(map, ranks_index, size_index, method) : least;
  *within_noise = isnan(faster);
  return *within_noise ? 0 : 100 * (time - faster) / faster;
}

tutti_penalty_at_point tutti_penalty_at(const tutti_decision_map *map, const tutti_decision *decision, int ranks_index,
                                        int size_index)
{
  tutti_penalty_at_point at = {.picked = -1,
                               .best = tutti_decision_map_best_at(map, ranks_index, size_index),
                               .best_seconds = NAN,
                               .percent = NAN};
  if (at.best < 0)
    return at;
  at.best_seconds = tutti_decision_map_time(map, ranks_index, size_index, at.best);
  tutti_method method;
  if (!pick(map, decision, ranks_index, size_index, &method))
    return at;
  int serving = tutti_decision_map_serving(map, ranks_index, size_index, &method);
  at.picked = serving < 0 ? tutti_decision_map_find(map, &method) : serving;
  at.percent = tutti_penalty_of_method(map, ranks_index, size_index, serving, &at.within_noise);
  at.substituted = serving >= 0 && map->methods[serving].algorithm != method.algorithm;
  return at;
}

/* ---- all points ---- */

#define PERCENT_RESOLUTION 1e-7 /* percent: that of a simulated clock, as for ties */

/* Counts so far. */
struct tally {
  double *percents; /* [points of the map] */
  tutti_penalty penalty;
};

static void count_percent(struct tally *tally, double percent, int ranks, uint64_t size)
{
  tutti_penalty *penalty = &tally->penalty;
  if (penalty->points == 0 || percent > penalty->max) {
    penalty->max = percent;
    penalty->worst_ranks = ranks;
    penalty->worst_size = size;
  }
  penalty->within_5 += percent <= 5 + PERCENT_RESOLUTION;
  penalty->within_10 += percent <= 10 + PERCENT_RESOLUTION;
  tally->percents[penalty->points++] = percent;
}

/* A point where nothing was measured is a hole of the map and not a point. */
static void count_point(struct tally *tally, const tutti_decision_map *map, const tutti_decision *decision,
                        int ranks_index, int size_index)
{
  tutti_penalty_at_point at = tutti_penalty_at(map, decision, ranks_index, size_index);
  if (at.best < 0)
    return;
  if (isnan(at.percent)) {
    tally->penalty.missing++;
    tally->penalty.not_positive += at.best_seconds <= 0;
    return;
  }
  count_percent(tally, at.percent, map->ranks[ranks_index], map->sizes[size_index]);
  tally->penalty.within_noise += at.within_noise;
  tally->penalty.substituted += at.substituted;
  tally->penalty.own_choice += map->own_choice[tutti_decision_map_cell(map, ranks_index, size_index, at.picked)];
}

static void summarize(struct tally *tally)
{
  tutti_penalty *penalty = &tally->penalty;
  size_t count = (size_t)penalty->points;
  double sum = 0;
  tutti_doubles_sort(tally->percents, count);
  for (size_t i = 0; i < count; i++)
    sum += tally->percents[i];
  penalty->min = tally->percents[0];
  penalty->mean = sum / (double)count;
  penalty->within_5 /= (double)count;
  penalty->within_10 /= (double)count;
  penalty->median = tutti_doubles_median(tally->percents, count);
}

static tutti_status refuse(const tutti_decision *decision, const tutti_penalty *penalty, tutti_error *error)
{
  if (penalty->missing == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: no method that could be best was measured", decision->name);
  if (penalty->not_positive == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: its choice was not measured at any of %d points", decision->name,
                      penalty->missing);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "%s: no point could be counted: of %d points, %d have a best time that is not positive, and at the "
                    "others its choice was not measured",
                    decision->name, penalty->missing, penalty->not_positive);
}

tutti_status tutti_penalty_compute(const tutti_decision_map *map, const tutti_decision *decision,
                                   tutti_penalty *penalty, tutti_error *error)
{
  struct tally tally = {0};
  tally.percents = tutti_xcalloc(tutti_decision_map_points(map), sizeof *tally.percents);
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      count_point(&tally, map, decision, i, j);
  if (tally.penalty.points > 0)
    summarize(&tally);
  free(tally.percents);
  *penalty = tally.penalty;
  return penalty->points > 0 ? TUTTI_OK : refuse(decision, penalty, error);
}

/* ---- the worst points ---- */

/* A point by its indices. */
struct loss {
  int ranks, size;
  tutti_penalty_at_point at;
};

/* Worst first, then in order of the map. */
static int compare_losses(const void *left, const void *right)
{
  const struct loss *a = left, *b = right;
  if (a->at.percent != b->at.percent)
    return a->at.percent < b->at.percent ? 1 : -1;
  return a->ranks != b->ranks ? a->ranks - b->ranks : a->size - b->size;
}

static size_t list_losses(const tutti_decision_map *map, const tutti_decision *decision, struct loss *losses)
{
  size_t count = 0;
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++) {
      struct loss loss = {.ranks = i, .size = j, .at = tutti_penalty_at(map, decision, i, j)};
      if (loss.at.percent > 0) /* false for NaN */
        losses[count++] = loss;
    }
  return count;
}

int tutti_penalty_worst(const tutti_decision_map *map, const tutti_decision *decision, tutti_penalty_point *points,
                        int most)
{
  struct loss *losses = tutti_xcalloc(tutti_decision_map_points(map), sizeof *losses);
  size_t found = list_losses(map, decision, losses);
  int count = 0;
  qsort(losses, found, sizeof *losses, compare_losses);
  for (; count < most && (size_t)count < found; count++) {
    const struct loss *loss = &losses[count];
    points[count] = (tutti_penalty_point){.ranks = map->ranks[loss->ranks],
                                          .size = map->sizes[loss->size],
                                          .percent = loss->at.percent,
                                          .picked = map->methods[loss->at.picked],
                                          .best = map->methods[loss->at.best]};
  }
  free(losses);
  return count;
}
