/* tutti: the list of subcommands and the way to them. */
#include <argp.h>
#include <errno.h>
#include <unistd.h>

#include "base/words.h"
#include "cli/command.h"
#include "cli/meaning.h"
#include "cli/options/steps.h"
#include "cli/output/output.h"
#include "tutti/plugin.h"

#define GROUP(name)
#define COMMAND(name) extern const struct command command_##name;
#include "cli/commands.def"
#undef COMMAND
extern const struct command command_rank_maps; /* an old name, which no list has */

#define COMMAND(name) &command_##name,
static const struct command *const commands[] = {
#include "cli/commands.def"
    &command_rank_maps,
};
#undef COMMAND
#undef GROUP

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

/* Old names, accepted for one version. */
static const struct alias {
  const char *name, *command;
  const char *option; /* put before the user's; may be NULL */
} aliases[] = {
    {"accuracy", "fit", "--check"},
    {"maps", "rank-maps", NULL},
    {"merge", "import", "--format=store"},
    {"take", "import", "--format=tutti"},
};

static void print_line(FILE *stream, const struct command *command)
{
  fprintf(stream, "  %-12s %.*s\n", command->name, command_summary_length(command->text), command->text);
}

static void print_help(FILE *stream)
{
  fprintf(stream, "Usage: tutti SUBCOMMAND [OPTION...]\n"
                  "Finds, proves and hands over the best way to run MPI collective operations.\n\nSubcommands:\n");
#define GROUP(name) fputs(" " name ":\n", stream);
#define COMMAND(id) print_line(stream, &command_##id);
#include "cli/commands.def"
#undef COMMAND
#undef GROUP
  fprintf(stream, "\nOptions:\n"
                  "  --help             print this help\n"
                  "  --version          print the version\n"
                  "  --plugin FILE.so   with every subcommand: load algorithms; also from the\n"
                  "                     environment, TUTTI_PLUGINS=FILE.so:...\n"
                  "\nWhere to begin: `tutti doctor` says what is there. In one command: `tutti tune`\n"
                  "the MPI library of this machine, `tutti place` an algorithm, `tutti forecast` a\n"
                  "program on another network, `tutti check --init` a gate in a repository.\n"
                  "\n`tutti help SUBCOMMAND` says more about a subcommand. Exit status: 0 done,\n"
                  "1 a check found a fault or a regression, 2 wrong usage or bad input,\n"
                  "130 ended by Ctrl-C, 143 by SIGTERM.\n"
                  "\nExamples:\n"
                  "  tutti tune allreduce,bcast --budget 5min\n"
                  "  tutti place bcast/binomial --platform grig_mx\n"
                  "  tutti bench bcast --platform grig_mx -P 8..64*2 -s 4B..1MB*4\n"
                  "\nSee also: docs/tutorial/ten-minutes.md, docs/reference/commands.md\n");
}

static const struct command *find_command(const char *name)
{
  for (int i = 0; i < COMMAND_COUNT; i++)
    if (strcmp(commands[i]->name, name) == 0)
      return commands[i];
  return NULL;
}

static bool is_command(const char *name, const void *of)
{
  (void)of;
  return find_command(name);
}

static int unknown_command(const char *name)
{
  char meant[2 * TUTTI_GUESS_LENGTH];
  tutti_guess guess = {.word = name};
  const struct meaning *meaning = meaning_find(command_meanings, name, is_command, NULL);
  for (int i = 0; i < COMMAND_COUNT; i++)
    tutti_guess_try(&guess, commands[i]->name);
  if (meaning)
    tutti_fail(&failure, TUTTI_ERR_ARGUMENT, "unknown subcommand '%s': tutti %s %s; tutti --help lists all", name,
               meaning->name, meaning->does);
  else
    tutti_fail(&failure, TUTTI_ERR_ARGUMENT, "unknown subcommand '%s'%s: tutti --help lists them", name,
               tutti_guess_text(&guess, meant));
  return complain(&failure);
}

static int run_command(const struct command *command, int argc, char **argv)
{
  char name[64];
  snprintf(name, sizeof name, "tutti %s", command->name);
  argv[0] = name; /* argp names it in messages */
  tutti_error error;
  if (step_check_command(name, &error) != TUTTI_OK) {
    tutti_say(stderr, "%s: %s\n", name, error.message);
    return EXIT_USAGE;
  }
  step_confine();
  return command_execute(command, argc, argv);
}

static int run_alias(const struct alias *alias, int argc, char **argv)
{
  char **arguments = tutti_xcalloc((size_t)argc + 2, sizeof *arguments);
  tutti_say(stderr, "tutti: note: tutti %s is an old name of tutti %s%s%s\n", alias->name, alias->command,
            alias->option ? " " : "", alias->option ? alias->option : "");
  arguments[1] = (char *)alias->option;
  int before = alias->option ? 2 : 1;
  memcpy(arguments + before, argv + 1, (size_t)argc * sizeof *arguments);
  int code = run_command(find_command(alias->command), argc - 1 + before, arguments);
  free(arguments);
  return code;
}

static bool is_help(const char *word)
{
  static const char *const words[] = {"help", "--help", "--help-all", "-h", "-?"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(word, words[i]) == 0)
      return true;
  return false;
}

/* tutti help SUBCOMMAND [VERB] */
static int help_on(char **argv)
{
  const struct command *command = find_command(argv[2]);
  if (!command)
    return unknown_command(argv[2]);
  char *arguments[] = {argv[2], argv[3] ? argv[3] : (char *)"--help", argv[3] ? (char *)"--help" : NULL, NULL};
  return run_command(command, argv[3] ? 3 : 2, arguments);
}

/* ---- plug-ins ---- */

/* Every command takes --plugin FILE, wherever it stands; it is taken off the command line. */
static tutti_status load_plugins(int *argc, char **argv, tutti_error *error)
{
  static const char option[] = "--plugin";
  int kept = 1;
  tutti_status status = tutti_plugins_load(error);
  for (int i = 1; i < *argc; i++) {
    bool joined = strncmp(argv[i], option, strlen(option)) == 0 && argv[i][strlen(option)] == '=';
    bool apart = strcmp(argv[i], option) == 0;
    if (!joined && !apart)
      argv[kept++] = argv[i];
    else if (apart && ++i == *argc)
      status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "--plugin: which FILE.so?");
    else if (status == TUTTI_OK)
      status = plugin_load(joined ? argv[i] + sizeof option : argv[i], error);
  }
  *argc = kept;
  argv[kept] = NULL;
  const char *list = getenv(TUTTI_PLUGINS_VARIABLE);
  if (list && *list)
    plugins_guard();
  return status;
}

static int dispatch(int argc, char **argv)
{
  tutti_error error;
  if (load_plugins(&argc, argv, &error) != TUTTI_OK) {
    const struct command *command = argc > 1 ? find_command(argv[1]) : NULL;
    if (command && command->refused)
      command->refused(argc, argv, error.message);
    return complain(&error);
  }
  if (argc < 2) {
    print_help(stderr);
    return EXIT_USAGE;
  }
  const struct command *command = find_command(argv[1]);
  if (command)
    return run_command(command, argc - 1, argv + 1);
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
    if (strcmp(argv[1], aliases[i].name) == 0)
      return run_alias(&aliases[i], argc - 1, argv + 1);
  if (is_help(argv[1]) && argc > 2)
    return help_on(argv);
  if (is_help(argv[1]))
    print_help(stdout);
  else if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
    tutti_say(stdout, "%s\n", argp_program_version);
  else
    return unknown_command(argv[1]);
  return EXIT_DONE;
}

/* Without a folder that can be written, all goes to /tmp, as by tempnam(): programs that are started included. */
static void check_temporary(void)
{
  const char *temporary = getenv("TMPDIR");
  if (!temporary || access(temporary, W_OK | X_OK) == 0)
    return;
  tutti_say(stderr, "tutti: note: TMPDIR=%s: %s: /tmp is used\n", temporary, strerror(errno));
  unsetenv("TMPDIR");
}

int main(int argc, char **argv)
{
  check_temporary();
  return exit_status(dispatch(argc, argv));
}
