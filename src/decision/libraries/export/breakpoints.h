/* Breakpoints: ascending numbers of bytes, or of ranks, between which the answers of a decision change rarely. */
#ifndef TUTTI_LIBRARIES_EXPORT_BREAKPOINTS_H
#define TUTTI_LIBRARIES_EXPORT_BREAKPOINTS_H

#include <stdbool.h>

#include "base/vector.h"
#include "tutti/target.h"

struct breakpoints {
  TUTTI_VECTOR(uint64_t);
};

/* The rules of a collective, which are met in the order of their numbers of ranks. */
struct sweep {
  TUTTI_VECTOR(const tutti_rule *); /* by their first number of ranks */
  size_t next;                      /* rule */
  struct {
    TUTTI_VECTOR(const tutti_rule *);
  } met; /* which hold for the number of ranks in hand */
};

/* The vectors are the caller's to free. */
void tutti_begin_sweep(struct sweep *sweep, const tutti_decision *decision, tutti_collective collective);

/* Communicator sizes of a range. */
void tutti_breakpoints_of_ranks(struct breakpoints *points, const struct sweep *sweep, const tutti_decision *decision,
                                const tutti_range *range);

/* Message sizes that matter to communicators of any size. */
void tutti_breakpoints_of_sizes(struct breakpoints *points, const tutti_decision *decision, const tutti_range *range);

/* @p sizes and those that matter to the communicator of a question, which rules and tests of trees depend on. Questions
   come in the order of their ranks. */
void tutti_breakpoints_of_row(struct breakpoints *points, const struct breakpoints *sizes, struct sweep *sweep,
                              const tutti_decision *decision, const tutti_question *question);

#endif
