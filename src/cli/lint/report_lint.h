/* Findings of tutti lint, printed. */
#ifndef TUTTI_CLI_REPORT_LINT_H
#define TUTTI_CLI_REPORT_LINT_H

#include <stdbool.h>

#include "tutti/tuning.h"

/* What was found in a file. */
struct linted {
  const char *path;
  tutti_library_version version;
  tutti_findings findings;
};

/* Findings, a paragraph each, and a line that counts them. */
void report_lint_print(const struct linted *file, bool notes);

/* All files as JSON. */
void report_lint_json(const struct linted *files, int count, bool notes);

/* The codes, a table, or as JSON. */
void report_lint_codes(bool json);

#endif
