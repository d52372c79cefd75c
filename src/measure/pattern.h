/* How a rank comes to a point, and what holds it up there: the arrival pattern and the noise of the point. */
#ifndef TUTTI_MEASURE_PATTERN_H
#define TUTTI_MEASURE_PATTERN_H

#include "measure/clock.h"
#include "measure/points.h"

struct pattern {
  tutti_disturbance disturbance; /* of the view on which the operation runs; first, so that it leads to the rest */
  const struct clock *clock;
  tutti_noise noise;
  int rank;
  double delay;   /* seconds by which this rank is late */
  double latest;  /* seconds by which the last rank is late; at rank 0, else 0 */
  double waited;  /* the same as the clock tells it, whose times have a spacing: from the start to the last arrival */
  double start;   /* of the repetition under way, on the shared clock */
  uint64_t phase; /* of the detours of this rank, nanoseconds */
  uint64_t begun; /* when the last vertex was, nanoseconds after the start */
  uint64_t index; /* of the next vertex */
};

/* The pattern of a point, on this rank; NULL: none. It must stay where it is. */
void tutti_pattern_init(struct pattern *pattern, const struct points *points, const struct point *point,
                        const tutti_view *view, const struct clock *clock);

/* Wait until this rank arrives at an operation that begins at `start`, and begin its noise. */
void tutti_pattern_arrive(struct pattern *pattern, double start);

/* What the view of the operation suffers; NULL: no noise. */
tutti_disturbance *tutti_pattern_disturbance(struct pattern *pattern);

#endif
