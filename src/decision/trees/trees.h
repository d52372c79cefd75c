/* Decision trees: classifying a case in a table, adding an attribute, and the parts of expressions. */
#ifndef TUTTI_DECISION_TREES_H
#define TUTTI_DECISION_TREES_H

#include "tutti/decision_tree.h"

/* One case: values of its own, or a row of columns. */
typedef struct classify_row {
  const double *values;   /* [attribute_count], if columns is NULL */
  double *const *columns; /* [attribute_count][...] */
  size_t index;
} classify_row;

/* The branch that a known value takes. */
static inline int classify_branch(const tutti_node *node, double value)
{
  return node->branch_of ? node->branch_of[(int)value] : !(value <= node->threshold);
}

/* Its class. */
int tutti_classify(const tutti_classifier *classifier, const classify_row *row);

/*
 * Add an attribute to a tree whose collectives are known: "NAME = EXPRESSION", or an expression that is a name. The
 * values of booleans are "no" and "yes", those of the collective the collectives that the tree answers for.
 * TUTTI_ERR_ARGUMENT names the fault of @p text.
 */
tutti_status tutti_decision_tree_add_attribute(tutti_decision_tree *tree, const char *text, tutti_error *error);

/* ---- expressions: operators and operands in postfix order ---- */

enum expression_operation {
  OPERAND_NUMBER,
  OPERAND_RANKS,
  OPERAND_BYTES,
  OPERAND_TOTAL,
  OPERAND_RANKS_PER_NODE,
  OPERAND_NODES,
  OPERAND_COLLECTIVE,
  FIRST_UNARY,
  NEGATE = FIRST_UNARY,
  LOG2,
  FLOOR,
  CEIL,
  EVEN,
  POW2,
  FIRST_BINARY,
  ADD = FIRST_BINARY,
  SUBTRACT,
  MULTIPLY,
  DIVIDE,
  MODULO,
  MINIMUM,
  MAXIMUM,
  LESS,
  LESS_OR_EQUAL,
  GREATER,
  GREATER_OR_EQUAL,
  EQUAL,
  NOT_EQUAL,
};

struct term {
  enum expression_operation operation;
  double number; /* of OPERAND_NUMBER */
};

struct tutti_expression {
  tutti_expression_kind kind;
  int count;
  struct term terms[TUTTI_EXPRESSION_TERMS];
};

#endif
