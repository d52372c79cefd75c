/* tutti fit: which points, and what is printed. */
#ifndef TUTTI_CLI_FIT_H
#define TUTTI_CLI_FIT_H

#include "base/table.h"
#include "cli/options/option.h"
#include "harness/experiments/calibrate/fit.h"

struct fit_options {
  const char *platform;
  struct fit_request request;     /* but for the platform, and these two: */
  struct option_strings settings; /* words NAME=VALUE, or NAME= */
  struct option_numbers ranks;
  const char *output;
  int points;
  struct option_strings varied;
  bool check;
  int fitted;
  bool unfitted, per_algorithm;
  tutti_format format;
};

/* Rows for a struct placement_files. */
extern const struct option_row placement_table[];

void fit_print(const struct fit *fit, tutti_format format);

/* How near the simulated times are: a row a collective and one for all of them. */
void accuracy_print(const struct fit_points *points, tutti_format format);

#endif
