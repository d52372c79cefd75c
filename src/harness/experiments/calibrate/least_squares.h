/* Least squares within bounds: Levenberg and Marquardt's method, derivatives by finite differences. Deterministic. */
#ifndef TUTTI_CALIBRATE_LEAST_SQUARES_H
#define TUTTI_CALIBRATE_LEAST_SQUARES_H

#include <stddef.h>

#include "tutti/error.h"

/* The residuals [points] at the parameters [parameters]. */
typedef tutti_status least_squares_function(void *context, const double *x, double *residuals, tutti_error *error);

struct least_squares {
  int parameters, points;
  const double *low, *high; /* [parameters] */
  double step;              /* of differences, and about how exact parameters have to be */
  int max_rounds;
  least_squares_function *function;
  void *context;
};

/* Arrays are the caller's. */
struct least_squares_fit {
  double *x;         /* [parameters] where to begin, within the bounds; then the best one */
  double *errors;    /* [parameters] standard errors; infinite for what the points do not depend on */
  double *residuals; /* [points] at the best one */
  double before;     /* sum of their squares at the beginning */
  double sum;        /* and at the best one */
  int rounds;
};

/* Find the least sum of squares near fit->x. Standard errors are those of the linear model at the end, its variance
   being sum / (points - parameters). A failure of the function ends it. */
tutti_status tutti_least_squares(const struct least_squares *problem, struct least_squares_fit *fit,
                                 tutti_error *error);

/* Invert a symmetric, positive semidefinite matrix [n][n] in its place. Rows and columns that depend on others, or are
   0, become 0. Returns the logarithm of its determinant. */
double tutti_invert(double *matrix, size_t n);

#endif
