/* The command line of tutti-bench, read by rank 0 alone. */
#ifndef TUTTI_MEASURE_OPTIONS_H
#define TUTTI_MEASURE_OPTIONS_H

#include <stdbool.h>

#include "tutti/error.h"

struct options {
  char *text; /* of the points to measure, as in a points file; owned; NULL if there is nothing to do (--help) */
  char *name; /* where the points come from, for messages; owned */
};

/* Read the command line, and the points file if it names one. Free with options_free() in any case. */
tutti_status options_read(int argc, char **argv, struct options *options, tutti_error *error);
void options_free(struct options *options);

#endif
