/* Looking times up. */
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

#endif
