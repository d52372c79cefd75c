/* The options of tutti export. */
#ifndef TUTTI_CLI_EXPORT_H
#define TUTTI_CLI_EXPORT_H

#include "cli/options/selection.h"
#include "tutti/target.h"

struct export_options {
  struct selection_options selection;
  const tutti_target *target;
  const char *path;            /* NULL: standard output */
  int least_ranks, most_ranks; /* 0: not said */
  bool extend;
  int collective; /* -1: all that the decisions answer for */
  int count;
  char **names; /* among the arguments of the command */
};

/* Its input is a struct export_options. */
extern const struct argp export_argp;

#endif
