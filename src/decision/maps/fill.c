/* Filling the missing points of a sparse map: quadtrees need complete maps, "the missing data can be interpolated"
 * (Pjesivac-Grbovic 2007, section 5.3.2). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tutti/decision_map.h"

/* The map, its times as measured, and a node for each rank of its largest communicator. */
struct filling {
  tutti_decision_map *map;
  double *measured;
  int *nodes; /* NULL: not known */
  tutti_map_filled counts;
};

/* A map has sizes in bytes only: they count as elements where an algorithm needs one per rank. */
static bool in_domain(const struct filling *filling, int i, int j, int m)
{
  const tutti_decision_map *map = filling->map;
  tutti_call call = {.size = map->ranks[i],
                     .count = map->sizes[j],
                     .type_size = 1,
                     .commutative = true,
                     .nodes = filling->nodes,
                     .parameters = map->methods[m].parameters};
  return tutti_method_check(&map->methods[m], &call, NULL) == TUTTI_OK;
}

/* The nearest index in direction @p step along an axis of @p count where something was measured; -1: none. @p cells
 * are @p stride apart. */
static int nearest(const double *cells, size_t stride, int count, int from, int step)
{
  for (int i = from + step; i >= 0 && i < count; i += step)
    if (!isnan(cells[(size_t)i * stride]))
      return i;
  return -1;
}

static double on_line(double x, double x0, double y0, double x1, double y1)
{
  return y0 + (y1 - y0) * ((x - x0) / (x1 - x0));
}

static double between_sizes(const struct filling *filling, int i, int j, int m)
{
  const tutti_decision_map *map = filling->map;
  const double *cells = filling->measured + tutti_decision_map_cell(map, i, 0, m);
  size_t stride = (size_t)map->method_count;
  int low = nearest(cells, stride, map->size_count, j, -1), high = nearest(cells, stride, map->size_count, j, 1);
  return low < 0 || high < 0 ? NAN
                             : on_line((double)map->sizes[j], (double)map->sizes[low], cells[(size_t)low * stride],
                                       (double)map->sizes[high], cells[(size_t)high * stride]);
}

static double between_ranks(const struct filling *filling, int i, int j, int m)
{
  const tutti_decision_map *map = filling->map;
  const double *cells = filling->measured + tutti_decision_map_cell(map, 0, j, m);
  size_t stride = (size_t)map->size_count * (size_t)map->method_count;
  int low = nearest(cells, stride, map->ranks_count, i, -1), high = nearest(cells, stride, map->ranks_count, i, 1);
  return low < 0 || high < 0 ? NAN
                             : on_line(map->ranks[i], map->ranks[low], cells[(size_t)low * stride], map->ranks[high],
                                       cells[(size_t)high * stride]);
}

static void interpolate(struct filling *filling, int i, int j, int m)
{
  double *time = &filling->map->times[tutti_decision_map_cell(filling->map, i, j, m)];
  if (!isnan(*time)) {
    filling->counts.measured++;
    return;
  }
  if (!in_domain(filling, i, j, m))
    return;
  *time = between_sizes(filling, i, j, m);
  filling->counts.between_sizes += !isnan(*time);
  if (!isnan(*time))
    return;
  *time = between_ranks(filling, i, j, m);
  filling->counts.between_ranks += !isnan(*time);
}

/* The method that runs instead of one outside its domain; -1: it was not measured. */
static int find_substitute(const tutti_decision_map *map, int m)
{
  const tutti_algorithm *algorithm = map->methods[m].algorithm;
  if (!algorithm->substitute)
    return -1;
  tutti_method serving = tutti_method_default(tutti_algorithm_find(algorithm->collective, algorithm->substitute));
  serving = tutti_method_as(&serving, map->methods[m].implementation);
  return tutti_decision_map_find(map, &serving);
}

/* The substitute serves every call: it is within its own domain, and what is known of it is known by now. */
static void substitute(struct filling *filling, int i, int j, int m)
{
  tutti_decision_map *map = filling->map;
  double *time = &map->times[tutti_decision_map_cell(map, i, j, m)];
  if (isnan(*time) && !in_domain(filling, i, j, m)) {
    int index = find_substitute(map, m);
    *time = index < 0 ? NAN : tutti_decision_map_time(map, i, j, index);
    filling->counts.substituted += !isnan(*time);
  }
  filling->counts.left += isnan(*time);
}

static void for_all(struct filling *filling, void (*visit)(struct filling *filling, int i, int j, int m))
{
  const tutti_decision_map *map = filling->map;
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      for (int m = 0; m < map->method_count; m++)
        visit(filling, i, j, m);
}

void tutti_decision_map_fill(tutti_decision_map *map, tutti_map_filled *filled)
{
  struct filling filling = {.map = map};
  const size_t most = (size_t)map->ranks[map->ranks_count - 1];
  filling.measured =
      tutti_xmemdup(map->times, tutti_decision_map_points(map) * (size_t)map->method_count * sizeof *map->times);
  filling.nodes = map->ranks_per_node > 0 ? tutti_xcalloc(most, sizeof *filling.nodes) : NULL;
  for (size_t rank = 0; filling.nodes && rank < most; rank++)
    filling.nodes[rank] = (int)rank / map->ranks_per_node;
  for_all(&filling, interpolate);
  for_all(&filling, substitute);
  tutti_decision_map_choose(map, map->candidates);
  if (filled)
    *filled = filling.counts;
  free(filling.measured);
  free(filling.nodes);
}
