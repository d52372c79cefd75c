#include "tutti/engine_tally.h"

#include <math.h>

const double tutti_engine_levels[TUTTI_ENGINE_LEVELS] = {1e-12, 1e-9, 1e-6, 1e-2};

double tutti_engine_difference(double reference, double time)
{
  return time == reference ? 0 : fabs(time - reference) / fabs(reference);
}

void tutti_engine_tally_add(tutti_engine_tally *tally, double reference, double time, double tolerance)
{
  const double difference = tutti_engine_difference(reference, time);
  for (int level = 0; level < TUTTI_ENGINE_LEVELS; level++)
    tally->within[level] += difference <= tutti_engine_levels[level];
  tally->beyond += !(difference <= tolerance);
  if (tally->points == 0 || difference > tally->largest) {
    tally->largest = difference;
    tally->largest_at = tally->points;
  }
  tally->points++;
}
