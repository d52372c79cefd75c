/* What tutti-params is asked: one line, as `tutti params` writes it into a file.

       tutti-points v=1 largest_B=1048576 tolerance=0.1 */
#ifndef TUTTI_MEASURE_PARAMS_H
#define TUTTI_MEASURE_PARAMS_H

#include <stdint.h>

#include "measure/options.h"

struct params {
  uint64_t largest; /* message, bytes */
  double tolerance; /* by which interpolation between message sizes may miss */
};

tutti_status params_options_read(int argc, char **argv, struct options *options, tutti_error *error);

/* Read that line, which is changed; name: of its file, NULL for the command line. */
tutti_status params_parse(char *text, const char *name, struct params *params, tutti_error *error);

#endif
