/* An expression as C source. */
#include "decision/trees/expression.h"

#include <string.h>

/* Index of the first term of the operand that ends at @p last. */
static int first_of(const tutti_expression *expression, int last)
{
  int wanted = 1;
  for (int i = last;; i--) {
    enum operation operation = expression->terms[i].operation;
    wanted += operation >= FIRST_BINARY ? 1 : operation >= FIRST_UNARY ? 0 : -1;
    if (wanted == 0)
      return i;
  }
}

/* Format of each operation: %a and %b stand for its operands. */
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

/* As deep as the brackets and operators of an expression, which are few. */
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
