/**
 * @file import_runs.h
 * @ingroup store
 * Importing records that programs of Tutti printed when people ran them by hand, under smpirun or mpiexec.
 *
 * The output is a sequence of runs: a tutti-run record, the records of the run, then tutti-end with their number. Lines
 * that are not records are ignored. A run without a correct end is an error, and nothing is stored.
 */
#ifndef TUTTI_IMPORT_RUNS_H
#define TUTTI_IMPORT_RUNS_H

#include <stdio.h>

#include "tutti/record.h"
#include "tutti/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Whole runs, read. Zero-initialize; tutti_imported_runs_free(). */
typedef struct tutti_imported_runs {
  tutti_record *records; /**< [count] RUN records, each followed by what it measured; owned */
  size_t count;
  size_t capacity;
  size_t runs;
  char *warnings; /**< fields that are no columns, ignored: a line FILE:LINE: ... for each name once a file; owned, or
                     NULL */
} tutti_imported_runs;

/**
 * Append the runs of one file or pipe, read to its end. Makes O(records) memory.
 * @param name  for messages
 * @return TUTTI_ERR_ARGUMENT naming the line of a record that cannot be used, or the run that did not end well;
 *         TUTTI_ERR_IO. Whatever was appended before a failure should not be stored.
 */
tutti_status tutti_import_runs_read(tutti_imported_runs *runs, FILE *stream, const char *name, tutti_error *error);

/**
 * Put all of it into the store in one transaction. The environment of a run is @p platform and what its tutti-run
 * record says.
 * @param platform  what tutti_platform_find() looks up for simulated runs (flavor smpi); for others the name of the
 *                  machine
 * @return as tutti_platform_read(), tutti_store_add()
 */
tutti_status tutti_import_runs_store(const tutti_imported_runs *runs, const char *platform, tutti_store *store,
                                     tutti_error *error);

void tutti_imported_runs_free(tutti_imported_runs *runs);

#ifdef __cplusplus
}
#endif
#endif
