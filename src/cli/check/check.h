/* tutti check: what its parts share. */
#ifndef TUTTI_CLI_CHECK_H
#define TUTTI_CLI_CHECK_H

#include "base/table.h"
#include "cli/options/option.h"
#include "cli/program.h"
#include "tutti/baseline.h"

struct check_options {
  struct program_options launch;
  struct option_strings baselines, experiments; /* paths, as given */
  tutti_tolerance tolerance;
  const char *junit; /* NULL: none */
  const char *keep;  /* where to leave the store; NULL: nowhere */
  bool update;
  tutti_format format;
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
   one for each, zero-initialized. */
tutti_status check_read(const struct check_options *options, struct checked *checked, tutti_error *error);

/* Put what was measured in place of the baseline. */
tutti_status check_write(struct checked *checked, tutti_error *error);

/* Print what was compared. @p updating: what is new is counted, but not listed, and no advice is given. */
tutti_status report_check(const tutti_baseline_comparison *comparisons, size_t count, bool updating,
                          tutti_format format, tutti_error *error);

/* The same as JSON or CSV. */
tutti_status report_check_data(const tutti_baseline_comparison *comparisons, size_t count, tutti_format format,
                               tutti_error *error);

#endif
