/* The value of an expression, and what it looks at. */
#include "decision/trees/expression.h"

#include <math.h>

tutti_expression_kind tutti_expression_kind_of(const tutti_expression *expression)
{
  return expression->kind;
}

static double operand_value(const struct term *term, const tutti_question *question)
{
  double ranks = question->ranks, per_node = question->ranks_per_node;
  switch (term->operation) {
  case OPERAND_NUMBER:
    return term->number;
  case OPERAND_RANKS:
    return ranks;
  case OPERAND_BYTES:
    return (double)question->rank_bytes;
  case OPERAND_TOTAL:
    return ranks * (double)question->rank_bytes;
  case OPERAND_RANKS_PER_NODE:
    return per_node > 0 ? per_node : NAN;
  case OPERAND_NODES:
    return per_node > 0 ? ceil(ranks / per_node) : NAN;
  default:
    return question->collective;
  }
}

static bool is_power_of_two(double value)
{
  int exponent;
  return value >= 1 && frexp(floor(value), &exponent) == 0.5;
}

static double apply_unary(enum operation operation, double value)
{
  switch (operation) {
  case NEGATE:
    return -value;
  case LOG2:
    return value > 0 ? log2(value) : NAN;
  case FLOOR:
    return floor(value);
  case CEIL:
    return ceil(value);
  case EVEN:
    return value >= 0 && fmod(floor(value), 2) == 0;
  default:
    return is_power_of_two(value);
  }
}

static double apply_arithmetic(enum operation operation, double left, double right)
{
  switch (operation) {
  case ADD:
    return left + right;
  case SUBTRACT:
    return left - right;
  case MULTIPLY:
    return left * right;
  case DIVIDE:
    return right != 0 ? left / right : NAN;
  case MODULO:
    return right != 0 ? fmod(left, right) : NAN;
  case MINIMUM:
    return left < right ? left : right;
  default:
    return left > right ? left : right;
  }
}

static bool compare(enum operation operation, double left, double right)
{
  switch (operation) {
  case LESS:
    return left < right;
  case LESS_OR_EQUAL:
    return left <= right;
  case GREATER:
    return left > right;
  case GREATER_OR_EQUAL:
    return left >= right;
  case EQUAL:
    return left == right;
  default:
    return left != right;
  }
}

/* What is unknown makes all that is made of it unknown. */
static double apply_binary(enum operation operation, double left, double right)
{
  if (isnan(left) || isnan(right))
    return NAN;
  return operation >= LESS ? compare(operation, left, right) : apply_arithmetic(operation, left, right);
}

double tutti_expression_value(const tutti_expression *expression, const tutti_question *question)
{
  double stack[TUTTI_EXPRESSION_TERMS + 1];
  int top = -1;
  for (int i = 0; i < expression->count; i++) {
    const struct term *term = &expression->terms[i];
    if (term->operation < FIRST_UNARY) {
      stack[++top] = operand_value(term, question);
    } else if (term->operation < FIRST_BINARY) {
      stack[top] = isnan(stack[top]) ? NAN : apply_unary(term->operation, stack[top]);
    } else {
      top--;
      stack[top] = apply_binary(term->operation, stack[top], stack[top + 1]);
    }
  }
  return stack[0];
}

static bool uses(const tutti_expression *expression, enum operation one, enum operation other)
{
  for (int i = 0; i < expression->count; i++)
    if (expression->terms[i].operation == one || expression->terms[i].operation == other)
      return true;
  return false;
}

bool tutti_expression_needs_nodes(const tutti_expression *expression)
{
  return uses(expression, OPERAND_RANKS_PER_NODE, OPERAND_NODES);
}

bool tutti_expression_needs_bytes(const tutti_expression *expression)
{
  return uses(expression, OPERAND_BYTES, OPERAND_TOTAL);
}
