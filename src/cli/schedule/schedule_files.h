/* Options of tutti schedule that say which files to write. */
#ifndef TUTTI_CLI_SCHEDULE_FILES_H
#define TUTTI_CLI_SCHEDULE_FILES_H

#include "cli/options/option.h"
#include "tutti/analysis.h"
#include "tutti/model.h"

struct schedule_files {
  const char *goal, *dot, *timeline;              /* paths; NULL: none */
  tutti_goal times;                               /* of the GOAL file; gamma and delta of those too */
  tutti_model network;                            /* of timeline and critical path, without gamma and delta */
  bool has_unit, has_model, has_gamma, has_delta; /* given */
  bool path;                                      /* print the critical path */
};

/* Rows for a struct schedule_files. */
extern const struct option_row schedule_files_table[];

/* Write what was asked for, and print the critical path. The error names the file. */
tutti_status schedule_files_write(const struct schedule_files *files, const tutti_method *method,
                                  const tutti_call *call, tutti_error *error);

#endif
