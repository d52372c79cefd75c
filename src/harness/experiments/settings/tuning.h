/* A comparison under way: what its parts share. */
#ifndef TUTTI_EXPERIMENTS_TUNING_H
#define TUTTI_EXPERIMENTS_TUNING_H

#include "decision/libraries/libraries.h"
#include "harness/experiments/jobs/job.h"
#include "tutti/tuning_comparison.h"

enum { BEFORE, AFTER, SIDES };

struct comparing {
  const tutti_tuning_comparison_request *request;
  tutti_tuning_comparison *found;
  struct run run;     /* its plan has all points, whether stored or not */
  char *paths[SIDES]; /* of the files, absolute; NULL: none */
  struct tutti_variable variables[SIDES][LIBRARY_VARIABLES + 1];
  struct tuning_pair tunings; /* of the version that is measured */
  /* Of AFTER where it is another installation; else flavor NULL. @{ */
  struct launcher launcher;
  struct job_manifest manifest;
  /* @} */
  tutti_result *stored; /* [stored_count] all pairs of these files, in the order of tutti_result_compare() */
  size_t stored_count;
  size_t wanted; /* pairs to measure, for reports */
  double started;
  tutti_error *error;
};

/* ---- tuning_pairs.c: points, their pairs in the store, and the statistics of these ---- */

/* All points, one launch for each number of ranks. */
tutti_status tutti_comparing_plan(const tutti_experiment *experiment, int ranks_per_node, tutti_plan *plan,
                                  tutti_error *error);

/* Whether the library certainly treats the point the same way under both files. */
bool tutti_comparing_unchanged(const struct comparing *comparing, const tutti_point *point);

/* The row of a pair; its keys. */
tutti_result tutti_comparing_key(const struct comparing *comparing, const tutti_point *point, int round);

/* Read the stored rows, in which tutti_comparing_find() searches a row with these keys; the last round of them. @{ */
tutti_status tutti_comparing_read(struct comparing *comparing, tutti_store *store);
const tutti_result *tutti_comparing_find(const struct comparing *comparing, const tutti_result *key);
int tutti_comparing_rounds(const struct comparing *comparing);
/* @} */

/* Test all points. */
tutti_status tutti_comparing_judge(struct comparing *comparing);

/* ---- tuning_sides.c: two installations ---- */

/* Whether the sides are installations. */
bool tutti_comparing_installed(const struct comparing *comparing);

/* Open that of AFTER, and find out which libraries both are: digests. */
tutti_status tutti_comparing_open_sides(struct comparing *comparing);

/* Name both as the pairs in the store do, which nothing is launched for: the only libraries of these installations. */
tutti_status tutti_comparing_name_sides(struct comparing *comparing, tutti_store *store);

/* The library of a side, as runs call it; "" if it is not known. */
const char *tutti_comparing_library(const struct comparing *comparing, int side);

/* ---- tuning_outcomes.c: the statistics ---- */

/* Test a point by its pairs, of which there may be none. */
tutti_status tutti_compared_test(tutti_compared_point *point, const double *before, const double *after, double level,
                                 tutti_error *error);

/* Correct the points that were tested together for their number, and decide which are won and lost. */
void tutti_compared_correct(tutti_compared_point *points, size_t count, double level);

/* The same two for verdicts; the outcomes follow them. @{ */
tutti_status tutti_compared_judge(tutti_compared_point *point, const double *before, const double *after, double margin,
                                  double level, tutti_error *error);
void tutti_compared_decide(tutti_compared_point *points, size_t count, double margin, double level);
/* @} */

/* ---- tuning_launch.c ---- */

/* Launch points under both files, in an order that is drawn, and store the pairs. */
tutti_status tutti_comparing_launch(struct comparing *comparing, const tutti_point *points, size_t count, int round);

#endif
