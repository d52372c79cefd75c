/* tutti import: its options, and what it prints in the end. */
#ifndef TUTTI_CLI_IMPORT_IMPORT_H
#define TUTTI_CLI_IMPORT_IMPORT_H

#include "cli/options/common.h"
#include "cli/output/output.h"
#include "tutti/import.h"

struct import_options {
  const char *database;
  tutti_import_how how;
  tutti_import_machine machine;
  struct option_strings files, told;
  tutti_method methods[TUTTI_COLL_COUNT]; /* those of --as */
  bool own;                               /* printed by programs of Tutti */
  bool stores, keep;                      /* the files are stores; of values that differ the earlier ones stay */
  bool strict, verbose;
  tutti_format printed;
};

/* Of other benchmarks, and of programs of Tutti. @{ */
void import_report(const struct import_options *options, const tutti_imported *imported,
                   const tutti_import_stored *counts);
void import_report_runs(const struct import_options *options, const tutti_imported_runs *runs);
/* @} */

/* Put all that is in stores into one: all of it or, if anything is wrong, nothing. */
void import_stores(const struct import_options *options);

#endif
