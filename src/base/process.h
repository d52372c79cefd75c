/* Child processes: start one, hear what it says, wait for its end. No child outlives the process that started it, even
   if that is killed. */
#ifndef TUTTI_BASE_PROCESS_H
#define TUTTI_BASE_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "tutti/error.h"

/* An environment variable that a child has otherwise than its parent. */
struct tutti_variable {
  const char *name;
  const char *value; /* NULL: it is unset */
};

/* What to start. */
struct tutti_command {
  char *const *arguments;                 /* ended by NULL; the first one is a path, or a name that is found in PATH */
  const char *program;                    /* executed instead of the first argument; NULL: that */
  const struct tutti_variable *variables; /* ended by a zeroed one; NULL: none */
  int directory;                          /* descriptor of the working directory; -1: that of the caller */
  int output, errors;                     /* descriptors; -1: those of the caller. Input is empty. */
  bool group; /* leader of a new process group, which signals of the terminal do not reach; with default signals */
};

/* Start a child, without blocked signals. TUTTI_ERR_LAUNCH: "cannot start PROGRAM: REASON". */
tutti_status tutti_process_start(const struct tutti_command *command, pid_t *process, tutti_error *error);

/* Wait for its end; the status as from waitpid(), -1 if it is no child of the caller. */
int tutti_process_wait(pid_t process);

/**
 * Run a child to its end and keep what it writes to its output and errors; those of @p command are not read.
 * @param text  receives as much of it as @p length bytes hold, with a terminating zero; the rest is read and forgotten
 * @return its exit status; -1 if it could not be started or was ended by a signal
 */
int tutti_process_capture(const struct tutti_command *command, char *text, size_t length);

/* The absolute path of an executable in PATH; links are not followed, because programs look at the name that they are
   called by. Owned by the caller; NULL if there is none. */
char *tutti_program_find(const char *name);

/* ---- files that lie beside the running executable: in the build tree or where it was installed ---- */

/* The directory of the running executable, without a slash at its end; owned by the caller, NULL if it is unknown. */
char *tutti_self_directory(void);

/* DIRECTORY/relative, DIRECTORY being that of the executable; owned by the caller, NULL if it is unknown. */
char *tutti_self_path(const char *relative);

#endif
