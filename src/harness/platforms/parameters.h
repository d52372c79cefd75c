/* From measured values to the parameters of each model, and these beside the published ones. */
#ifndef TUTTI_PLATFORMS_PARAMETERS_H
#define TUTTI_PLATFORMS_PARAMETERS_H

#include "tutti/parameters.h"

/* ---- a parameter set, model by model, beside the published one ---- */

/* One parameter of a model; NaN where it is not known. */
struct parameter_value {
  const char *model, *label, *member;
  bool per_byte;
  double measured, published; /* seconds, or seconds per byte */
};

enum { PARAMETER_VALUES = 15 };

/* The parameters of all models but the message sizes of PLogP, in the order of a report. @p published may be NULL. */
void tutti_parameter_values(const tutti_parameter_set *set, const tutti_platform *published,
                            struct parameter_value values[PARAMETER_VALUES]);

/* Relative difference in percent; NaN if either is not known. */
double tutti_parameter_value_difference(const struct parameter_value *value);

#endif
