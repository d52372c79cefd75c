/* The method that runs at a point of a decision map if another one is picked there. */
#include <string.h>

#include "decision/maps/map.h"

/* ---- sides that a name does not give ---- */

static bool was_measured_on(const tutti_decision_map *map, int ranks_index, int method)
{
  for (int j = 0; j < map->size_count; j++)
    if (!isnan(tutti_decision_map_time(map, ranks_index, j, method)))
      return true;
  return false;
}

enum { SEVERAL = -1 };

/* The sides with which methods of the same need, or only those of the same algorithm, were measured on this number of
   ranks; 0: none. */
static int find_sides(const tutti_decision_map *map, int ranks_index, const tutti_method *method, bool same_algorithm)
{
  int sides = 0;
  for (int m = 0; m < map->method_count && sides != SEVERAL; m++) {
    const tutti_algorithm *other = map->methods[m].algorithm;
    const int k = map->methods[m].parameters.k;
    if ((same_algorithm ? other == method->algorithm : (other->domain & TUTTI_NEEDS_TORUS) != 0) && k > 0 &&
        k != sides && was_measured_on(map, ranks_index, m))
      sides = sides == 0 ? k : SEVERAL;
  }
  return sides;
}

/* Set the sides of a method. False: they are ambiguous. Nodes and levels need not be known; a method on a torus must
   have been measured on one. */
static bool set_sides(const tutti_decision_map *map, int ranks_index, tutti_method *method)
{
  const unsigned domain = tutti_method_is_library(method) ? 0 : method->algorithm->domain;
  const int itself = tutti_decision_map_find(map, method);
  if (!(domain & (TUTTI_NEEDS_NODES | TUTTI_NEEDS_LEVELS | TUTTI_NEEDS_TORUS)) || method->parameters.k > 0 ||
      (itself >= 0 && was_measured_on(map, ranks_index, itself)))
    return true;
  int sides = find_sides(map, ranks_index, method, true);
  if (sides == 0 && domain & TUTTI_NEEDS_TORUS)
    sides = find_sides(map, ranks_index, method, false);
  if (sides != SEVERAL)
    method->parameters.k = sides;
  return sides != SEVERAL;
}

void tutti_decision_map_tell(const tutti_decision_map *map, int ranks, tutti_method *method)
{
  for (int i = 0; i < map->ranks_count; i++)
    if (map->ranks[i] == ranks)
      set_sides(map, i, method);
}

/* ---- what runs ---- */

/* Index of a method, or of one that runs the same there, whose time is known at a point; -1: none is. */
static int find_known(const tutti_decision_map *map, int ranks_index, int size_index, const tutti_method *method)
{
  int index = tutti_decision_map_find(map, method);
  if (index >= 0 && !isnan(tutti_decision_map_time(map, ranks_index, size_index, index)))
    return index;
  for (int m = 0; m < map->method_count && method->algorithm->parameters & TUTTI_K_IS_LIMIT; m++)
    if (tutti_method_same_on(&map->methods[m], method, map->ranks[ranks_index]) &&
        !isnan(tutti_decision_map_time(map, ranks_index, size_index, m)))
      return m;
  return -1;
}

/* The code that runs where one of our methods is picked: that of the candidates. */
static tutti_method run_by_candidates(const tutti_decision_map *map, const tutti_method *method)
{
  bool ours = method->implementation == TUTTI_IMPLEMENTATION_TUTTI;
  return ours ? tutti_method_as(method, map->candidates.implementation) : *method;
}

/* The same of a method of a library, which picks the parts of methods made of others itself. */
static int find_run(const tutti_decision_map *map, int ranks_index, int size_index, const tutti_method *method)
{
  tutti_method parted = *method;
  int index = find_known(map, ranks_index, size_index, method);
  if (index >= 0 || method->implementation == TUTTI_IMPLEMENTATION_TUTTI)
    return index;
  memcpy(parted.parameters.parts, tutti_method_default(method->algorithm).parameters.parts,
         sizeof parted.parameters.parts);
  return find_known(map, ranks_index, size_index, &parted);
}

int tutti_decision_map_serving(const tutti_decision_map *map, int ranks_index, int size_index,
                               const tutti_method *method)
{
  tutti_method run = run_by_candidates(map, method);
  if (!set_sides(map, ranks_index, &run))
    return -1;
  int index = find_run(map, ranks_index, size_index, &run);
  if (index >= 0 || method->algorithm->domain & (TUTTI_NEEDS_NODES | TUTTI_NEEDS_LEVELS))
    return index;
  const tutti_call call = {.size = map->ranks[ranks_index],
                           .count = map->sizes[size_index],
                           .type_size = 1,
                           .commutative = true,
                           .parameters = method->parameters};
  run = tutti_method_serving(&run, &call);
  return find_run(map, ranks_index, size_index, &run);
}

double tutti_decision_map_serving_time(const tutti_decision_map *map, int ranks_index, int size_index,
                                       const tutti_method *method)
{
  int index = tutti_decision_map_serving(map, ranks_index, size_index, method);
  return index < 0 ? NAN : tutti_decision_map_time(map, ranks_index, size_index, index);
}
