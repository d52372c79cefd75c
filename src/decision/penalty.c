/* Penalty of a decision function: 100 (t(picked) - t(best)) / t(best) over the points of a map (dissertation, section
 * 6.1.2 and table 6.2). */
#include <math.h>
#include <stdlib.h>

#include "decision/tie.h"
#include "tutti/decision.h"

/* What was counted so far. */
struct tally {
  double *percents; /* [points of the map] */
  tutti_penalty penalty;
};

/* Seconds that the method picked at a point takes; NaN if none was picked or it was not measured. */
static double picked_time(const tutti_decision_map *map, const tutti_decision *decision, int ranks_index,
                          int size_index)
{
  tutti_question question = {.collective = map->collective,
                             .ranks = map->ranks[ranks_index],
                             .ranks_per_node = map->ranks_per_node,
                             .rank_bytes = map->sizes[size_index]};
  tutti_method method;
  if (!decision->decide(decision, &question, &method))
    return NAN;
  int index = tutti_decision_map_find(map, &method);
  return index < 0 ? NAN : tutti_decision_map_time(map, ranks_index, size_index, index);
}

static void count_percent(struct tally *tally, double percent, int ranks, uint64_t size)
{
  tutti_penalty *penalty = &tally->penalty;
  if (penalty->points == 0 || percent > penalty->maximum) {
    penalty->maximum = percent;
    penalty->worst_ranks = ranks;
    penalty->worst_size = size;
  }
  tally->percents[penalty->points++] = percent;
}

/* A point where nothing was measured is a hole of the map and not a point. */
static void count_point(struct tally *tally, const tutti_decision_map *map, const tutti_decision *decision,
                        int ranks_index, int size_index)
{
  int best = map->best[(size_t)ranks_index * (size_t)map->size_count + (size_t)size_index];
  if (best < 0)
    return;
  double least = tutti_decision_map_time(map, ranks_index, size_index, best);
  double time = picked_time(map, decision, ranks_index, size_index);
  if (least <= 0 || isnan(time)) {
    tally->penalty.missing++;
    tally->penalty.not_positive += least <= 0;
    return;
  }
  /* The best of a tie is its first method and need not have the very least time. */
  double percent = decision_tie(time, least) ? 0 : 100 * (time - least) / least;
  count_percent(tally, percent, map->ranks[ranks_index], map->sizes[size_index]);
}

static int compare_percents(const void *left, const void *right)
{
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static void summarise(struct tally *tally)
{
  tutti_penalty *penalty = &tally->penalty;
  size_t count = (size_t)penalty->points;
  double sum = 0;
  qsort(tally->percents, count, sizeof *tally->percents, compare_percents);
  for (size_t i = 0; i < count; i++)
    sum += tally->percents[i];
  penalty->minimum = tally->percents[0];
  penalty->mean = sum / (double)count;
  penalty->median = (tally->percents[(count - 1) / 2] + tally->percents[count / 2]) / 2;
}

static tutti_status refuse(const tutti_decision *decision, const tutti_penalty *penalty, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "%s: no point could be counted: of %d points, %d have a best time that is not positive, and at the "
                    "others its choice was not measured",
                    decision->name, penalty->missing, penalty->not_positive);
}

tutti_status tutti_penalty_compute(const tutti_decision_map *map, const tutti_decision *decision,
                                   tutti_penalty *penalty, tutti_error *error)
{
  struct tally tally = {0};
  tally.percents = calloc((size_t)map->ranks_count * (size_t)map->size_count, sizeof *tally.percents);
  if (!tally.percents)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory for its penalties", decision->name);
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      count_point(&tally, map, decision, i, j);
  if (tally.penalty.points > 0)
    summarise(&tally);
  free(tally.percents);
  *penalty = tally.penalty;
  return penalty->points > 0 ? TUTTI_OK : refuse(decision, penalty, error);
}
