/* Parts of an expression: operators and operands in postfix order. */
#ifndef TUTTI_DECISION_EXPRESSION_H
#define TUTTI_DECISION_EXPRESSION_H

#include "tutti/decision_tree.h"

enum operation {
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
  enum operation operation;
  double number; /* of OPERAND_NUMBER */
};

struct tutti_expression {
  tutti_expression_kind kind;
  int count;
  struct term terms[TUTTI_EXPRESSION_TERMS];
};

#endif
