/* The points of tutti-range. Independent of MPI. */
#ifndef TUTTI_MEASURE_RANGE_POINTS_H
#define TUTTI_MEASURE_RANGE_POINTS_H

#include "decision/results/range_point.h"
#include "harness/measure/points.h"
#include "tutti/record.h"

/* Points are struct range_point. */
extern const struct points_kind tutti_range_points;

/* A record of the point on @p ranks ranks, without its times. */
void tutti_range_describe(const struct range_point *point, int ranks, tutti_record *record);

#endif
