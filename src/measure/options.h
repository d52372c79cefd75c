/* The command line of a measuring program, read by rank 0 alone. */
#ifndef TUTTI_MEASURE_OPTIONS_H
#define TUTTI_MEASURE_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

#include "tutti/error.h"

struct options {
  char *text; /* of the points to measure, as in a points file; owned; NULL if there is nothing to do (--help) */
  char *name; /* the file that the points come from, for messages; owned; NULL: the command line */
};

/* Read the command line of a measuring program, and the points file if it names one. Free with options_free()
   in any case. */
tutti_status options_read(int argc, char **argv, struct options *options, tutti_error *error);
tutti_status group_options_read(int argc, char **argv, struct options *options, tutti_error *error);
tutti_status sort_options_read(int argc, char **argv, struct options *options, tutti_error *error);
tutti_status range_options_read(int argc, char **argv, struct options *options, tutti_error *error);

/* Part of the input of a program's parser, which hands it on (ARGP_KEY_INIT). */
struct common_words {
  const char *program; /* "tutti-bench" */
  bool handled;        /* --help or --version has been answered */
};

/* --help, --version, and refusal of words that are not options: the children of a program's argp; their input is a
   struct common_words. */
extern const struct argp_child options_common[];

/* Parse with argp, which neither exits nor has options of its own. */
tutti_status options_parse(const struct argp *program, int argc, char **argv, void *words, tutti_error *error);

/* Take the points from a file. */
tutti_status options_read_file(const char *path, struct options *options, tutti_error *error);

void options_free(struct options *options);

#endif
