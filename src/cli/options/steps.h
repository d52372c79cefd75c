/*
 * Steps of an experiment are command lines in a file that somebody else may have written. What they may do stands in
 * one list: subcommands and options that compute and store, and read what the experiment came with. Anything else needs
 * `tutti bench --trust`.
 *
 * bench starts a step with the variable TUTTI_STEP in its environment; the parser of the command line then refuses what
 * the list does not have, whatever its spelling.
 */
#ifndef TUTTI_CLI_STEPS_H
#define TUTTI_CLI_STEPS_H

#include <stdbool.h>

#include "tutti/error.h"

#define STEP_VARIABLE "TUTTI_STEP"

/* How deep steps may bench experiments with steps: an experiment that runs itself ends there. */
enum { STEP_MAX_DEPTH = 4 };

/* The value of the variable for a step that this process starts on a store, of an experiment in the folder @p here;
   owned by the caller. TUTTI_ERR_ARGUMENT: this process is a step itself, too deep. */
tutti_status step_environment(const char *here, const char *store, char **value, tutti_error *error);

/* The folder below which a step may write files, $work in its text: STORE.work/steps; owned by the caller. */
char *step_folder(const char *store);

/* If this process is a step, let it read only what the experiment came with, what steps wrote, and what is found by
   name: platforms and experiments (base/input.h). */
void step_confine(void);

/* May the process, called as "tutti NAME", run? Always if it is no step. TUTTI_ERR_ARGUMENT says what is refused. */
tutti_status step_check_command(const char *called, tutti_error *error);

/* May a step run this measuring program, which reads and writes no file, instead of a subcommand? */
bool step_is_program(const char *name);

/* May an option be given? @p option: its long name; @p value: may be NULL. */
tutti_status step_check_option(const char *called, const char *option, const char *value, tutti_error *error);

#endif
