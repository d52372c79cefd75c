/* Which methods of a decision map can be best. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/numbers.h"
#include "decision/maps/map.h"

bool tutti_candidates_have(const tutti_candidates *candidates, const tutti_method *method)
{
  if ((tutti_method_reproducible(method) & candidates->reproducible) != candidates->reproducible)
    return false;
  if (tutti_method_is_native(method))
    return candidates->native;
  return method->implementation == candidates->implementation &&
         (candidates->rounds_apart || !tutti_method_rounds_apart(method));
}

char *tutti_candidates_format(const tutti_candidates *candidates, char *text)
{
  const char *library = tutti_implementation_name(candidates->implementation);
  snprintf(text, TUTTI_CANDIDATES_LENGTH, "%s%s%s", library ? library : "tutti", candidates->native ? ", native" : "",
           candidates->rounds_apart ? ", rounds apart" : "");
  if (candidates->reproducible) {
    const size_t length = strlen(text);
    char classes[TUTTI_REPRODUCIBLE_LENGTH];
    snprintf(text + length, TUTTI_CANDIDATES_LENGTH - length, ", reproducible by %s",
             tutti_reproducible_format(candidates->reproducible, classes));
  }
  return text;
}

static bool has_any(const tutti_decision_map *map, tutti_candidates candidates)
{
  for (int m = 0; m < map->method_count; m++)
    if (tutti_candidates_have(&candidates, &map->methods[m]))
      return true;
  return false;
}

bool tutti_decision_map_has(const tutti_decision_map *map, tutti_implementation implementation)
{
  return has_any(map, (tutti_candidates){.implementation = implementation, .rounds_apart = true});
}

bool tutti_decision_map_mixes(const tutti_decision_map *map)
{
  for (int m = 0; m < map->method_count; m++)
    if (!tutti_method_is_native(&map->methods[m]) && map->methods[m].implementation != map->candidates.implementation)
      return true;
  return false;
}

/* The fastest at a point of all that would be candidates if ranks might round apart; -1: none is faster than they. */
static int faster_apart_at(const tutti_decision_map *map, size_t point)
{
  tutti_candidates all = map->candidates;
  const double *times = map->times + point * (size_t)map->method_count;
  int best = map->best[point];
  all.rounds_apart = true;
  for (int m = 0; m < map->method_count; m++)
    if (!isnan(times[m]) && tutti_candidates_have(&all, &map->methods[m]) && (best < 0 || times[m] < times[best]) &&
        !(best >= 0 && time_tie(times[m], times[best])))
      best = m;
  return best == map->best[point] ? -1 : best;
}

int tutti_decision_map_faster_apart(const tutti_decision_map *map, size_t *points)
{
  int first = -1;
  *points = 0;
  for (size_t i = 0; i < tutti_decision_map_points(map) && !map->candidates.rounds_apart; i++) {
    const int faster = faster_apart_at(map, i);
    *points += faster >= 0;
    first = faster >= 0 && (first < 0 || faster < first) ? faster : first;
  }
  return first;
}

static bool is_library(tutti_implementation implementation)
{
  return implementation == TUTTI_IMPLEMENTATION_OPENMPI || implementation == TUTTI_IMPLEMENTATION_MPICH;
}

bool tutti_candidates_concern(const tutti_candidates *candidates, tutti_implementation implementation)
{
  return candidates->implementation == implementation || !is_library(candidates->implementation) ||
         !is_library(implementation);
}

/* Methods of the first implementation that was measured; native methods, or those that round differently on ranks, only
   without others. */
tutti_candidates tutti_decision_map_default_candidates(const tutti_decision_map *map)
{
  int first = TUTTI_IMPLEMENTATION_TUTTI;
  while (first < TUTTI_IMPLEMENTATION_COUNT && !tutti_decision_map_has(map, (tutti_implementation)first))
    first++;
  if (first == TUTTI_IMPLEMENTATION_COUNT)
    return (tutti_candidates){.native = true};
  tutti_candidates candidates = {.implementation = (tutti_implementation)first};
  candidates.rounds_apart = !has_any(map, candidates);
  return candidates;
}

bool tutti_decision_map_only_native(const tutti_decision_map *map)
{
  return tutti_decision_map_default_candidates(map).native;
}
