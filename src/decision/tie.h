/* When two times are the same. */
#ifndef TUTTI_DECISION_TIE_H
#define TUTTI_DECISION_TIE_H

#include <math.h>
#include <stdbool.h>

/* Is @p time less than @p other, or more by less than one part in 10^9, the resolution of a simulated clock? */
static inline bool decision_not_slower(double time, double other)
{
  return time <= other || time - other < 1e-9 * fabs(other);
}

/* Do two times differ by less than that? */
static inline bool decision_tie(double time, double other)
{
  return time == other || fabs(time - other) < 1e-9 * fabs(other);
}

#endif
