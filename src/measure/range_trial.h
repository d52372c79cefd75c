/* One point on one process: what is done, timed or not, and whether it was done right. */
#ifndef TUTTI_MEASURE_RANGE_TRIAL_H
#define TUTTI_MEASURE_RANGE_TRIAL_H

#include "measure/range_data.h"
#include "measure/range_make.h"

struct range_trial {
  const struct range_parent *parent;
  const struct range_point *point;
  struct range_plan plan;
  struct range_made made[2]; /* as the plan says */
  tutti_view range;          /* of bcast, reduce, scan, gather: what they run on */
  struct range_data data;
  int inner;       /* how often range_trial_run() makes the groups */
  uint64_t places; /* sizes and ranks of all that were made in one run, added up */
};

/* Nothing that is timed. Free with range_trial_close() in any case. */
tutti_status range_trial_open(const struct range_parent *parent, const struct range_point *point,
                              struct range_trial *trial, tutti_error *error);
void range_trial_close(struct range_trial *trial);

/* Before each run. Rounds differ in the data. */
void range_trial_prepare(struct range_trial *trial, int round);

/* What is timed. */
tutti_status range_trial_run(struct range_trial *trial, tutti_error *error);

/* After each run, on all processes: is every group the right one, and did the data arrive? Frees the groups.
   TUTTI_ERR_FAULT names what is wrong. */
tutti_status range_trial_check(struct range_trial *trial, int round, tutti_error *error);

#endif
