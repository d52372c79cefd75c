/* Expressions and conditions of decision trees of Fujitsu MPI: their values, and the sizes that have the same. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "decision/libraries/openmpi/fujitsu.h"

#define NO_SIZE (UINT64_C(1) << 62) /* sizes from there on count as the one below */

static bool read_operand(const char **text, const tutti_explained_call *call, uint64_t bytes, uint64_t *value)
{
  const uint64_t ranks = (uint64_t)call->ranks, per_node = call->ranks_per_node ? (uint64_t)call->ranks_per_node : 1;
  const struct {
    const char *name;
    uint64_t value;
  } names[] = {{"proc_count", ranks},
               {"node_count", 1 + (ranks - 1) / per_node},
               {"total_msg_size", library_product(bytes, call->ranks)},
               {"msg_size", bytes},
               {"pow_two", tutti_is_power_of_two(ranks)}};
  *text += strspn(*text, " \t");
  char *end;
  if (isdigit((unsigned char)**text)) {
    *value = strtoull(*text, &end, 10);
    *text = end;
    return true;
  }
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const size_t length = strlen(names[i].name);
    if (strncmp(*text, names[i].name, length) == 0 && !isalnum((unsigned char)(*text)[length])) {
      *value = names[i].value;
      *text += length;
      return true;
    }
  }
  return false;
}

/* The value of an expression at a number of bytes; false: it is not understood. *text is behind it then. */
bool tutti_tree_evaluate(const char **text, const tutti_explained_call *call, uint64_t bytes, uint64_t *value)
{
  uint64_t operand;
  bytes = bytes < NO_SIZE ? bytes : NO_SIZE - 1;
  if (!read_operand(text, call, bytes, value))
    return false;
  for (;;) {
    const char sign = *(*text += strspn(*text, " \t"));
    if (sign != '*' && sign != '/')
      return true;
    ++*text;
    const char *divisor = *text;
    if (!read_operand(text, call, bytes, &operand) || (sign == '/' && operand == 0) ||
        (sign == '/' && memmem(divisor, (size_t)(*text - divisor), "size", 4)))
      return false; /* divided by a size it would fall */
    if (sign == '/')
      *value /= operand;
    else
      *value = operand && *value > UINT64_MAX / operand ? UINT64_MAX : *value * operand;
  }
}

static uint64_t value_at(const char *expression, const tutti_explained_call *call, uint64_t bytes)
{
  uint64_t value = 0;
  (void)tutti_tree_evaluate(&expression, call, bytes, &value);
  return value;
}

/* The first number of bytes at which an expression, which never falls with them, is at least that. */
static uint64_t reaches(const char *expression, const tutti_explained_call *call, uint64_t least)
{
  return TUTTI_PARTITION_POINT(uint64_t, bytes, 0, NO_SIZE, value_at(expression, call, bytes) < least);
}

/* Whether the value is in the range; the sizes of which the same is true. */
bool tutti_tree_is_within(struct explaining *explaining, const char *expression, uint64_t value,
                          struct tree_range range)
{
  const tutti_explained_call *call = explaining->call;
  const uint64_t begin = range.low ? reaches(expression, call, range.low) : 0;
  const uint64_t end = range.high == UINT64_MAX ? NO_SIZE : reaches(expression, call, range.high + 1);
  if (value < range.low) {
    if (begin < NO_SIZE)
      tutti_explain_at_most(explaining, begin - 1);
    return false;
  }
  if (value > range.high) {
    tutti_explain_at_least(explaining, end);
    return false;
  }
  tutti_explain_at_least(explaining, begin);
  if (end < NO_SIZE)
    tutti_explain_at_most(explaining, end - 1);
  return true;
}

static bool read_range(const char *sign, uint64_t number, struct tree_range *range)
{
  if (strcmp(sign, "<=") == 0)
    *range = (struct tree_range){0, number};
  else if (strcmp(sign, "<") == 0)
    *range = (struct tree_range){number ? 0 : 1, number ? number - 1 : 0};
  else if (strcmp(sign, ">=") == 0)
    *range = (struct tree_range){number, UINT64_MAX};
  else if (strcmp(sign, ">") == 0)
    *range = number == UINT64_MAX ? (struct tree_range){1, 0} : (struct tree_range){number + 1, UINT64_MAX};
  else if (strcmp(sign, "==") == 0)
    *range = (struct tree_range){number, number};
  else
    return false;
  return true;
}

/* "msg_size <= 8192", or "pow_two". */
bool tutti_tree_read_condition(struct explaining *explaining, const char *text, bool *holds)
{
  const char *end = text;
  char sign[3] = "";
  uint64_t value, number;
  struct tree_range range = {1, UINT64_MAX};
  if (!tutti_tree_evaluate(&end, explaining->call, explaining->call->rank_bytes, &value))
    return false;
  const size_t length = strspn(end, "<>=");
  if (length > 0) {
    snprintf(sign, sizeof sign, "%.*s", (int)length, end);
    end += length;
    if (length > 2 || !tutti_tree_evaluate(&end, explaining->call, 0, &number) || !read_range(sign, number, &range))
      return false;
  }
  if (strcmp(end, ":") != 0)
    return false;
  *holds = tutti_tree_is_within(explaining, text, value, range);
  return true;
}
