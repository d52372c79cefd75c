/* Parameters of models as a table and as JSON. */
#ifndef TUTTI_CLI_REPORT_PARAMS_H
#define TUTTI_CLI_REPORT_PARAMS_H

#include "platforms/parameters.h"

struct params_report {
  const char *name; /* of the platform or machine */
  const char *flavor;
  const tutti_parameter_set *set;
  const tutti_platform *published; /* NULL: do not compare */
};

void report_params(const struct params_report *report);
void report_params_json(const struct params_report *report);

#endif
