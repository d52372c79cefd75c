/* Parameters of models as a table and as JSON. */
#ifndef TUTTI_CLI_REPORT_PARAMS_H
#define TUTTI_CLI_REPORT_PARAMS_H

#include "tutti/parameters.h"

struct params_report {
  const char *name; /* of the platform or machine */
  const char *flavor;
  const tutti_parameter_set *set;
  const tutti_platform *published; /* NULL: do not compare */
};

/* One parameter of a model; NaN where it is not known. */
struct params_value {
  const char *model, *label, *member;
  bool per_byte;
  double measured, published; /* seconds, or seconds per byte */
};

enum { PARAMS_VALUES = 15 };

/* The parameters of all models but the message sizes of PLogP, in the order of the report. */
void report_params_values(const struct params_report *report, struct params_value values[PARAMS_VALUES]);

/* Relative difference in percent; NaN if either is not known. */
double report_params_difference(const struct params_value *value);

void report_params(const struct params_report *report);
void report_params_json(const struct params_report *report);

#endif
