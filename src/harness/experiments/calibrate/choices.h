/* Errors of simulated times, and choices of the fastest method by them, judged by measured ones. */
#ifndef TUTTI_CALIBRATE_CHOICES_H
#define TUTTI_CALIBRATE_CHOICES_H

#include "harness/experiments/calibrate/points.h"

/* Spearman's rank correlation of two lists; ties have the mean of their ranks. NaN: one of them has no two values. */
double tutti_spearman(const double *left, const double *right, size_t count);

/* Errors of simulated points that no platform was fitted to. NaN without points. */
struct fit_errors {
  size_t points;
  double median;      /* percent */
  double correlation; /* of the ranks of simulated and measured times */
  double inside;      /* share of the points with an interval whose measured time is in it */
};

/* Those of one collective, or, TUTTI_COLL_COUNT, of all. */
struct fit_errors tutti_fit_errors(const struct fit_points *points, tutti_collective collective);

/* Percents; NaN without values. */
struct choice_penalties {
  double mean, median;
};

/* Penalties in percent of the time of the best method. */
struct fit_choices {
  size_t places;                         /* where there was a choice */
  size_t best, within_5, within_10;      /* choices that are the fastest, or so near to it */
  struct choice_penalties chosen, among; /* beside all methods, beside those that were simulated */
  size_t native_places;                  /* where the library's own choice was measured, too */
  struct choice_penalties native, model; /* of the library's choice, of the fastest method by Hockney's model */
  tutti_method single; /* the one that is best in the mean, among those that were measured at most places */
  double single_mean;  /* NaN: there is none */
};

/* Choices of one collective, or, TUTTI_COLL_COUNT, of all, without a single method then. Points are in their order. */
struct fit_choices tutti_fit_choose(const struct fit_points *points, tutti_collective collective);

#endif
