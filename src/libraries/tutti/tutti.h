/* Tutti's own decision files: rules and trees. */
#ifndef TUTTI_LIBRARIES_TUTTI_H
#define TUTTI_LIBRARIES_TUTTI_H

#include "libraries/explain.h"
#include "libraries/export/export.h"

enum {
#define CODE(identifier, ...) LINT_##identifier,
#include "libraries/tutti/codes.def"
#undef CODE
};

void tutti_file_lint(struct tuning_file *file);
tutti_status tutti_file_explain(struct explaining *explaining, tutti_error *error);
tutti_status tutti_file_write(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                              tutti_error *error);

#endif
