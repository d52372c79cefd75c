/* Comparing times with the resolution of a simulated clock, one part in 10^9. */
#ifndef TUTTI_DECISION_TIME_COMPARE_H
#define TUTTI_DECISION_TIME_COMPARE_H

#include <math.h>
#include <stdbool.h>

/* Is @p time less than @p other, or more by less than the resolution? */
static inline bool time_not_slower(double time, double other)
{
  return time <= other || time - other < 1e-9 * fabs(other);
}

/* Do two times differ by less than that? */
static inline bool time_tie(double time, double other)
{
  return time == other || fabs(time - other) < 1e-9 * fabs(other);
}

#endif
