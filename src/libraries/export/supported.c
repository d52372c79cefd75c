/* The best method that a target supports: least sum of penalties over measured points. */

#include <math.h>

#include "libraries/export/export.h"

struct map_points tutti_map_points_all(const tutti_decision_map *map)
{
  return (struct map_points){0, map->ranks_count - 1, 0, map->size_count - 1};
}

/* Nearest in ratio, of two the smaller. */
static int nearest_ranks(const tutti_decision_map *map, int ranks)
{
  int nearest = 0;
  for (int i = 1; i < map->ranks_count; i++)
    if (fabs(log((double)map->ranks[i] / ranks)) < fabs(log((double)map->ranks[nearest] / ranks)))
      nearest = i;
  return nearest;
}

static double size_distance(const tutti_decision_map *map, int index, uint64_t bytes)
{
  return fabs(log(((double)map->sizes[index] + 1) / ((double)bytes + 1)));
}

static int nearest_size(const tutti_decision_map *map, uint64_t bytes)
{
  int nearest = 0;
  for (int i = 1; i < map->size_count; i++)
    if (size_distance(map, i, bytes) < size_distance(map, nearest, bytes))
      nearest = i;
  return nearest;
}

struct map_points tutti_map_points_of(const tutti_decision_map *map, int ranks, uint64_t bytes, uint64_t end)
{
  int row = nearest_ranks(map, ranks), first = 0, last = map->size_count - 1;
  while (first < map->size_count && map->sizes[first] < bytes)
    first++;
  while (last >= 0 && map->sizes[last] >= end)
    last--;
  if (first > last)
    first = last = nearest_size(map, bytes);
  return (struct map_points){row, row, first, last};
}

/* What a method loses over some points. */
struct loss {
  int points;
  double percents;
};

static void add_loss(const tutti_decision_map *map, int i, int j, int method, struct loss *loss)
{
  int best = map->best[(size_t)i * (size_t)map->size_count + (size_t)j];
  if (best < 0)
    return;
  double min = tutti_decision_map_time(map, i, j, best), time = tutti_decision_map_time(map, i, j, method);
  if (!(min > 0) || isnan(time))
    return;
  loss->points++;
  loss->percents += 100 * (time - min) / min;
}

static struct loss loss_of(const tutti_decision_map *map, const struct map_points *points, int method)
{
  struct loss loss = {0};
  for (int i = points->first_ranks; i <= points->last_ranks; i++)
    for (int j = points->first_size; j <= points->last_size; j++)
      add_loss(map, i, j, method, &loss);
  return loss;
}

int tutti_best_supported(const tutti_target *target, const tutti_decision_map *map, const struct map_points *points,
                         int ranks)
{
  struct loss min = {0};
  int best = -1;
  for (int method = 0; method < map->method_count; method++) {
    if (!target->supports(&map->methods[method], ranks))
      continue;
    struct loss loss = loss_of(map, points, method);
    if (loss.points > min.points || (loss.points > 0 && loss.points == min.points && loss.percents < min.percents)) {
      min = loss;
      best = method;
    }
  }
  return best;
}
