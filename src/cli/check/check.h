/* tutti check: what its parts share. */
#ifndef TUTTI_CLI_CHECK_H
#define TUTTI_CLI_CHECK_H

#include "cli/program.h"
#include "tutti/baseline.h"

struct check_options {
  struct program_options launch;
  char **baselines; /* [baseline_count] paths, as given */
  size_t baseline_count;
  char **experiments; /* [experiment_count] among the arguments */
  size_t experiment_count;
  tutti_tolerance tolerance;
  const char *junit; /* NULL: none */
  const char *keep;  /* where to leave the store; NULL: nowhere */
  bool update;
  bool json;
};

/* A baseline and what was measured for it. */
struct checked {
  tutti_baseline before, after;
  tutti_baseline_comparison comparison;
};

/* A store that nobody else knows. */
struct scratch {
  char *folder;
  char *database;
};

/* Make its folder, beside @p keep if that is given, which must not be there yet. */
tutti_status scratch_open(const char *keep, struct scratch *scratch, tutti_error *error);

/* Remove the folder; before, if @p status, which is returned, is TUTTI_OK, leave the store in @p keep if that is given.
 */
tutti_status scratch_close(struct scratch *scratch, const char *keep, tutti_status status, tutti_error *error);

/* Read the baselines, or for an update begin those that are not there, and see that they can be written:
   [baseline_count] of them, zero-initialized. */
tutti_status check_read(const struct check_options *options, struct checked *checked, tutti_error *error);

/* Put what was measured in place of the baseline. */
tutti_status check_write(struct checked *checked, tutti_error *error);

#endif
