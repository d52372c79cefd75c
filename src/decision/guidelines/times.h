/* Looking times up, and right sides: what the terms of a guideline are at a point. */
#ifndef TUTTI_DECISION_GUIDELINES_TIMES_H
#define TUTTI_DECISION_GUIDELINES_TIMES_H

#include "tutti/guideline.h"

/* Sort by collective, ranks and size. TUTTI_ERR_ARGUMENT for a point that is there twice. */
tutti_status tutti_guideline_times_sort(tutti_guideline_times *times, tutti_error *error);

/* The time at a point; NULL if there is none. */
const tutti_guideline_time *tutti_guideline_times_find(const tutti_guideline_times *times, tutti_collective collective,
                                                       int ranks, uint64_t rank_bytes);

/* The first time at this point or after it; one past the last time if there is none. */
const tutti_guideline_time *tutti_guideline_times_from(const tutti_guideline_times *times, tutti_collective collective,
                                                       int ranks, uint64_t rank_bytes);

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
