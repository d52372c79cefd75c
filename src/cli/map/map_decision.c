#include "cli/map/map_decision.h"

#include <stdlib.h>

#include "decision/maps/map_cells.h"
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
      const tutti_question question = tutti_decision_map_question(map, r, s);
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

static tutti_status fill(const tutti_decision_map *from, const tutti_method *picks, tutti_decision_map *map,
                         tutti_error *error)
{
  size_t points = decision_map_points(from);
  tutti_decision_map named = *from;
  named.method_count = 0;
  named.methods = calloc(points, sizeof *named.methods);
  if (!named.methods)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the map of a decision");
  list_methods(picks, points, &named);
  tutti_status status = tutti_decision_map_copy_axes(&named, named.method_count, map, error);
  free(named.methods);
  for (size_t i = 0; i < points && status == TUTTI_OK; i++)
    map->best[i] = picks[i].algorithm ? tutti_decision_map_find(map, &picks[i]) : -1;
  return status;
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
    percents[i] = tutti_penalty_at(map, decision, i / map->size_count, i % map->size_count).percent;
  tutti_status status = fill(map, picks, &picked->map, error);
  free(picks);
  return status;
}
