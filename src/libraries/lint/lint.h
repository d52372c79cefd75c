/* What the parts of the linter share. */
#ifndef TUTTI_DECISION_LINT_H
#define TUTTI_DECISION_LINT_H

#include <stdbool.h>

#include "tutti/lint.h"

enum lint_code {
#define CODE(identifier, ...) LINT_##identifier,
#include "libraries/lint/codes.def"
#undef CODE
  LINT_CODES
};

/* A file under inspection. Places are offsets into the text. */
struct lint {
  const char *path, *text; /* a zero byte behind the text */
  size_t length;
  tutti_library_version version;
  tutti_findings *findings; /* NULL: nobody wants to know */
  bool out_of_memory;
  struct { /* the last place that was asked for: findings come nearly in order */
    size_t at;
    int line, column;
  } last;
};

void tutti_lint_say(struct lint *lint, enum lint_code code, size_t at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Line and column of a place, from 1. */
void tutti_lint_place(const char *text, size_t length, size_t at, int *line, int *column);

/* The places where a line, numbered from 1, begins, and its first word. @{ */
size_t tutti_lint_line(const struct lint *lint, int number);
size_t tutti_lint_first_word(const struct lint *lint, int number);
/* @} */

/* Is the version that one, or a later one? Numbers that were not said are the least. */
bool tutti_lint_since(const tutti_library_version *version, int major, int minor, int patch);

/* Has the version been reached by `since`, and not yet left by `until` (major * 100 + minor; 0: no bound)? */
bool tutti_lint_between(const tutti_library_version *version, int since, int until);

/* A larger array, doubled when full; NULL if out of memory, and the old one stays. */
void *tutti_lint_grow(void *items, size_t count, size_t *capacity, size_t size);

/* The checks of the families. @{ */
void tutti_lint_openmpi(struct lint *lint);
void tutti_lint_mpich(struct lint *lint);
void tutti_lint_tutti(struct lint *lint);
/* @} */

#endif
