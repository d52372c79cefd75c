/**
 * @file take.h
 * @ingroup store
 * Taking records into the store that programs printed when people ran them by hand, under smpirun or mpiexec.
 *
 * What was printed is a row of runs, each a tutti-run record, then its records, then tutti-end with their number. Lines
 * that are not records are passed over. A run that did not end well is a fault: nothing is believed then, and nothing
 * is stored.
 */
#ifndef TUTTI_TAKE_H
#define TUTTI_TAKE_H

#include <stdio.h>

#include "tutti/record.h"
#include "tutti/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Whole runs, read. Zero-initialize; tutti_taken_free(). */
typedef struct tutti_taken {
  tutti_record *records; /**< [count] RUN records, each followed by what it measured; owned */
  size_t count;
  size_t capacity;
  size_t runs;
} tutti_taken;

/**
 * Append the runs of one file or pipe, read to its end. Makes O(records) memory.
 * @param name  for messages
 * @return TUTTI_ERR_ARGUMENT naming the line of a record that cannot be used, or the run that did not end well;
 *         TUTTI_ERR_IO, TUTTI_ERR_MEMORY. Whatever was appended before a failure should not be stored.
 */
tutti_status tutti_taken_read(tutti_taken *taken, FILE *stream, const char *name, tutti_error *error);

/**
 * Put all of it into the store in one transaction. The environment of a run is @p platform and what its tutti-run
 * record says.
 * @param platform  what tutti_platform_find() looks up for simulated runs (flavor smpi); for others the name of the
 *                  machine
 * @return as tutti_platform_read(), tutti_store_add()
 */
tutti_status tutti_taken_store(const tutti_taken *taken, const char *platform, tutti_store *store, tutti_error *error);

void tutti_taken_free(tutti_taken *taken);

#ifdef __cplusplus
}
#endif
#endif
