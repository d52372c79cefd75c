/* Rows that many commands have, each written once. Whole tables that commands share: selection.h, predictors.h,
   launch_options.h. */
#ifndef TUTTI_CLI_COMMON_OPTIONS_H
#define TUTTI_CLI_COMMON_OPTIONS_H

#include "base/table.h"
#include "cli/options/option.h"

#define OPTION_DB(type, member, ...)                                                                                   \
  OPTION_STRING("db", "FILE", type, member, "the store", .initial = "results.db", __VA_ARGS__)
#define OPTION_JOBS(type, member)                                                                                      \
  OPTION_NUMBER("jobs", "N", type, member, "run N jobs at once", .letter = 'j', .min = 1, .max = 4096,                 \
                .otherwise = "processors online")
#define OPTION_QUIET(type, member) OPTION_FLAG("quiet", type, member, "show no progress", .letter = 'q')
#define OPTION_PROGRAM(type, member, ...)                                                                              \
  OPTION_STRING("program", "PATH", type, member, "the measuring program",                                              \
                .otherwise = "that of the build directory, or the installed one", __VA_ARGS__)
#define OPTION_BUILD_DIR(type, member)                                                                                 \
  OPTION_STRING("build-dir", "DIR", type, member, "look for the measuring programs in DIR/FLAVOR")
#define OPTION_OUTPUT(type, member, ...)                                                                               \
  OPTION_STRING("output", "FILE", type, member, "write to FILE", .letter = 'o', .otherwise = "standard output",        \
                __VA_ARGS__)
#define OPTION_JSON(type, member) OPTION_FLAG("json", type, member, "print JSON")
#define OPTION_CSV(type, member)  OPTION_FLAG("csv", type, member, "print CSV")
/* Two rows, for a tutti_format: what tutti_document_print() (base/table.h) prints. */
#define OPTION_FORMAT(type, member)                                                                                    \
  OPTION_SET("json", type, member, TUTTI_FORMAT_JSON, "print JSON"),                                                   \
      OPTION_SET("csv", type, member, TUTTI_FORMAT_CSV, "print CSV")

#endif
