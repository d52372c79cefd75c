/* Where an algorithm stands: at each point, and among the methods over all points. */
#include <math.h>

#include "base/numbers.h"
#include "cli/place/place.h"
#include "decision/maps/map.h"

void place_read_map(const struct place *place, struct placed *placed)
{
  const tutti_collective collective = placed->method.algorithm->collective;
  struct place_map *among = placed->among = tutti_xcalloc(1, sizeof *among);
  struct selection_options *selected = &among->selected;
  selected->database = place->database;
  selected->selection.scheme = place->scheme;
  selected->selection.flavor = place->options->engine;
  selected->root = place_root(place) > 0 ? place_root(place) : -1;
  selected->implementation = -1;
  selected->rounds_apart = true; /* they are others, too */
  selected->ranks = place->ranks;
  if (collective != TUTTI_COLL_BARRIER)
    selected->sizes = place->sizes;
  must(selection_read_platform(selected, place->options->platform, &failure));
  must(selection_read_map(selected, collective, &among->measured, &failure));
}

/* ---- at a point ---- */

static bool is_mine(const struct map_mine *mine, const tutti_decision_map *map, int ranks_index,
                    const tutti_method *method)
{
  tutti_method own = mine->method;
  tutti_decision_map_tell(map, map->ranks[ranks_index], &own);
  return mine->any ? method->algorithm == own.algorithm : tutti_method_compare(method, &own) == 0;
}

/* The fastest of the others; -1: there is none. */
static int find_other(const tutti_decision_map *map, int ranks_index, int size_index, const struct map_mine *mine)
{
  int found = -1;
  double least = INFINITY;
  for (int m = 0; m < map->method_count; m++) {
    const double time = tutti_decision_map_time(map, ranks_index, size_index, m);
    if (!is_mine(mine, map, ranks_index, &map->methods[m]) && time < least) {
      least = time;
      found = m;
    }
  }
  return found;
}

/* How many methods are faster, those that tie left out. */
static int count_faster(const tutti_decision_map *map, int ranks_index, int size_index, int method)
{
  int faster = 0;
  const double time = tutti_decision_map_time(map, ranks_index, size_index, method);
  for (int m = 0; m < map->method_count; m++)
    faster += tutti_decision_map_time(map, ranks_index, size_index, m) < time &&
              !tutti_decision_map_ties(map, ranks_index, size_index, m, method);
  return faster;
}

/* False if it was not measured there. */
static bool stand_at(const tutti_decision_map *map, int ranks_index, int size_index, const struct map_mine *mine,
                     struct place_point *point)
{
  bool within_noise;
  const int own = map_mine_at(map, ranks_index, size_index, mine);
  const int other = find_other(map, ranks_index, size_index, mine);
  *point = (struct place_point){.ranks = map->ranks[ranks_index], .size = map->sizes[size_index], .gain = NAN};
  if (own < 0)
    return false;
  point->method = map->methods[own];
  point->time = tutti_decision_map_time(map, ranks_index, size_index, own);
  point->rank = 1 + count_faster(map, ranks_index, size_index, own);
  point->penalty = tutti_penalty_of_method(map, ranks_index, size_index, own, &within_noise);
  point->other_time = NAN;
  if (other < 0)
    return true;
  point->other = map->methods[other];
  point->other_time = tutti_decision_map_time(map, ranks_index, size_index, other);
  if (point->rank == 1 && !tutti_decision_map_ties(map, ranks_index, size_index, own, other))
    point->gain = 100 * (point->other_time - point->time) / point->time;
  return true;
}

static void count_point(struct placed *placed, const struct place_point *point)
{
  placed->points++;
  placed->won += !isnan(point->gain);
  placed->tied += point->rank == 1 && isnan(point->gain) && point->other.algorithm;
  if (isnan(point->gain) || (!isnan(placed->gain) && point->gain <= placed->gain))
    return;
  placed->gain = point->gain;
  placed->over = point->other;
  placed->over_ranks = point->ranks;
  placed->over_size = point->size;
}

/* ---- over all points at which it was measured ---- */

struct sums {
  const tutti_decision_map *map;
  const struct map_mine *mine;
  double *percents;    /* of a method, by the points so far */
  const bool *counted; /* [ranks_count][size_count] */
};

static struct place_method sum_method(const struct sums *sums, int index)
{
  const tutti_decision_map *map = sums->map;
  struct place_method row = {.method = map->methods[index]};
  for (int i = 0; i < map->ranks_count * map->size_count; i++) {
    bool within_noise;
    const int r = i / map->size_count, s = i % map->size_count;
    const int serving = sums->counted[i] ? tutti_decision_map_serving(map, r, s, &row.method) : -1;
    const double percent = tutti_penalty_of_method(map, r, s, serving, &within_noise);
    row.mine = row.mine || is_mine(sums->mine, map, r, &row.method);
    if (isnan(percent))
      continue;
    sums->percents[row.points++] = percent;
    row.mean += percent;
    row.max = percent > row.max ? percent : row.max;
    row.won += percent == 0 && serving == index;
  }
  if (row.points == 0)
    return row;
  row.mean /= (double)row.points;
  qsort(sums->percents, row.points, sizeof *sums->percents, tutti_compare_doubles);
  row.median = tutti_doubles_median(sums->percents, row.points);
  return row;
}

/* Those that were measured at all points first, by their mean. */
static int compare_rows(const void *left, const void *right)
{
  const struct place_method *a = left, *b = right;
  if ((a->rank == 0) != (b->rank == 0))
    return a->rank == 0 ? 1 : -1;
  if (a->mean != b->mean)
    return a->mean < b->mean ? -1 : 1;
  return tutti_method_compare(&a->method, &b->method);
}

/* A place for each method that was measured at all points: how many have a smaller mean. */
static size_t rank_rows(struct place_method *rows, size_t count, size_t points)
{
  size_t ranked = 0;
  for (size_t i = 0; i < count; i++)
    rows[i].rank = rows[i].points == points;
  qsort(rows, count, sizeof *rows, compare_rows);
  for (; ranked < count && rows[ranked].rank; ranked++)
    rows[ranked].rank =
        ranked > 0 && time_tie(rows[ranked].mean, rows[ranked - 1].mean) ? rows[ranked - 1].rank : (int)ranked + 1;
  return ranked;
}

static void take_best(struct placed *placed, const struct place_method *rows, size_t ranked)
{
  placed->of = (int)ranked;
  for (size_t i = 0; i < ranked; i++)
    if (rows[i].mine) {
      placed->rank = rows[i].rank;
      placed->mean = rows[i].mean;
      placed->median = rows[i].median;
      placed->max = rows[i].max;
      placed->best = rows[i].method;
      return;
    }
}

static void rank_methods(struct place *place, struct placed *placed, const struct sums *sums)
{
  const size_t count = (size_t)sums->map->method_count;
  struct place_method *rows = tutti_xcalloc(count + 1, sizeof *rows);
  size_t kept = 0;
  for (size_t m = 0; m < count; m++) {
    rows[kept] = sum_method(sums, (int)m);
    kept += rows[kept].points > 0;
  }
  take_best(placed, rows, rank_rows(rows, kept, placed->points));
  for (size_t i = 0; i < kept; i++) {
    rows[i].algorithm = placed->name;
    must(tutti_table_add(&place->methods, &rows[i], &failure));
  }
  free(rows);
}

/* What any method takes there. */
static void bound_point(const struct gap_point *gap, struct placed *placed, struct place_point *point)
{
  point->bound = gap ? gap->bound : NAN;
  point->gap = gap && gap->bound > 0 ? 100 * (point->time / gap->bound - 1) : NAN;
  placed->optimal += point->gap <= MAP_GAP_OPTIMAL;
  placed->in_model += point->rank == 1 && gap && gap->proven && strcmp(gap->proven, "model") == 0;
}

void place_stand(struct place *place, struct placed *placed)
{
  const tutti_decision_map *map = &placed->among->measured.map;
  const size_t points = tutti_decision_map_points(map);
  struct map_mine mine;
  bool *counted = tutti_xcalloc(points + 1, sizeof *counted);
  struct gap_point *gaps;
  map_mine_find(map, "methods", placed->name, &mine);
  (void)map_gap_find(&placed->among->measured, place->options->platform, true, &gaps, NULL);
  for (size_t i = 0; i < points; i++) {
    struct place_point point;
    counted[i] = stand_at(map, (int)i / map->size_count, (int)i % map->size_count, &mine, &point);
    point.algorithm = placed->name;
    if (!counted[i])
      continue;
    count_point(placed, &point);
    bound_point(gaps ? &gaps[i] : NULL, placed, &point);
    must(tutti_table_add(&place->points, &point, &failure));
  }
  const struct sums sums = {map, &mine, tutti_xcalloc(points + 1, sizeof(double)), counted};
  rank_methods(place, placed, &sums);
  free(sums.percents);
  free(counted);
  free(gaps);
}
