/* When two times are the same. */
#ifndef TUTTI_DECISION_TIE_H
#define TUTTI_DECISION_TIE_H

#include <math.h>
#include <stdbool.h>

/* Does @p time differ from the least time by less than one part in 10^9, the resolution of a simulated clock? */
static inline bool decision_tie(double time, double least)
{
  return time == least || time - least < 1e-9 * fabs(least);
}

#endif
