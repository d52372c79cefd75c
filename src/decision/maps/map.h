/* Making decision maps of decision maps, and comparing times. */
#ifndef TUTTI_DECISION_MAPS_MAP_H
#define TUTTI_DECISION_MAPS_MAP_H

#include <math.h>

#include "tutti/decision_map.h"

/* ---- times are compared with the resolution of a simulated clock, one part in 10^9 ---- */

/* Whether @p time is smaller than @p other, or larger by less than the resolution. */
static inline bool time_not_slower(double time, double other)
{
  return time <= other || time - other < 1e-9 * fabs(other);
}

/* Whether two times differ by less than that. */
static inline bool time_tie(double time, double other)
{
  return time == other || fabs(time - other) < 1e-9 * fabs(other);
}

/* ---- maps ---- */

/* A map with the points of @p map, its first @p method_count methods (to be set) and no times. */
tutti_decision_map tutti_decision_map_copy_axes(const tutti_decision_map *map, int method_count);

/* Whether the times of two methods at a point differ by less than the resolution, or by less than their noise. */
bool tutti_decision_map_ties(const tutti_decision_map *map, int ranks_index, int size_index, int left, int right);

/* The penalty of a method at a point, in percent, over the fastest that does not tie with it: 0 if none is faster, @p
   within_noise tells whether by noise alone; NaN if one of the two times is unknown, or the best is not positive. */
double tutti_penalty_of_method(const tutti_decision_map *map, int ranks_index, int size_index, int method,
                               bool *within_noise);

/* Whether two maps have the same communicator sizes, message sizes and methods. */
bool tutti_decision_map_same_axes(const tutti_decision_map *a, const tutti_decision_map *b);

/* Seconds of the best method of a point, counted ranks by ranks, or NaN. */
double tutti_decision_map_best_time(const tutti_decision_map *map, size_t point);

/* Seconds of a method at a point; NaN where the map does not have it. */
double tutti_decision_map_time_of(const tutti_decision_map *map, int ranks_index, int size_index,
                                  const tutti_method *method);

#endif
