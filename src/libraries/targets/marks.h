/* Where a decision is looked at: ascending numbers of bytes, or of ranks. */
#ifndef TUTTI_DECISION_TARGETS_MARKS_H
#define TUTTI_DECISION_TARGETS_MARKS_H

#include "tutti/target.h"

/* Begin with {0}, free items. */
struct marks {
  size_t count, room;
  uint64_t *items;
  bool failed; /* for want of memory */
};

/* Communicator sizes of a range. */
void tutti_marks_of_ranks(struct marks *marks, const tutti_decision *decision, const tutti_range *range);

/* Message sizes that matter to communicators of any size; then those that matter to one, which tests of trees depend
   on, beside them. */
void tutti_marks_of_sizes(struct marks *marks, const tutti_decision *decision, const tutti_range *range);
void tutti_marks_of_row(struct marks *marks, const struct marks *sizes, const tutti_decision *decision,
                        const tutti_question *question);

#endif
