/* Timing a point on all ranks. */
#ifndef TUTTI_MEASURE_RANGE_TIME_H
#define TUTTI_MEASURE_RANGE_TIME_H

#include "measure/clock.h"
#include "measure/range_trial.h"
#include "measure/sample.h"

/* What a launch times with. Do not copy: views point into it. */
struct range_site {
  tutti_view view; /* for what the ranks tell each other around a run */
  tutti_view all;  /* for what is timed: other tags, and a progress */
  tutti_progress progress;
  struct clock clock;
  tutti_measure measure;
  struct range_parent parent;
};

/* Synchronise the clocks. Free with range_site_close() in any case. */
tutti_status range_site_open(const tutti_view *view, const struct range_points *points, struct range_site *site,
                             tutti_error *error);
void range_site_close(struct range_site *site);

/* Time a point, on a real machine as often as it takes for the median to settle; the statistics are valid at rank 0. */
tutti_status range_time(struct range_site *site, const struct range_point *point, struct statistics *statistics,
                        tutti_error *error);

#endif
