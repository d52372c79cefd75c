/* Expressions of decision trees of Fujitsu MPI. */
#ifndef TUTTI_LIBRARIES_FUJITSU_H
#define TUTTI_LIBRARIES_FUJITSU_H

#include "decision/libraries/openmpi/openmpi.h"

/* Values, inclusive; low > high: none. */
struct tree_range {
  uint64_t low, high;
};

/* The value of an expression at a number of bytes; false: it is not understood. *text is behind it then. */
bool tutti_tree_evaluate(const char **text, const tutti_explained_call *call, uint64_t bytes, uint64_t *value);

/* Whether the value of an expression is in a range; narrows the sizes to those of which the same is true. */
bool tutti_tree_is_within(struct explaining *explaining, const char *expression, uint64_t value,
                          struct tree_range range);

/* "msg_size <= 8192:", or "pow_two:". False: it is not understood. */
bool tutti_tree_read_condition(struct explaining *explaining, const char *text, bool *holds);

#endif
