/* How the value of an expression moves as the message grows. */
#include "decision/trees/expression.h"

enum direction { STAYS, RISES, FALLS, EITHER, UNKNOWN }; /* EITHER: rises or falls, the same way for a communicator */

struct motion {
  enum direction direction;
  bool positive; /* >= 0 for all questions */
};

static enum direction opposite(enum direction direction)
{
  return direction == RISES ? FALLS : direction == FALLS ? RISES : direction;
}

/* Of a sum. */
static enum direction together(enum direction left, enum direction right)
{
  if (left == STAYS || left == right)
    return right == EITHER && left == EITHER ? UNKNOWN : right;
  return right == STAYS ? left : UNKNOWN;
}

static struct motion of_operand(const struct term *term)
{
  bool moves = term->operation == OPERAND_BYTES || term->operation == OPERAND_TOTAL;
  return (struct motion){moves ? RISES : STAYS, term->operation != OPERAND_NUMBER || term->number >= 0};
}

static struct motion of_unary(enum operation operation, struct motion of)
{
  switch (operation) {
  case NEGATE:
    return (struct motion){opposite(of.direction), false};
  case LOG2:
    return (struct motion){of.direction, false};
  case FLOOR:
  case CEIL:
    return of;
  default:
    return (struct motion){of.direction == STAYS ? STAYS : UNKNOWN, true};
  }
}

/* By a factor that stays. */
static enum direction scaled(enum direction direction, bool positive)
{
  return direction == STAYS || direction == UNKNOWN || positive ? direction : EITHER;
}

static enum direction of_product(struct motion left, struct motion right)
{
  if (left.direction == STAYS)
    return scaled(right.direction, left.positive);
  if (right.direction == STAYS)
    return scaled(left.direction, right.positive);
  return left.positive && right.positive ? together(left.direction, right.direction) : UNKNOWN;
}

static enum direction of_quotient(struct motion left, struct motion right)
{
  if (right.direction == STAYS)
    return scaled(left.direction, right.positive);
  if (left.direction == STAYS && right.positive)
    return scaled(opposite(right.direction), left.positive);
  return UNKNOWN;
}

static enum direction of_binary(enum operation operation, struct motion left, struct motion right)
{
  enum direction difference = together(left.direction, opposite(right.direction));
  switch (operation) {
  case ADD:
  case MINIMUM:
  case MAXIMUM:
    return together(left.direction, right.direction);
  case MULTIPLY:
    return of_product(left, right);
  case DIVIDE:
    return of_quotient(left, right);
  case SUBTRACT:
  case LESS:
  case LESS_OR_EQUAL:
  case GREATER:
  case GREATER_OR_EQUAL:
    return difference;
  default:
    return left.direction == STAYS && right.direction == STAYS ? STAYS : UNKNOWN;
  }
}

bool tutti_expression_is_monotone(const tutti_expression *expression)
{
  struct motion stack[TUTTI_EXPRESSION_TERMS + 1];
  int top = -1;
  for (int i = 0; i < expression->count; i++) {
    const struct term *term = &expression->terms[i];
    if (term->operation < FIRST_UNARY) {
      stack[++top] = of_operand(term);
    } else if (term->operation < FIRST_BINARY) {
      stack[top] = of_unary(term->operation, stack[top]);
    } else {
      top--;
      bool positive = term->operation != SUBTRACT && stack[top].positive && stack[top + 1].positive;
      stack[top] = (struct motion){of_binary(term->operation, stack[top], stack[top + 1]), positive};
    }
  }
  return stack[0].direction != UNKNOWN;
}
