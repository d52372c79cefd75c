/* What the ranks tell each other around a measurement, on schedules of our own. */
#ifndef TUTTI_MEASURE_AGREE_H
#define TUTTI_MEASURE_AGREE_H

#include "tutti/collectives.h"

/* Everybody gets the bytes of rank 0. */
tutti_status tutti_agree(const tutti_view *view, void *data, uint64_t bytes, tutti_error *error);

/* Rank 0 gets the largest of each value in values[count]; the others keep theirs. */
tutti_status tutti_maximum(const tutti_view *view, double *values, int count, tutti_error *error);

/* The barrier of the OCC scheme. */
tutti_status tutti_bruck(const tutti_view *view, tutti_error *error);

#endif
