/* The points of tutti-group. Independent of MPI. */
#ifndef TUTTI_MEASURE_GROUP_POINTS_H
#define TUTTI_MEASURE_GROUP_POINTS_H

#include "harness/measure/points.h"
#include "tutti/group_run.h"

/* Points are tutti_group_point. */
extern const struct points_kind tutti_group_points;

#endif
