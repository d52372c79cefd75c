/* The verbs of `tutti platform`. */
#ifndef TUTTI_CLI_PLATFORM_H
#define TUTTI_CLI_PLATFORM_H

#include "cli/command.h"
#include "tutti/platform.h"

/* Find a platform by name or path and read it. */
tutti_status platform_load(const char *name, tutti_platform *platform, tutti_error *error);

extern const struct command platform_list, platform_show, platform_check, platform_hostfile;

#endif
