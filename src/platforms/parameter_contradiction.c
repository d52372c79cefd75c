/* Gaps that half round trips do not allow. */
#include <stdlib.h>

#include "tutti/parameters.h"

static const tutti_parameter *find_half_trip(const tutti_parameter_set *set, uint64_t bytes)
{
  const tutti_parameter key = {.quantity = TUTTI_QUANTITY_HALF_TRIP, .bytes = bytes};
  return set->parameter_count > 0
             ? bsearch(&key, set->parameters, set->parameter_count, sizeof key, tutti_parameter_compare)
             : NULL;
}

bool tutti_parameter_set_contradicts(const tutti_parameter_set *set, tutti_parameter_contradiction *worst)
{
  double most = TUTTI_PARAMETER_MOST_HALF_TRIPS;
  bool found = false;
  for (size_t i = 0; i < set->parameter_count; i++) {
    const tutti_parameter *gap = &set->parameters[i];
    if (gap->quantity != TUTTI_QUANTITY_GAP || gap->bytes < TUTTI_PARAMETER_LEAST_CONTRADICTING)
      continue;
    const tutti_parameter *half_trip = find_half_trip(set, gap->bytes);
    if (!half_trip || gap->value <= most * half_trip->value)
      continue;
    *worst = (tutti_parameter_contradiction){gap->bytes, gap->value, half_trip->value};
    most = half_trip->value > 0 ? gap->value / half_trip->value : most;
    found = true;
  }
  return found;
}
