#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/say.h"
#include "base/words.h"
#include "cli/output/output.h"

/* "list, show or check" */
static void list_verbs(const struct command *const *verbs, char *list, size_t length)
{
  size_t used = 0;
  for (int i = 0; verbs[i] && used < length; i++)
    used += (size_t)snprintf(list + used, length - used, "%s%s",
                             i == 0         ? ""
                             : verbs[i + 1] ? ", "
                                            : " or ",
                             verbs[i]->name);
}

/* What stands below the options of every command. */
static char *make_notes(const struct command *command)
{
  struct tutti_text_stream notes;
  tutti_xopen_text(&notes);
  if (command->notes)
    fprintf(notes.stream, "%s\n\n", command->notes);
  if (!command->notes || !strstr(command->notes, "Exit status:"))
    fputs("Exit status: 0 done, 2 wrong usage or bad input.\n\n", notes.stream);
  fputs("Examples:\n", notes.stream);
  for (const char *line = command->examples; line && *line; line += strspn(line, "\n")) {
    int length = (int)strcspn(line, "\n");
    fprintf(notes.stream, "  %.*s\n", length, line);
    line += length;
  }
  fprintf(notes.stream, "\nSee also: %s", command->see ? command->see : "tutti --help");
  return tutti_xclose_text(&notes);
}

/* No verb, one that is not known, or an option such as --help. */
static int explain_verbs(const struct command *command, int argc, char **argv)
{
  static const struct option_row none[] = {OPTION_END};
  char *notes = make_notes(command);
  const struct option_usage usage = {command->arguments, command->help, notes, command->list, NULL};
  char list[256] = "", meant[2 * TUTTI_GUESS_LENGTH];
  list_verbs(command->verbs, list, sizeof list);
  if (argc > 1 && argv[1][0] == '-')
    options_parse(none, &usage, argc, argv, NULL);
  free(notes);
  tutti_guess guess = {.word = argc > 1 ? argv[1] : ""};
  for (int i = 0; command->verbs[i]; i++)
    tutti_guess_try(&guess, command->verbs[i]->name);
  if (argc > 1)
    tutti_say(stderr, "%s: unknown verb '%s'%s: use %s\n", argv[0], argv[1], tutti_guess_text(&guess, meant), list);
  else
    tutti_say(stderr, "%s: say what to do: %s\n", argv[0], list);
  return EXIT_USAGE;
}

static int run_verb(const struct command *command, int argc, char **argv)
{
  for (int i = 0; argc > 1 && command->verbs[i]; i++)
    if (strcmp(argv[1], command->verbs[i]->name) == 0) {
      argv[1] = tutti_xprintf("%s %s", argv[0], command->verbs[i]->name);
      int code = command_run(command->verbs[i], argc - 1, argv + 1);
      free(argv[1]);
      return code;
    }
  return explain_verbs(command, argc, argv);
}

int command_run(const struct command *command, int argc, char **argv)
{
  if (command->verbs)
    return run_verb(command, argc, argv);
  char *notes = make_notes(command);
  const struct option_usage usage = {command->arguments, command->help, notes, command->list, command->refused};
  void *values = tutti_xcalloc(1, command->size);
  options_parse(command->options, &usage, argc, argv, values);
  free(notes);
  patience_begin(argv[0]);
  int code = command->run(values);
  patience_end();
  options_free(command->options, values);
  free(values);
  return code;
}
