/* Rules of Tutti's own files with their places. */
#ifndef TUTTI_DECISION_LINT_TUTTI_RULES_H
#define TUTTI_DECISION_LINT_TUTTI_RULES_H

#include "libraries/lint/lint.h"
#include "tutti/decision.h"

struct tutti_rule {
  size_t at;
  tutti_method method;
  uint64_t ranks[2], bytes[2]; /* inclusive */
};

/* Begin with {0}; items are to be freed. */
struct tutti_rules {
  size_t count, capacity;
  struct tutti_rule *items;
};

/* The rules that the reader has made `decision` of, from the same text: a line each that is not empty but for a
   comment. False if out of memory. */
bool tutti_rules_find(const struct lint *lint, const tutti_decision *decision, struct tutti_rules *rules);

#endif
