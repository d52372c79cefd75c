/* Fitting parameters of a platform file to measured points, by least squares of the logarithms of the times. */
#ifndef TUTTI_CALIBRATE_FIT_H
#define TUTTI_CALIBRATE_FIT_H

#include "harness/experiments/calibrate/least_squares.h"
#include "harness/experiments/calibrate/placement.h"
#include "harness/experiments/calibrate/spread.h"

/* ---- parameters ---- */

/* What is varied: a number of the platform file, or all that an edit means, times a factor. */
struct fit_parameter {
  const char *text; /* as given */
  char *edit;       /* WORD or XPATH; owned */
  int place;        /* which number of the value, from 1; 0: all of them, by one factor */
  double low, high; /* of the factor */
  char *before;     /* the value in the file; owned */
  double factor, error;
};

struct fit_parameters {
  TUTTI_VECTOR(struct fit_parameter);
};

/* Append EDIT=LOW..HIGH or EDIT#PLACE=LOW..HIGH, with the value that the file has there. TUTTI_ERR_ARGUMENT. @p text
   must live as long. Free with tutti_fit_parameters_free() in any case. */
tutti_status tutti_fit_parameter_parse(const char *text, const char *path, struct fit_parameters *parameters,
                                       tutti_error *error);
void tutti_fit_parameters_free(struct fit_parameters *parameters);

/* The edits that set the factors. */
void tutti_fit_parameters_edits(const struct fit_parameters *parameters, struct fit_edits *edits);

/* The value of a parameter with its factor. Owned by the caller. */
char *tutti_fit_parameter_value(const struct fit_parameters *parameters, const struct fit_parameter *parameter);

/* ---- points of a machine, and a platform ---- */

struct fit_request {
  tutti_platform platform; /* not owned, as all here */
  struct point_filter filter;
  struct placement_files placement;
};

/* The name under which the machine was measured. */
const char *tutti_fit_machine(const struct fit_request *request);

/* ---- fit ---- */

/* Zero-initialize; tutti_fit_free() in any case. */
struct fit {
  const struct fit_request *request;
  struct fit_points points; /* with the simulated times at the best factors */
  struct placement placement;
  struct fit_parameters parameters;
  size_t left_out; /* points without a schedule */
  struct least_squares_fit result;
};

/* Fit these parameters ([count] texts) to at most @p most points. TUTTI_ERR_ARGUMENT if a parameter cannot be read or
   there are no more points than parameters; or as the readers and the engine. */
tutti_status tutti_fit(const struct fit_request *request, const char *const *parameters, size_t count, size_t most,
                       struct fit *fit, tutti_error *error);
void tutti_fit_free(struct fit *fit);

/* The mean error in percent of so many points with this sum of squares. */
double tutti_fit_mean_error(double sum, size_t points);

/* The platform file with the factors, the spread of the points and a comment on the fit. Owned by the caller.
   TUTTI_ERR_ARGUMENT if all factors are 1. */
tutti_status tutti_fit_format(const struct fit *fit, char **text, tutti_error *error);

/* ---- check ---- */

/* Which points are left out of the errors, and how the others are simulated. */
struct fit_check {
  size_t fitted;      /* those that a fit to so many points uses; 0: none */
  bool unfitted;      /* those that the platform says it was fitted to */
  bool per_algorithm; /* correct the times by the spread of the fit */
};

/* Read all points and simulate those with a schedule, also by Hockney's model. @p spread is that of the platform.
   Free @p points in any case. */
tutti_status tutti_fit_simulate(const struct fit_request *request, const struct fit_check *check,
                                const struct spread *spread, struct fit_points *points, tutti_error *error);

#endif
