/* How far measured times are from those of a fitted platform: what tutti fit has seen at its points, for intervals of
   predictions, and for corrections of algorithms. A platform file keeps it as the property tutti/fit. */
#ifndef TUTTI_CALIBRATE_SPREAD_H
#define TUTTI_CALIBRATE_SPREAD_H

#include "harness/experiments/calibrate/points.h"

enum { SPREAD_POINTS = 500, SPREAD_LEVEL = 90 /* of intervals, percent */ };

struct spread_point {
  tutti_method method; /* its parameters are not read */
  uint64_t bytes;      /* of the message, or of all blocks together */
  double residual;     /* logarithm of measured over simulated */
};

/* Zero-initialize; tutti_spread_free(). */
struct spread {
  int parameters; /* that were fitted */
  char *machine;  /* whose points they are, owned; NULL: not said */
  TUTTI_VECTOR(struct spread_point);
  /* Learned from them: */
  double even;      /* variance of a residual that has nothing in common with others */
  double variance;  /* the same where some of it is explained by algorithm and size, */
  double share;     /* which varies so many times as much */
  double *inverse;  /* [count][count] of the residuals' covariance, over the variance */
  double *weighted; /* [count] the inverse times the residuals */
};

struct spread_interval {
  double seconds, lower, upper;
};

/* "4 parameters of MACHINE; allreduce/ring@openmpi 4096 -0.12; ..."; owned by the caller. */
char *tutti_spread_format(const struct spread *spread);

/* Read that, and learn. TUTTI_ERR_ARGUMENT. */
tutti_status tutti_spread_parse(const char *text, struct spread *spread, tutti_error *error);

/* That of a platform; nothing if it has none, TUTTI_ERR_ARGUMENT if it is needed. */
tutti_status tutti_spread_read(const tutti_platform *platform, bool needed, struct spread *spread, tutti_error *error);

/* How many points of the fit are of the collective. */
size_t tutti_spread_count(const struct spread *spread, tutti_collective collective);

/* Whether it is one of the points of the fit: of this algorithm, by the same library's code, with @p bytes bytes and
   this logarithm of measured over simulated, within its digits. */
bool tutti_spread_has(const struct spread *spread, const tutti_method *method, uint64_t bytes, double residual);

/* The time of a method that takes @p seconds in the simulation, and the interval that has a measured one by
   SPREAD_LEVEL percent; corrected for its algorithm and size, or not. */
struct spread_interval tutti_spread_predict(const struct spread *spread, const tutti_method *method, uint64_t bytes,
                                            double seconds, bool corrected);

/* The same of a simulated point: its time and its interval. Without points of a fit it stays as it is. */
void tutti_spread_apply(const struct spread *spread, bool corrected, struct fit_point *point);

void tutti_spread_free(struct spread *spread);

#endif
