/* Options of tutti schedule that say which files to write. */
#ifndef TUTTI_CLI_SCHEDULE_FILES_H
#define TUTTI_CLI_SCHEDULE_FILES_H

#include <argp.h>

#include "tutti/analysis.h"
#include "tutti/model.h"

struct schedule_files {
  const char *goal, *dot, *timeline; /* paths; NULL: none */
  tutti_goal times;                  /* of the GOAL file; gamma and delta of those too */
  tutti_model network;               /* of timeline and critical path, without gamma and delta */
  const char *computing;             /* "gamma" or "delta", whichever was given last; NULL: neither */
  bool has_unit, has_model;
  bool path; /* print the critical path */
};

struct schedule_files schedule_files_defaults(void);

/* A child of the argp of tutti schedule; its input is a struct schedule_files. */
extern const struct argp schedule_files_argp;

/* Write what was asked for, and print the critical path. The error names the file. */
tutti_status schedule_files_write(const struct schedule_files *files, const tutti_method *method,
                                  const tutti_call *call, tutti_error *error);

/* The steps of the critical path, on standard output. */
tutti_status schedule_path_print(const tutti_method *method, const tutti_call *call, const tutti_model *model,
                                 tutti_error *error);

#endif
