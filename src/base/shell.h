/* How variables and parameters are set by shells and by what starts ranks: "export NAME=VALUE", "setenv NAME VALUE",
   "NAME=VALUE program", "mpirun --mca NAME VALUE", "mpiexec -genv NAME VALUE", "srun --export=ALL,NAME=VALUE". */
#ifndef TUTTI_BASE_SHELL_H
#define TUTTI_BASE_SHELL_H

#include <stdbool.h>
#include <stddef.h>

enum shell_kind {
  SHELL_SET,     /* a name gets a value that is not empty */
  SHELL_UNSET,   /* a name loses its value, or gets an empty one */
  SHELL_WORD,    /* a word that does neither */
  SHELL_COMMAND, /* a program runs, or a branch of the script begins or ends */
  SHELL_LAUNCH,  /* ranks start */
};

struct shell_event {
  enum shell_kind kind;
  size_t at;                     /* the name, or the word */
  size_t length;                 /* of the name, or of the word */
  size_t value_at, value_length; /* without quotes */
  size_t command;                /* the number of the command, from 0 */
  bool mca;                      /* a parameter of Open MPI, without a prefix */
  bool of_command;               /* it holds for this command only */
};

typedef void shell_function(const struct shell_event *event, void *context);

/* What the text is: */
enum shell_text {
  SHELL_SCRIPT,
  SHELL_LINES, /* lines of NAME=VALUE: a command after one must look like a command */
  SHELL_LOG,   /* the same, and NAME=VALUE counts anywhere in a line; quotes are blanks */
};

/**
 * Read the text from @p begin to @p end. Lines that end with a backslash go on. Settings of a command may precede it.
 * @param take  NULL: read until a script is recognized
 * @return whether only a script or a log has such lines: it exports, removes or sets by a command, or ranks start
 */
bool tutti_shell_read(const char *text, size_t begin, size_t end, enum shell_text what, shell_function *take,
                      void *context);

#endif
