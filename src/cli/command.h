/*
 * The subcommands of tutti. Each is a descriptor, command_NAME, in its own file, and a line in commands.def:
 *
 *   DEFINE_COMMAND(hello, "hello", options, struct hello, run_hello);
 *
 * its options (cli/options/option.h), the struct that their rows are about, and the function that runs. Its texts are
 * help/hello.txt, embedded: summary, synopsis, description, notes, examples.
 *
 * Manual pages, of verbs too, are made of the files in help/: NAME.txt, and NAME_VERB.txt of a verb.
 */
#ifndef TUTTI_CLI_COMMAND_H
#define TUTTI_CLI_COMMAND_H

#include "cli/options/option.h"
#include "tutti/algorithm.h"

struct command {
  const char *name;
  const char *text;    /* below; the synopsis may be that of the table, the notes have the exit status, if it
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

/* More members of the descriptor may follow. A verb is VERB of COMMAND: command_COMMAND_VERB, "verb". */
#define DEFINE_COMMAND(id, name_, options_, type, run_, ...)                                                           \
  extern const char tutti_help_##id[];                                                                                 \
  const struct command command_##id = {.name = (name_),                                                                \
                                       .text = tutti_help_##id,                                                        \
                                       .options = (options_),                                                          \
                                       .size = sizeof(type),                                                           \
                                       .run = (run_),                                                                  \
                                       __VA_ARGS__}

/*
 * What a command says of itself, help/NAME.txt: the summary in the first line, then sections under SYNOPSIS,
 * DESCRIPTION, NOTES, EXAMPLES and SEE ALSO, each of which may be missing. Lines of a paragraph are joined, but for
 * those of SYNOPSIS and EXAMPLES, and those that begin with a blank.
 */
enum command_section { SECTION_SYNOPSIS, SECTION_DESCRIPTION, SECTION_NOTES, SECTION_EXAMPLES, SECTION_SEE_ALSO };

/* A section without its heading; NULL: missing. Owned by the caller. */
char *command_section(const char *text, enum command_section section);

/* Length of the summary, with which the text begins. */
int command_summary_length(const char *text);

/* Run a command; argv[0] is "tutti NAME", which messages begin with. Returns an exit status; wrong usage ends the
   program. */
int command_execute(const struct command *command, int argc, char **argv);

/* Load a plug-in as --plugin does, for the programs that this one starts, too (plugins.c). */
tutti_status plugin_load(const char *path, tutti_error *error);

/* The same of a file that has one algorithm; a failure ends the program. */
const tutti_algorithm *plugin_load_only(const char *path);

/* From now on a build function that crashes ends with an error. */
void plugins_guard(void);

#endif
