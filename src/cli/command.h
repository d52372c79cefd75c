/*
 * The subcommands of tutti. Each is a descriptor, command_NAME, in its own file, and a line in commands.def:
 *
 *   const struct command command_hello = {
 *       .name = "hello",
 *       .text = tutti_help_hello,       // help/hello.txt, embedded: summary, synopsis, description, notes, examples
 *       .options = options,             // cli/options/option.h
 *       .size = sizeof(struct hello),   // which its rows are about
 *       .run = run_hello,
 *   };
 *
 * Manual pages, of verbs too, are made of the files in help/: NAME.txt, and NAME_VERB.txt of a verb.
 */
#ifndef TUTTI_CLI_COMMAND_H
#define TUTTI_CLI_COMMAND_H

#include "cli/failure.h"
#include "cli/options/option.h"

struct command {
  const char *name;
  const char *text;    /* command_text.h; the synopsis may be that of the table, the notes have the exit status, if it
                          is another than that of most; tests/e2e/cli/first_use.sh tries the options of the examples */
  char *(*list)(void); /* makes more of the notes, to be freed: what a table knows; may be NULL */
  void (*refused)(int count, char *const *words,
                  const char *why); /* writes what else is to be written where the command
                                       line is wrong, or a plug-in; may be NULL */
  const struct option_row *options;
  size_t size;              /* of the values */
  int (*run)(void *values); /* values: read by the options; returns an exit status, or dies (cli/failure.h) */

  const struct command *const *verbs; /* instead of options: what the second word can be; NULL at the end */
};

/* Run a command; argv[0] is "tutti NAME", which messages begin with. Returns an exit status; wrong usage ends the
   program. */
int command_run(const struct command *command, int argc, char **argv);

#endif
