#include "cli/command.h"

#include "base/words.h"
#include "cli/meaning.h"
#include "cli/output/output.h"

/* "list, show or check" */
static void list_verbs(const struct command *const *verbs, char *list, size_t length)
{
  for (int i = 0; verbs[i]; i++)
    text_append(list, length, "%s%s", i == 0 ? "" : verbs[i + 1] ? ", " : " or ", verbs[i]->name);
}

/* What stands below the options of every command. */
static char *make_notes(const struct command *command)
{
  struct tutti_text_stream stream;
  tutti_xopen_text(&stream);
  char *notes = command_section(command->text, SECTION_NOTES), *see = command_section(command->text, SECTION_SEE_ALSO);
  char *examples = command_section(command->text, SECTION_EXAMPLES);
  if (notes)
    fprintf(stream.stream, "%s\n\n", notes);
  if (!notes || !strstr(notes, "Exit status:"))
    fputs("Exit status: 0 done, 2 wrong usage or bad input.\n\n", stream.stream);
  fputs("Examples:\n", stream.stream);
  char *rest = examples;
  for (const char *line; (line = strsep(&rest, "\n"));)
    fprintf(stream.stream, "  %s\n", line);
  fprintf(stream.stream, "\nSee also: %s", see ? see : "tutti --help");
  free(examples);
  free(see);
  free(notes);
  return tutti_xclose_text(&stream);
}

/* Parse options as the texts of the command say. */
static void parse(const struct command *command, const struct option_row *table, int argc, char **argv, void *values)
{
  char *synopsis = command_section(command->text, SECTION_SYNOPSIS), *notes = make_notes(command);
  char *description = command_section(command->text, SECTION_DESCRIPTION);
  const struct option_usage usage = {synopsis, description, notes, command->list, command->refused};
  options_parse(table, &usage, argc, argv, values);
  free(description);
  free(notes);
  free(synopsis);
}

static bool is_verb(const char *name, const void *of)
{
  const struct command *const *verb = of;
  while (*verb && strcmp((*verb)->name, name) != 0)
    verb++;
  return *verb;
}

/* " (did you mean 'list'?)", or "". */
static char *verb_meant(const struct command *const *verbs, const char *word, char meant[2 * TUTTI_GUESS_LENGTH])
{
  tutti_guess guess = {.word = word};
  const struct meaning *meaning = meaning_find(verb_meanings, word, is_verb, verbs);
  for (int i = 0; verbs[i]; i++)
    tutti_guess_try(&guess, verbs[i]->name);
  if (!meaning)
    return tutti_guess_text(&guess, meant);
  snprintf(meant, 2 * (size_t)TUTTI_GUESS_LENGTH, " (did you mean '%s'?)", meaning->name);
  return meant;
}

/* No verb, one that is not known, or an option such as --help. */
static int explain_verbs(const struct command *command, int argc, char **argv)
{
  static const struct option_row none[] = {OPTION_END};
  char list[256] = "", meant[2 * TUTTI_GUESS_LENGTH];
  list_verbs(command->verbs, list, sizeof list);
  if (argc > 1 && argv[1][0] == '-')
    parse(command, none, argc, argv, NULL);
  if (argc > 1)
    tutti_say(stderr, "%s: unknown verb '%s'%s: use %s\n", argv[0], argv[1], verb_meant(command->verbs, argv[1], meant),
              list);
  else
    tutti_say(stderr, "%s: say what to do: %s\n", argv[0], list);
  return EXIT_USAGE;
}

static int run_verb(const struct command *command, int argc, char **argv)
{
  for (int i = 0; argc > 1 && command->verbs[i]; i++)
    if (strcmp(argv[1], command->verbs[i]->name) == 0) {
      argv[1] = tutti_xprintf("%s %s", argv[0], command->verbs[i]->name);
      int code = command_execute(command->verbs[i], argc - 1, argv + 1);
      free(argv[1]);
      return code;
    }
  return explain_verbs(command, argc, argv);
}

int command_execute(const struct command *command, int argc, char **argv)
{
  if (command->verbs)
    return run_verb(command, argc, argv);
  void *values = tutti_xcalloc(1, command->size);
  parse(command, command->options, argc, argv, values);
  patience_begin(argv[0]);
  int code = command->run(values);
  patience_end();
  options_free(command->options, values);
  free(values);
  return code;
}
