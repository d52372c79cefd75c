/* The verbs of `tutti platform`. Each takes its own command line; argv[0] names it in messages. */
#ifndef TUTTI_CLI_PLATFORM_H
#define TUTTI_CLI_PLATFORM_H

#include "tutti/platform.h"

/* Find a platform by name or path and read it. */
tutti_status platform_load(const char *name, tutti_platform *platform, tutti_error *error);

int platform_list(int argc, char **argv);
int platform_show(int argc, char **argv);
int platform_check(int argc, char **argv);
int platform_hostfile(int argc, char **argv);

#endif
