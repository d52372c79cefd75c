/* Child processes: start one, read its output, wait for its end. No child outlives the process that started it, even if
   that is killed; no descendant of a guarded child does. */
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

/* The program to start. */
struct tutti_command {
  char *const *arguments;                 /* ended by NULL; the first one is a path, or a name that is found in PATH */
  const char *program;                    /* executed instead of the first argument; NULL: that */
  const struct tutti_variable *variables; /* ended by a zeroed one; NULL: none */
  int directory;                          /* descriptor of the working directory; -1: that of the caller */
  int output, errors;                     /* descriptors; -1: those of the caller */
  int input;                              /* descriptor of its standard input; 0: that is empty */
  /* In a new process group, which signals of the terminal do not reach, and with default signals. The leader, whose
     number the caller gets, is a guard: a small process that forks the program, ends as it does, and is the parent of
     all orphans below it. When the program or the caller has ended, the guard kills the rest of them. It ignores all
     signals; tutti_process_end() asks it to kill all at once. */
  bool group;
  int seconds; /* tutti_process_capture(): the longest time that it may take; 0: TUTTI_CAPTURE_SECONDS */
  bool finish; /* tutti_process_capture(): signals to the caller do not end it */
};

enum {
  TUTTI_CAPTURE_SECONDS = 60,
  TUTTI_CAPTURE_FAILED = -1,      /* it could not be started, or was ended by a signal */
  TUTTI_CAPTURE_LATE = -2,        /* it took too long */
  TUTTI_CAPTURE_INTERRUPTED = -3, /* the caller got SIGINT, SIGTERM or SIGHUP, which it blocks and has still to take */
};

/* Start a child, without blocked signals. TUTTI_ERR_LAUNCH: "cannot start PROGRAM: REASON". */
tutti_status tutti_process_start(const struct tutti_command *command, pid_t *process, tutti_error *error);

/* Wait for its end; the status as from waitpid(), -1 if it is not a child of the caller. */
int tutti_process_wait(pid_t process);

/* Kill a child that leads a group, and all that is below it; its end is to be waited for. */
void tutti_process_end(pid_t process);

/**
 * Run a guarded child to its end and capture its output and errors; those of @p command are not read.
 * @param text  receives as much of it as fits in @p length bytes, with a terminating zero; the rest is read and dropped
 * @return its exit status, or one of TUTTI_CAPTURE_FAILED, _LATE and _INTERRUPTED: all of it has been ended then
 */
int tutti_process_capture(const struct tutti_command *command, char *text, size_t length);

/* The absolute path of an executable in PATH; links are not followed, because programs look at the name that they are
   called by. Owned by the caller, or NULL. */
char *tutti_program_find(const char *name);

/* ---- files beside the running executable: in the build tree or where it was installed ---- */

/* The directory of the running executable, without a slash at its end; owned by the caller, NULL if it is unknown. */
char *tutti_self_directory(void);

/* DIRECTORY/relative, where DIRECTORY is that of the executable, and each leading "../" removes a part of it; owned by
   the caller, NULL if it is unknown. */
char *tutti_self_path(const char *relative);

#endif
