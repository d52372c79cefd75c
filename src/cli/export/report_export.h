/* What is said about exported decisions. */
#ifndef TUTTI_CLI_REPORT_EXPORT_H
#define TUTTI_CLI_REPORT_EXPORT_H

#include "tutti/target.h"

/* A line or two for each decision: what was decided, what had to be replaced, and what that costs. Free it with free();
   NULL if there is no memory. */
char *report_export_comment(const tutti_export_part *parts, int count);

/* Print that comment, and how to use the file, on standard error. `path` NULL: standard output. */
void report_export_print(const tutti_target *target, const char *comment, const char *path);

#endif
