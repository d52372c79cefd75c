/* Sorting on all ranks, timed, checked and counted. */
#ifndef TUTTI_MEASURE_SORT_TIME_H
#define TUTTI_MEASURE_SORT_TIME_H

#include "measure/clock.h"
#include "measure/sort_check.h"
#include "measure/statistics.h"

/* What a launch sorts with. */
struct sort_site {
  tutti_view view; /* for what the ranks tell each other around a sort */
  tutti_view all;  /* for the sort itself: other tags, and a progress */
  tutti_progress progress;
  struct clock clock;
  const struct sort_points *points;
};

/* Synchronise the clocks. Close in any case; the site must stay where it is until then. */
tutti_status sort_site_open(const tutti_view *view, const struct sort_points *points, struct sort_site *site,
                            tutti_error *error);
void sort_site_close(struct sort_site *site);

/* Sort, on a real machine as often as it takes for the median to settle, and check each result; *result is valid at
   rank 0. Errors name the point. */
tutti_status sort_time(struct sort_site *site, const struct sort_point *point, tutti_result *result,
                       tutti_error *error);

#endif
