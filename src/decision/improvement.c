/* What one decision gains over another (Pjesivac-Grbovic 2007, section 6.6). */
#include <math.h>

#include "tutti/decision.h"

static double time_at(const tutti_decision_map *map, const tutti_decision *decision, int ranks_index, int size_index)
{
  const tutti_question question = tutti_decision_map_question(map, ranks_index, size_index);
  tutti_method method;
  return decision->decide(decision, &question, &method)
             ? tutti_decision_map_serving_time(map, ranks_index, size_index, &method)
             : NAN;
}

void tutti_decision_times(const tutti_decision_map *map, const tutti_decision *decision, double *times)
{
  for (int r = 0; r < map->ranks_count; r++)
    for (int s = 0; s < map->size_count; s++)
      *times++ = time_at(map, decision, r, s);
}

tutti_improvement tutti_improvement_over(const double *times, const double *reference, size_t count)
{
  tutti_improvement improvement = {.minimum = NAN, .maximum = NAN, .mean = NAN};
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    if (isnan(times[i]) || !(reference[i] > 0)) {
      improvement.missing++;
      continue;
    }
    double percent = 100 * (reference[i] - times[i]) / reference[i];
    improvement.minimum = fmin(improvement.minimum, percent); /* ignores NaN */
    improvement.maximum = fmax(improvement.maximum, percent);
    improvement.points++;
    sum += percent;
  }
  if (improvement.points > 0)
    improvement.mean = sum / improvement.points;
  return improvement;
}
