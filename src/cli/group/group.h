/* Building what the command line of tutti group asks for. */
#ifndef TUTTI_CLI_GROUP_H
#define TUTTI_CLI_GROUP_H

#include "base/table.h"
#include "cli/program.h"
#include "tutti/experiment.h"

struct group_options {
  tutti_group_sweep sweep; /* owned */
  bool all_builders;       /* then what one of them cannot build, but others can, is passed over, else it is an error */
  const char *platform;    /* NULL: within this process */
  struct program_options launch; /* without a database nothing is stored, only within this process */
  tutti_format format;
};

/* What was built, ordered by tutti_group_point_compare(). */
struct group_results {
  tutti_group_run *builds; /* owned */
  size_t count;
};

/* Build within this process; also into the store, if one is named. */
tutti_status group_build_in_process(const struct group_options *options, struct group_results *results,
                                    tutti_error *error);

/* Simulate what the store does not have yet, and read all of it from there. *signal: as in tutti_run_summary. */
tutti_status group_simulate(const struct group_options *options, struct group_results *results, int *signal,
                            tutti_error *error);

/* Print what was built: as text a table for each draw, a line for each builder. @p where: the platform. */
tutti_status report_group(const struct group_results *results, const char *where, tutti_format format,
                          tutti_error *error);

#endif
