/* Reading expressions: recursive descent; operators are stored after their operands. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "decision/trees/trees.h"

enum { MAX_BRACKETS = 16 };

struct parser {
  const char *text, *here;
  tutti_expression *expression;
  int brackets; /* open ones */
  tutti_error *error;
  tutti_status status;
};

struct word {
  const char *name;
  enum expression_operation operation;
};

static const struct word operands[] = {{"ranks", OPERAND_RANKS}, {"bytes", OPERAND_BYTES},
                                       {"total", OPERAND_TOTAL}, {"ranks_per_node", OPERAND_RANKS_PER_NODE},
                                       {"nodes", OPERAND_NODES}, {NULL, OPERAND_NUMBER}};

static const struct word functions[] = {{"log2", LOG2}, {"floor", FLOOR}, {"ceil", CEIL},   {"even", EVEN},
                                        {"pow2", POW2}, {"min", MINIMUM}, {"max", MAXIMUM}, {NULL, NEGATE}};

static const struct word comparisons[] = {{"<=", LESS_OR_EQUAL},
                                          {">=", GREATER_OR_EQUAL},
                                          {"!=", NOT_EQUAL},
                                          {"<", LESS},
                                          {">", GREATER},
                                          {"=", EQUAL},
                                          {NULL, ADD}};

/* @p meant: what a misspelt word may mean, or "". */
static void fail_meant(struct parser *parser, const char *reason, const char *meant)
{
  if (parser->status == TUTTI_OK)
    parser->status = tutti_fail(parser->error, TUTTI_ERR_ARGUMENT, "'%.120s': %s at '%.20s'%s", parser->text, reason,
                                *parser->here ? parser->here : "its end", meant);
}

static void fail(struct parser *parser, const char *reason)
{
  fail_meant(parser, reason, "");
}

static void skip_blanks(struct parser *parser)
{
  while (*parser->here == ' ' || *parser->here == '\t')
    parser->here++;
}

static bool accept(struct parser *parser, const char *token)
{
  skip_blanks(parser);
  if (parser->status != TUTTI_OK || strncmp(parser->here, token, strlen(token)) != 0)
    return false;
  parser->here += strlen(token);
  return true;
}

static void emit(struct parser *parser, enum expression_operation operation, double number)
{
  tutti_expression *expression = parser->expression;
  if (expression->count == TUTTI_EXPRESSION_TERMS)
    fail(parser, "too many terms");
  else if (parser->status == TUTTI_OK)
    expression->terms[expression->count++] = (struct term){operation, number};
}

static double unit(struct parser *parser)
{
  static const char letters[] = "KMG";
  const char *letter = *parser->here ? strchr(letters, *parser->here) : NULL;
  double factor = 1;
  if (!letter || parser->here[1] != 'B')
    return 1;
  for (const char *l = letters; l <= letter; l++)
    factor *= 1024;
  parser->here += 2;
  return factor;
}

static void parse_number(struct parser *parser)
{
  char digits[32];
  size_t length = strspn(parser->here, "0123456789.");
  char *end;
  if (length >= sizeof digits) {
    fail(parser, "too long a number");
    return;
  }
  memcpy(digits, parser->here, length);
  digits[length] = '\0';
  double number = strtod(digits, &end);
  if (*end || end == digits) {
    fail(parser, "no number");
    return;
  }
  parser->here += length;
  emit(parser, OPERAND_NUMBER, number * unit(parser));
  if (isalnum((unsigned char)*parser->here))
    fail(parser, "a unit other than KB, MB and GB");
}

static const struct word *find(const struct word *words, const char *name, size_t length)
{
  for (; words->name; words++)
    if (strlen(words->name) == length && strncmp(words->name, name, length) == 0)
      return words;
  return NULL;
}

static void parse_sum(struct parser *parser);

static void open_bracket(struct parser *parser)
{
  if (++parser->brackets > MAX_BRACKETS)
    fail(parser, "too many brackets");
}

static void close_bracket(struct parser *parser)
{
  if (!accept(parser, ")"))
    fail(parser, "')' is missing");
  parser->brackets--;
}

static void parse_arguments(struct parser *parser, const struct word *function)
{
  if (!accept(parser, "("))
    fail(parser, "'(' is missing");
  open_bracket(parser);
  parse_sum(parser);
  if (function->operation >= FIRST_BINARY) {
    if (!accept(parser, ","))
      fail(parser, "',' is missing");
    parse_sum(parser);
  }
  close_bracket(parser);
  emit(parser, function->operation, 0);
}

static void fail_word(struct parser *parser, size_t length)
{
  char word[TUTTI_GUESS_LENGTH], meant[2 * TUTTI_GUESS_LENGTH];
  tutti_guess guess = {.word = word};
  snprintf(word, sizeof word, "%.*s", (int)length, parser->here);
  for (const struct word *known = operands; known->name; known++)
    tutti_guess_try(&guess, known->name);
  for (const struct word *known = functions; known->name; known++)
    tutti_guess_try(&guess, known->name);
  fail_meant(parser,
             "neither a number nor ranks, bytes, total, ranks_per_node, nodes, log2(), floor(), ceil(), min(), max(), "
             "even(), pow2()",
             tutti_guess_text(&guess, meant));
}

static void parse_word(struct parser *parser)
{
  size_t length = 0;
  while (isalnum((unsigned char)parser->here[length]) || parser->here[length] == '_')
    length++;
  const struct word *operand = find(operands, parser->here, length);
  const struct word *function = find(functions, parser->here, length);
  if (function && (function->operation == EVEN || function->operation == POW2))
    fail(parser, "even() and pow2() cannot be parts of an expression");
  if (!operand && !function) {
    fail_word(parser, length);
    return;
  }
  parser->here += length;
  if (operand)
    emit(parser, operand->operation, 0);
  else
    parse_arguments(parser, function);
}

static void parse_factor(struct parser *parser)
{
  bool negative = accept(parser, "-");
  skip_blanks(parser);
  if (accept(parser, "(")) {
    open_bracket(parser);
    if (parser->status == TUTTI_OK)
      parse_sum(parser);
    close_bracket(parser);
  } else if (isdigit((unsigned char)*parser->here)) {
    parse_number(parser);
  } else {
    parse_word(parser);
  }
  if (negative)
    emit(parser, NEGATE, 0);
}

static void parse_product(struct parser *parser)
{
  parse_factor(parser);
  while (parser->status == TUTTI_OK) {
    enum expression_operation operation;
    if (accept(parser, "*"))
      operation = MULTIPLY;
    else if (accept(parser, "/"))
      operation = DIVIDE;
    else if (accept(parser, "%"))
      operation = MODULO;
    else
      return;
    parse_factor(parser);
    emit(parser, operation, 0);
  }
}

static void parse_sum(struct parser *parser)
{
  if (parser->status == TUTTI_OK)
    parse_product(parser);
  while (parser->status == TUTTI_OK) {
    bool plus = accept(parser, "+");
    if (!plus && !accept(parser, "-"))
      return;
    parse_product(parser);
    emit(parser, plus ? ADD : SUBTRACT, 0);
  }
}

/* "even(...)", "pow2(...)": the whole expression. */
static bool parse_boolean(struct parser *parser)
{
  static const struct word booleans[] = {{"even", EVEN}, {"pow2", POW2}};
  for (int i = 0; i < 2; i++)
    if (accept(parser, booleans[i].name)) {
      parse_arguments(parser, &booleans[i]);
      parser->expression->kind = TUTTI_EXPRESSION_BOOLEAN;
      return true;
    }
  return false;
}

static void parse_comparison(struct parser *parser)
{
  parse_sum(parser);
  for (const struct word *word = comparisons; word->name; word++)
    if (accept(parser, word->name)) {
      parse_sum(parser);
      emit(parser, word->operation, 0);
      parser->expression->kind = TUTTI_EXPRESSION_BOOLEAN;
      return;
    }
}

static void parse_all(struct parser *parser)
{
  if (accept(parser, "collective")) {
    emit(parser, OPERAND_COLLECTIVE, 0);
    parser->expression->kind = TUTTI_EXPRESSION_COLLECTIVE;
  } else if (!parse_boolean(parser)) {
    parse_comparison(parser);
  }
  skip_blanks(parser);
  if (*parser->here)
    fail(parser, "unexpected text");
}

tutti_status tutti_expression_parse(const char *text, tutti_expression **expression, tutti_error *error)
{
  *expression = NULL;
  if (strlen(text) > TUTTI_EXPRESSION_LENGTH)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.40s...': more than %d characters", text, TUTTI_EXPRESSION_LENGTH);
  struct parser parser = {
      .text = text, .here = text, .error = error, .expression = tutti_xcalloc(1, sizeof **expression)};
  parse_all(&parser);
  if (parser.status == TUTTI_OK)
    *expression = parser.expression;
  else
    free(parser.expression);
  return parser.status;
}
