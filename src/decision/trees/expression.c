/* Expressions: their value, what they test, as C source, and how they move with the size of the message. */
#include "decision/trees/trees.h"

#include <math.h>
#include <string.h>

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

static double apply_unary(enum expression_operation operation, double value)
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

static double apply_arithmetic(enum expression_operation operation, double left, double right)
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

static bool compare(enum expression_operation operation, double left, double right)
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

/* An unknown operand makes the result unknown. */
static double apply_binary(enum expression_operation operation, double left, double right)
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

static bool uses(const tutti_expression *expression, enum expression_operation one, enum expression_operation other)
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

/* ---- as C source ---- */

/* Index of the first term of the operand that ends at @p last. */
static int first_of(const tutti_expression *expression, int last)
{
  int wanted = 1;
  for (int i = last;; i--) {
    enum expression_operation operation = expression->terms[i].operation;
    wanted += operation >= FIRST_BINARY ? 1 : operation >= FIRST_UNARY ? 0 : -1;
    if (wanted == 0)
      return i;
  }
}

/* Format of each operation: %a and %b are its operands. */
static const char *const formats[] = {
    [OPERAND_RANKS] = "ranks",
    [OPERAND_BYTES] = "bytes",
    [OPERAND_TOTAL] = "(ranks * bytes)",
    [OPERAND_RANKS_PER_NODE] = "ranks_per_node",
    [OPERAND_NODES] = "ceil(ranks / ranks_per_node)",
    [NEGATE] = "(-%a)",
    [LOG2] = "log2(%a)",
    [FLOOR] = "floor(%a)",
    [CEIL] = "ceil(%a)",
    [EVEN] = "(%a >= 0 && (unsigned long long)%a % 2 == 0)",
    [POW2] = "(%a >= 1 && ((unsigned long long)%a & ((unsigned long long)%a - 1)) == 0)",
    [ADD] = "(%a + %b)",
    [SUBTRACT] = "(%a - %b)",
    [MULTIPLY] = "(%a * %b)",
    [DIVIDE] = "(%a / %b)",
    [MODULO] = "fmod(%a, %b)",
    [MINIMUM] = "fmin(%a, %b)",
    [MAXIMUM] = "fmax(%a, %b)",
    [LESS] = "(%a < %b)",
    [LESS_OR_EQUAL] = "(%a <= %b)",
    [GREATER] = "(%a > %b)",
    [GREATER_OR_EQUAL] = "(%a >= %b)",
    [EQUAL] = "(%a == %b)",
    [NOT_EQUAL] = "(%a != %b)",
};

/* A literal of type double: whole numbers would be of type int, and divided and multiplied as such. */
static void print_number(double number, FILE *stream)
{
  char text[40];
  snprintf(text, sizeof text, "%.17g", number);
  fprintf(stream, "%s%s", text, strpbrk(text, ".en") ? "" : ".0");
}

/* The recursion is as deep as the brackets and operators of an expression, which are few. */
static void print(const tutti_expression *expression, int last, FILE *stream)
{
  const struct term *term = &expression->terms[last];
  int right = last - 1;
  int left = term->operation >= FIRST_BINARY ? first_of(expression, right) - 1 : right;
  if (term->operation == OPERAND_NUMBER) {
    print_number(term->number, stream);
    return;
  }
  for (const char *c = formats[term->operation]; *c; c++)
    if (c[0] == '%' && (c[1] == 'a' || c[1] == 'b'))
      print(expression, *++c == 'a' ? left : right, stream);
    else
      fputc(*c, stream);
}

bool tutti_expression_print_c(const tutti_expression *expression, FILE *stream)
{
  print(expression, expression->count - 1, stream);
  return !ferror(stream);
}

bool tutti_expression_needs_math(const tutti_expression *expression)
{
  for (int i = 0; i < expression->count; i++)
    switch (expression->terms[i].operation) {
    case OPERAND_NODES:
    case LOG2:
    case FLOOR:
    case CEIL:
    case MODULO:
    case MINIMUM:
    case MAXIMUM:
      return true;
    default:
      break;
    }
  return false;
}

/* ---- how the value moves as the message grows ---- */

enum direction { STAYS, RISES, FALLS, EITHER, UNKNOWN }; /* EITHER: rises or falls, the same way for a communicator */

struct motion {
  enum direction direction;
  bool positive; /* >= 0 for all questions */
};

static enum direction opposite(enum direction direction)
{
  return direction == RISES ? FALLS : direction == FALLS ? RISES : direction;
}

/* The direction of a sum. */
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

static struct motion of_unary(enum expression_operation operation, struct motion of)
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

static enum direction of_binary(enum expression_operation operation, struct motion left, struct motion right)
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
