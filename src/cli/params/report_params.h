/* Parameters of models as tables. */
#ifndef TUTTI_CLI_REPORT_PARAMS_H
#define TUTTI_CLI_REPORT_PARAMS_H

#include "base/table.h"
#include "platforms/parameters.h"

struct params_report {
  const char *name; /* of the platform or machine */
  const char *flavor;
  const tutti_parameter_set *set;
  const tutti_platform *published; /* NULL: do not compare */
};

/* As text: the parameters model by model, PLogP by message size, and what reducing costs. JSON: all that is stored,
   too. CSV: that alone. */
tutti_status report_params(const struct params_report *report, tutti_format format, tutti_error *error);

#endif
