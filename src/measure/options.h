/* The command line of a measuring program, read by rank 0 alone. */
#ifndef TUTTI_MEASURE_OPTIONS_H
#define TUTTI_MEASURE_OPTIONS_H

#include <stdbool.h>

#include "tutti/error.h"

struct options {
  char *text; /* of the points to measure, as in a points file; owned; NULL if there is nothing to do (--help) */
  char *name; /* where the points come from, for messages; owned */
};

/* Read the command line of tutti-bench, or tutti-group, and the points file if it names one. Free with options_free()
   in any case. */
tutti_status options_read(int argc, char **argv, struct options *options, tutti_error *error);
tutti_status group_options_read(int argc, char **argv, struct options *options, tutti_error *error);

/* Take the points from a file. */
tutti_status options_read_file(const char *path, struct options *options, tutti_error *error);

void options_free(struct options *options);

#endif
