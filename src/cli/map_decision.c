#include "cli/map_decision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decision/penalty_at.h"

static int compare(const void *left, const void *right)
{
  return tutti_method_compare(left, right);
}

/* What is picked at each point; an algorithm of NULL: nothing. */
static void ask_all(const tutti_decision_map *map, const tutti_decision *decision, tutti_method *picks)
{
  for (int r = 0; r < map->ranks_count; r++)
    for (int s = 0; s < map->size_count; s++, picks++) {
      const tutti_question question = {.collective = map->collective,
                                       .ranks = map->ranks[r],
                                       .ranks_per_node = map->ranks_per_node,
                                       .rank_bytes = map->sizes[s]};
      if (!decision->decide(decision, &question, picks))
        picks->algorithm = NULL;
    }
}

/* The picks, each once and in order. */
static void list_methods(const tutti_method *picks, size_t points, tutti_decision_map *map)
{
  for (size_t i = 0; i < points; i++)
    if (picks[i].algorithm)
      map->methods[map->method_count++] = picks[i];
  qsort(map->methods, (size_t)map->method_count, sizeof *map->methods, compare);
  int kept = 0;
  for (int i = 0; i < map->method_count; i++)
    if (kept == 0 || compare(&map->methods[kept - 1], &map->methods[i]) != 0)
      map->methods[kept++] = map->methods[i];
  map->method_count = kept;
}

static bool lay_out(const tutti_decision_map *from, const tutti_method *picks, tutti_decision_map *map)
{
  size_t ranks = (size_t)from->ranks_count, sizes = (size_t)from->size_count, points = ranks * sizes;
  *map = *from;
  map->method_count = 0;
  map->ranks = malloc(ranks * sizeof *map->ranks);
  map->sizes = malloc(sizes * sizeof *map->sizes);
  map->methods = malloc(points * sizeof *map->methods);
  map->best = malloc(points * sizeof *map->best);
  map->times = NULL;
  if (!map->ranks || !map->sizes || !map->methods || !map->best)
    return false;
  memcpy(map->ranks, from->ranks, ranks * sizeof *map->ranks);
  memcpy(map->sizes, from->sizes, sizes * sizeof *map->sizes);
  list_methods(picks, points, map);
  map->times = malloc(points * ((size_t)map->method_count + 1) * sizeof *map->times);
  for (size_t i = 0; map->times && i < points * (size_t)map->method_count; i++)
    map->times[i] = NAN;
  return map->times;
}

static tutti_status fill(const tutti_decision_map *from, const tutti_method *picks, tutti_decision_map *map,
                         tutti_error *error)
{
  if (!lay_out(from, picks, map)) {
    tutti_decision_map_free(map);
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the map of a decision");
  }
  for (size_t i = 0; i < (size_t)map->ranks_count * (size_t)map->size_count; i++)
    map->best[i] = picks[i].algorithm ? tutti_decision_map_find(map, &picks[i]) : -1;
  return TUTTI_OK;
}

tutti_status map_decision_ask(const struct measured_map *measured, const tutti_decision *decision,
                              struct measured_map *picked, double *percents, tutti_error *error)
{
  const tutti_decision_map *map = &measured->map;
  tutti_method *picks = calloc((size_t)map->ranks_count * (size_t)map->size_count, sizeof *picks);
  if (!picks)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the map of a decision");
  ask_all(map, decision, picks);
  *picked = *measured;
  for (int i = 0; i < map->ranks_count * map->size_count; i++)
    percents[i] = penalty_at(map, decision, i / map->size_count, i % map->size_count).percent;
  tutti_status status = fill(map, picks, &picked->map, error);
  free(picks);
  return status;
}
