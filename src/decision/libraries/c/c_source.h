/* C source under way. */
#ifndef TUTTI_LIBRARIES_C_SOURCE_H
#define TUTTI_LIBRARIES_C_SOURCE_H

#include "decision/libraries/export/export.h"
#include "tutti/decision_tree.h"

struct c_source {
  FILE *stream;
  tutti_step_table table; /* of methods, without rows; functions return an index into it */
};

/* Parameters of the functions; expressions of trees call them `ranks`, `bytes` and `ranks_per_node`, of type double. */
#define C_RANKS "size"
#define C_BYTES "length"
#define C_NODES "per_node"

/* Print the statement "return INDEX;", indented; NULL: -1, no answer. */
void tutti_c_return(struct c_source *source, const tutti_method *method, int depth);

/* Print statements that answer as a table does; `bytes` NULL: for all messages, else only for so long ones. */
void tutti_c_steps(struct c_source *source, const tutti_step_table *table, const uint64_t *bytes);

/* Whether a table is small enough to be looked up; and print statements without jumps that answer as it does. @{ */
bool tutti_c_grid_fits(const tutti_step_table *table);
void tutti_c_grid(struct c_source *source, const tutti_step_table *table);
/** @} */

/* The tree that answers for a part, if C can express it: not too deep for compilers, and its tests always have a value,
   except for messages of 0 bytes, which *but_empty reports: the step table answers these. */
const tutti_decision_tree *tutti_c_tree_of(const tutti_export_part *part, bool *but_empty);

/* Whether it uses the ranks per node; whether it needs <math.h>; whether it calculates at all. @{ */
bool tutti_c_tree_needs_nodes(const tutti_decision_tree *tree);
bool tutti_c_tree_needs_math(const tutti_decision_tree *tree);
bool tutti_c_tree_calculates(const tutti_decision_tree *tree);
/** @} */

/* Print statements that answer as a tree does. */
void tutti_c_tree(struct c_source *source, const tutti_decision_tree *tree, tutti_collective collective);

#endif
