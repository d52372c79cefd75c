/* tutti fit --check: what simulated points say about measured ones. */
#ifndef TUTTI_CLI_ACCURACY_H
#define TUTTI_CLI_ACCURACY_H

#include "cli/fit/fit.h"
#include "cli/fit/placement.h"

/* Spearman's rank correlation of two lists; ties have the mean of their ranks. NaN: one of them has no two values. */
double accuracy_spearman(const double *left, const double *right, size_t count);

/* How good the choices of the fastest method are. Penalties in percent of the time of the best method. */
struct accuracy_choices {
  size_t places;                    /* where there was a choice */
  size_t best, within_5, within_10; /* choices that are the fastest, or so near to it */
  double mean, median;              /* penalty of the choices */
  double among_mean, among_median;  /* the same beside the best of the methods that were simulated */
  size_t native_places;             /* where the library's own choice was measured, too */
  double native_mean, native_median;
  double model_mean, model_median; /* of the method that is fastest by Hockney's model */
  tutti_method single;             /* the one that is best in the mean, among those that were measured at most places */
  double single_mean;              /* NaN: there is none */
};

/* Choices of one collective, or, TUTTI_COLL_COUNT, of all, without a single method then. Points are in their order. */
struct accuracy_choices accuracy_choose(const struct fit_points *points, tutti_collective collective);

/* Which points are compared, and how. */
struct accuracy_options {
  const char *platform;
  struct point_filter filter;
  struct placement_options placement;
  int fitted; /* leave out those that a fit to so many takes; 0: none */
  bool unfitted, per_algorithm;
  tutti_format format;
};

/* Simulate them and print how near they are. */
void accuracy_run(const struct accuracy_options *options);

void accuracy_print(const struct fit_points *points, tutti_format format);

#endif
