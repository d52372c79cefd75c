/* tutti platform: what its verbs share. */
#ifndef TUTTI_CLI_PLATFORM_H
#define TUTTI_CLI_PLATFORM_H

#include "cli/command.h"
#include "cli/options/common.h"

/* Options of the verbs that read a platform. */
struct platform_options {
  const char *name;
  tutti_format format;
  bool measure, strict;
  const char *program, *build_dir; /* NULL: beside this executable */
  const char *output;              /* NULL: standard output */
  int ranks, ranks_per_node; /* 0: as many as the platform has */
};

#define PLATFORM_ROW ARGUMENT_STRING("PLATFORM", struct platform_options, name)
/* Before OPTION_FORMAT(), for its old letter. */
#define JSON_ROW OPTION_SET("json", struct platform_options, format, TUTTI_FORMAT_JSON, "print JSON", .aliases = "j")

extern const struct command command_platform_list, command_platform_check, command_platform_new;

#endif
