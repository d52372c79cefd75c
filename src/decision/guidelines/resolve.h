/* Right sides: what the terms of a guideline are at a point. */
#ifndef TUTTI_DECISION_GUIDELINES_RESOLVE_H
#define TUTTI_DECISION_GUIDELINES_RESOLVE_H

#include "decision/guidelines/times.h"

enum resolution {
  RESOLVED,
  NOTHING_TO_CHECK, /* the guideline says nothing about the point */
  UNRESOLVED        /* it does, but a time is missing: the gap says why */
};

struct right_side {
  tutti_guideline_time times[TUTTI_GUIDELINE_TERMS];
  double seconds;
  tutti_guideline_gap gap;
  tutti_collective lacking; /* whose time is missing, of TUTTI_GAP_MEASURED */
};

enum resolution tutti_guideline_resolve(const tutti_guideline_times *times, const tutti_guideline *guideline,
                                        const tutti_guideline_time *left, struct right_side *right);

#endif
