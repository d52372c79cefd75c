/* What is left of a map for a target that knows only some methods. */
#include <math.h>
#include <stdlib.h>

#include "decision/maps/map_cells.h"

static void copy_column(const tutti_decision_map *map, int from, tutti_decision_map *restricted, int to)
{
  for (size_t i = 0; i < decision_map_points(map); i++)
    restricted->times[i * (size_t)restricted->method_count + (size_t)to] =
        map->times[i * (size_t)map->method_count + (size_t)from];
  restricted->methods[to] = map->methods[from];
}

tutti_status tutti_decision_map_restrict(const tutti_decision_map *map,
                                         bool (*knows)(const tutti_method *method, void *context), void *context,
                                         tutti_decision_map *restricted, tutti_error *error)
{
  int kept = 0, to = 0;
  *restricted = (tutti_decision_map){0};
  for (int m = 0; m < map->method_count; m++)
    kept += knows(&map->methods[m], context);
  if (kept == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "none of the %d methods of %s that were measured is known there",
                      map->method_count, tutti_collective_name(map->collective));
  tutti_status status = tutti_decision_map_copy_axes(map, kept, restricted, error);
  for (int m = 0; m < map->method_count && status == TUTTI_OK; m++)
    if (knows(&map->methods[m], context))
      copy_column(map, m, restricted, to++);
  if (status == TUTTI_OK)
    tutti_decision_map_choose(restricted, false);
  return status;
}
