/* Which measurements are asked for, and which methods can be best. */
#include "cli/report/page.h"
#include "tutti/algorithm.h"
#include "tutti/decision_map.h"

static bool has_arrival(const tutti_report_choice *choice, const tutti_arrival *arrival)
{
  for (int i = 0; i < choice->arrival_count; i++)
    if (tutti_arrival_compare(&choice->arrivals[i], arrival) == 0)
      return true;
  return choice->arrival_count == 0;
}

static bool has_noise(const tutti_report_choice *choice, const tutti_noise *noise)
{
  for (int i = 0; i < choice->noise_count; i++)
    if (tutti_noise_compare(&choice->noises[i], noise) == 0)
      return true;
  return choice->noise_count == 0;
}

bool tutti_report_is_chosen(const tutti_report *report, const tutti_measurement *measurement)
{
  const tutti_report_choice *choice = report->request->choice;
  const bool rooted = tutti_collective_traits(measurement->method.algorithm->collective) & TUTTI_HAS_ROOT;
  return !choice || ((choice->root < 0 || !rooted || choice->root == measurement->root) &&
                     has_arrival(choice, &measurement->arrival) && has_noise(choice, &measurement->noise));
}

bool tutti_report_choose(const tutti_report *report, tutti_decision_map *map)
{
  const tutti_report_choice *choice = report->request->choice;
  tutti_candidates candidates = tutti_decision_map_default_candidates(map);
  if (!choice)
    return true;
  if (choice->implementation >= 0)
    candidates.implementation = (tutti_implementation)choice->implementation;
  candidates.native = candidates.native || choice->native;
  candidates.rounds_apart = candidates.rounds_apart || choice->rounds_apart;
  tutti_decision_map_choose(map, candidates);
  return choice->implementation < 0 || tutti_decision_map_has(map, candidates.implementation);
}
