#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

int complain(const tutti_error *error)
{
  fflush(stdout);
  fprintf(stderr, "tutti: %s\n", error->message);
  return EXIT_USAGE;
}

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

/* No verb, one that is not known, or an option such as --help. */
static int explain_verbs(const struct command *command, int argc, char **argv)
{
  static const struct option_row none[] = {OPTION_END};
  const struct option_usage usage = {command->arguments, command->help, command->notes, command->list};
  char list[256] = "";
  list_verbs(command->verbs, list, sizeof list);
  if (argc > 1 && argv[1][0] == '-')
    options_parse(none, &usage, argc, argv, NULL);
  if (argc > 1)
    fprintf(stderr, "%s: unknown verb '%s': use %s\n", argv[0], argv[1], list);
  else
    fprintf(stderr, "%s: say what to do: %s\n", argv[0], list);
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
  const struct option_usage usage = {command->arguments, command->help, command->notes, command->list};
  void *values = tutti_xcalloc(1, command->size);
  options_parse(command->options, &usage, argc, argv, values);
  int code = command->run(values);
  options_free(command->options, values);
  free(values);
  return code;
}
