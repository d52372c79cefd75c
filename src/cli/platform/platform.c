/* tutti platform: the machines. */
#include "cli/platform/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"

static const struct verb {
  const char *name;
  int (*run)(int argc, char **argv);
} verbs[] = {
    {"list", platform_list},
    {"show", platform_show},
    {"check", platform_check},
    {"hostfile", platform_hostfile},
};

tutti_status platform_load(const char *name, tutti_platform *platform, tutti_error *error)
{
  char *path;
  tutti_status status = tutti_platform_find(name, &path, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_platform_read(path, platform, error);
  free(path);
  return status;
}

static error_t parse_verb(int key, char *argument, struct argp_state *state)
{
  if (key == ARGP_KEY_ARG)
    argp_error(state, "unknown verb '%s': known are list, show, check, hostfile", argument);
  else if (key == ARGP_KEY_NO_ARGS)
    argp_error(state, "say what to do: list, show, check or hostfile");
  return ARGP_ERR_UNKNOWN;
}

static int platform_main(int argc, char **argv)
{
  static const struct argp argp = {
      .parser = parse_verb,
      .args_doc = "list\nshow PLATFORM\ncheck PLATFORM [--measure]\nhostfile PLATFORM --ranks N [-o FILE]",
      .doc = "List, show and check platforms; write hostfiles.\vPLATFORM is a file, or a name that is looked up in the "
             "directories of TUTTI_PLATFORM_PATH, in ./platforms and in the installed ones. Each verb has its --help."};
  char name[64];
  for (size_t i = 0; argc > 1 && i < sizeof verbs / sizeof *verbs; i++) {
    if (strcmp(argv[1], verbs[i].name) != 0)
      continue;
    snprintf(name, sizeof name, "tutti platform %s", argv[1]);
    argv[1] = name; /* argp names it in messages */
    return verbs[i].run(argc - 1, argv + 1);
  }
  parse_options(&argp, argc, argv, NULL);
  return EXIT_USAGE;
}

const struct command command_platform = {
    .name = "platform",
    .summary = "list, show and check platforms; write hostfiles",
    .main = platform_main,
};
