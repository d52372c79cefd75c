/*
 * How a command fails: one sentence on standard error, "tutti: MESSAGE", and the process ends with EXIT_USAGE. So
 * functions of commands return no status and take no tutti_error; what the wings below return is handed to must():
 *
 *   tutti_store *store = store_open(path);
 *   must(tutti_parameters_read(store, &selection, &set, &failure));
 *   if (set.count == 0)
 *     die("%s: no parameters", path);
 *   store_close(store);
 *
 * A status stays where somebody goes on after a failure: rows that are counted as failed, a guess that may be wrong,
 * what unit tests and fuzzers feed with faults, and what the wings below call, which have stores and processes open.
 *
 * The header also brings what nearly every file of the command uses: standard output, memory, texts and messages. A
 * file does not include again what a header of cli brings along.
 *
 * Memory is left to the end of the process. What would stay behind it is put on a list while it is there, and undone in
 * reverse order before the sentence is printed: files that are half written, stores (their -wal files), work folders.
 */
#ifndef TUTTI_CLI_FAILURE_H
#define TUTTI_CLI_FAILURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/say.h"
#include "base/text.h"
#include "tutti/store.h"

/* Exit statuses of the command (design: exit 1 is a check that found something). */
enum { EXIT_DONE = 0, EXIT_FOUND = 1, EXIT_USAGE = 2 };

/* What went wrong, filled in by the call that must() gets. */
extern tutti_error failure;

/* Go on if the status is TUTTI_OK, else end the process with what `failure` says. */
void must(tutti_status status);

/* End the process with a sentence. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* End the process with the exit status of another command, which has said why. */
_Noreturn void failure_end(int code);

/* The signal that ended what a command ran, so that a failure ends the process with 128 + that; 0: none. */
extern int failure_signal;

/* Hand the sentence to somebody else, who ends the process: the parser of the command line, which says it in its own
   way. NULL: nobody. */
void failure_report_by(void (*report)(const char *message, void *context), void *context);

/* ---- what is undone ---- */

/* Call undo(what) if the process fails before failure_forget(), which takes off the last one. @{ */
void failure_undo(void (*undo)(void *what), void *what);
void failure_forget(void);
/* @} */

/* tutti_output_begin() and tutti_output_end(): the file is there if the second one is reached. @{ */
void output_begin(const char *path, struct tutti_output *output);
void output_end(struct tutti_output *output);
/* @} */

/* Open a store, which is made if it is not there, or one that must be there. @{ */
tutti_store *store_open(const char *path);
tutti_store *store_open_existing(const char *path);
void store_close(tutti_store *store);
/* @} */

/* The path of a file in a new folder for a simulation, owned by the caller; end it to remove both. @{ */
char *simulation_file_begin(const char *name);
void simulation_file_end(char *path);
/* @} */

/* ---- the end ---- */

/* Print "tutti: MESSAGE" on standard error and go on; returns EXIT_USAGE. */
int complain(const tutti_error *error);

/* The exit status of the process: @p code, unless standard output could not be written, as on a full disk. */
int exit_status(int code);

#endif
