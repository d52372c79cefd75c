/* tutti: the list of subcommands and the way to them. */
#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/options/steps.h"

#define COMMAND(name) extern const struct command command_##name;
#include "cli/commands.def"
#undef COMMAND

#define COMMAND(name) &command_##name,
static const struct command *const commands[] = {
#include "cli/commands.def"
};
#undef COMMAND

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

/* Old names, accepted for one version. */
static const struct alias {
  const char *name, *command;
  const char *option; /* put before the user's; may be NULL */
} aliases[] = {
    {"maps", "rank-maps", NULL},
    {"take", "import", "--format=tutti"},
};

static void print_help(FILE *stream)
{
  fprintf(stream, "Usage: tutti SUBCOMMAND [OPTION...]\n"
                  "Finds, proves and hands over the best way to run MPI collective operations.\n\nSubcommands:\n");
  for (int i = 0; i < COMMAND_COUNT; i++)
    fprintf(stream, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
  fprintf(stream, "\nOptions:\n"
                  "  --help       print this help\n"
                  "  --version    print the version\n"
                  "\n`tutti SUBCOMMAND --help` says more about a subcommand. Exit status: 0 done, 1 a check found a\n"
                  "fault or a regression, 2 wrong usage or bad input.\n");
}

static const struct command *find_command(const char *name)
{
  for (int i = 0; i < COMMAND_COUNT; i++)
    if (strcmp(commands[i]->name, name) == 0)
      return commands[i];
  return NULL;
}

enum { LONGEST_NAME = 15 };

static int least(int a, int b)
{
  return a < b ? a : b;
}

/* Letters to add, drop, change or swap with a neighbor to turn one word into the other; many for long words. */
static int distance(const char *left, const char *right)
{
  int steps[LONGEST_NAME + 1][LONGEST_NAME + 1], rows = (int)strlen(left), columns = (int)strlen(right);
  if (rows > LONGEST_NAME || columns > LONGEST_NAME)
    return INT_MAX;
  for (int i = 0; i <= rows; i++)
    for (int j = 0; j <= columns; j++) {
      if (i == 0 || j == 0) {
        steps[i][j] = i + j;
        continue;
      }
      int change = steps[i - 1][j - 1] + (left[i - 1] != right[j - 1]);
      steps[i][j] = least(change, 1 + least(steps[i - 1][j], steps[i][j - 1]));
      if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1])
        steps[i][j] = least(steps[i][j], 1 + steps[i - 2][j - 2]);
    }
  return steps[rows][columns];
}

static int unknown_command(const char *name)
{
  const char *closest = commands[0]->name;
  for (int i = 1; i < COMMAND_COUNT; i++)
    if (distance(name, commands[i]->name) < distance(name, closest))
      closest = commands[i]->name;
  fprintf(stderr, "tutti: unknown subcommand '%s'", name);
  if (distance(name, closest) <= 2)
    fprintf(stderr, ", did you mean '%s'?", closest);
  fprintf(stderr, " (`tutti --help` lists them)\n");
  return EXIT_USAGE;
}

static int run_command(const struct command *command, int argc, char **argv)
{
  char name[64];
  snprintf(name, sizeof name, "tutti %s", command->name);
  argv[0] = name; /* argp names it in messages */
  tutti_error error;
  if (step_check_command(name, &error) != TUTTI_OK) {
    fprintf(stderr, "%s: %s\n", name, error.message);
    return EXIT_USAGE;
  }
  return command_run(command, argc, argv);
}

static int run_alias(const struct alias *alias, int argc, char **argv)
{
  char **arguments = tutti_xcalloc((size_t)argc + 2, sizeof *arguments);
  arguments[1] = (char *)alias->option;
  int before = alias->option ? 2 : 1;
  memcpy(arguments + before, argv + 1, (size_t)argc * sizeof *arguments);
  int code = run_command(find_command(alias->command), argc - 1 + before, arguments);
  free(arguments);
  return code;
}

static int dispatch(int argc, char **argv)
{
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
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0)
    print_help(stdout);
  else if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
    printf("%s\n", argp_program_version);
  else
    return unknown_command(argv[1]);
  return EXIT_DONE;
}

int main(int argc, char **argv)
{
  int code = dispatch(argc, argv);
  /* Output that could not be written, as on a full disk, is an error. */
  if (fflush(stdout) == 0 && !ferror(stdout))
    return code;
  fprintf(stderr, "tutti: cannot write the output: %s\n", strerror(errno));
  return EXIT_USAGE;
}
