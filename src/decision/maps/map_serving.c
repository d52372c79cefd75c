/* Points of a map: what is asked there, and what runs when a method is picked where it does not apply. */
#include <math.h>

#include "decision/maps/map_cells.h"

static double time_of(const tutti_decision_map *map, int ranks_index, int size_index, const tutti_method *method)
{
  int index = tutti_decision_map_find(map, method);
  return index < 0 ? NAN : tutti_decision_map_time(map, ranks_index, size_index, index);
}

tutti_question tutti_decision_map_question(const tutti_decision_map *map, int ranks_index, int size_index)
{
  return (tutti_question){.collective = map->collective,
                          .ranks = map->ranks[ranks_index],
                          .ranks_per_node = map->ranks_per_node,
                          .rank_bytes = map->sizes[size_index]};
}

double tutti_decision_map_serving_time(const tutti_decision_map *map, int ranks_index, int size_index,
                                       const tutti_method *method)
{
  double time = time_of(map, ranks_index, size_index, method);
  if (!isnan(time) || tutti_method_is_native(method) || method->algorithm->domain & TUTTI_NEEDS_NODES)
    return time;
  const tutti_call call = {.size = map->ranks[ranks_index],
                           .count = map->sizes[size_index],
                           .type_size = 1,
                           .commutative = true,
                           .parameters = method->parameters};
  if (tutti_method_check(method, &call, NULL) == TUTTI_OK)
    return NAN;
  tutti_method serving = tutti_method_serving(method, &call);
  return time_of(map, ranks_index, size_index, &serving);
}
