/* The parts of tutti-group. */
#ifndef TUTTI_MEASURE_GROUP_H
#define TUTTI_MEASURE_GROUP_H

#include "measure/program.h"
#include "tutti/group_run.h"

extern const struct option_table tutti_group_options;

/* What a launch builds with. */
struct group_bench {
  struct timing timing; /* messages of a build have the tags inside */
  MPI_Datatype report;  /* what a rank tells rank 0 about a build */
  MPI_Op merge;         /* of two of them */
  bool report_made, merge_made;
  tutti_group_counts counts; /* of the build timed last, at rank 0 */
};

/* Synchronize the clocks. Close in any case. */
tutti_status group_bench_open(void *bench, tutti_error *error);
void group_bench_close(void *bench);

/* Build, on a real machine as often as it takes for the median to be stable; the point is a tutti_group_point. */
tutti_status group_bench_measure(void *bench, const void *point, tutti_error *error);

#endif
