/* tutti platform: the machines. */
#include "cli/platform/platform.h"

#include <stdlib.h>

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

static const struct command *const verbs[] = {&platform_list, &platform_show, &platform_check, &platform_hostfile,
                                              NULL};

const struct command command_platform = {
    .name = "platform",
    .summary = "list, show and check platforms; write hostfiles",
    .arguments = "list\nshow PLATFORM\ncheck PLATFORM [--measure]\nhostfile PLATFORM --ranks N [-o FILE]",
    .help = "List, show and check platforms; write hostfiles.",
    .notes = "PLATFORM is a file, or a name that is looked up in the directories of TUTTI_PLATFORM_PATH, in "
             "./platforms and in the installed ones. Each verb has its --help.",
    .verbs = verbs,
};
