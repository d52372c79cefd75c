/* Building one group on all ranks, timed and counted. */
#ifndef TUTTI_MEASURE_GROUP_BUILD_H
#define TUTTI_MEASURE_GROUP_BUILD_H

#include "measure/clock.h"
#include "measure/statistics.h"
#include "tutti/endpoint.h"
#include "tutti/experiment.h"
#include "tutti/group_run.h"

/* What a launch builds with. */
struct site {
  tutti_view view;    /* for what the ranks tell each other around a build */
  tutti_view letters; /* for the build itself: other tags */
  struct clock clock;
  tutti_measure measure;
  MPI_Datatype report; /* one struct report */
  MPI_Op merge;        /* of two of them */
};

/* Synchronise the clocks. Free with site_close() in any case. */
tutti_status site_open(const tutti_view *view, const tutti_measure *measure, struct site *site, tutti_error *error);
void site_close(struct site *site);

/* Build, on a real machine as often as it takes for the median to settle; *build is valid at rank 0. */
tutti_status site_build(struct site *site, const tutti_group_point *point, tutti_group_run *build, tutti_error *error);

#endif
