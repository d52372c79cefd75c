/* Decision trees of Fujitsu MPI, which is made of Open MPI: what becomes of a call. Blocks are indented; a collective
   has a tree of "if CONDITION:" with "else:", and of "case EXPRESSION:" with "match LOW .. HIGH:"; a leaf lists
   algorithms, of which the first that serves a call runs. Read from published files: what is not understood ends the
   way. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "base/text.h"
#include "decision/libraries/openmpi/openmpi.h"

enum { MAX_DEPTH = 32, LINE = 200 };

#define NO_SIZE (UINT64_C(1) << 62) /* sizes from there on count as the one below */

/* ---- lines ---- */

/* The line at a place without its comment and blanks around it, and its indent; false past the end. */
static bool read_line(const struct tuning_file *file, size_t *at, char text[LINE], size_t *indent)
{
  while (*at < file->length) {
    const char *line = file->text + *at, *newline = memchr(line, '\n', file->length - *at);
    size_t length = newline ? (size_t)(newline - line) : file->length - *at, blanks = 0;
    const char *hash = memchr(line, '#', length);
    length = hash ? (size_t)(hash - line) : length;
    while (length && isspace((unsigned char)line[length - 1]))
      length--;
    while (blanks < length && isspace((unsigned char)line[blanks]))
      blanks++;
    if (blanks < length) {
      snprintf(text, LINE, "%.*s", (int)(length - blanks < LINE ? length - blanks : LINE - 1), line + blanks);
      *indent = blanks;
      return true;
    }
    *at += newline ? (size_t)(newline - line) + 1 : length + blanks + file->length;
  }
  return false;
}

static size_t behind(const struct tuning_file *file, size_t at)
{
  const char *newline = at < file->length ? memchr(file->text + at, '\n', file->length - at) : NULL;
  return newline ? (size_t)(newline + 1 - file->text) : file->length;
}

/* The next line that is indented no more than that, from the one after `at` on; false: there is none. */
static bool skip_block(const struct tuning_file *file, size_t *at, size_t indent, char text[LINE], size_t *next_indent)
{
  *at = behind(file, *at);
  while (read_line(file, at, text, next_indent) && *next_indent > indent)
    *at = behind(file, *at);
  return *at < file->length;
}

/* ---- expressions ---- */

/* Values of an expression that holds for a range of them. */
struct range {
  uint64_t low, high;
};

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
static bool evaluate(const char **text, const tutti_explained_call *call, uint64_t bytes, uint64_t *value)
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
  (void)evaluate(&expression, call, bytes, &value);
  return value;
}

/* The first number of bytes at which an expression, which never falls with them, is at least that. */
static uint64_t reaches(const char *expression, const tutti_explained_call *call, uint64_t least)
{
  return TUTTI_PARTITION_POINT(uint64_t, bytes, 0, NO_SIZE, value_at(expression, call, bytes) < least);
}

/* Whether the value is in the range; the sizes of which the same is true. */
static bool is_within(struct explaining *explaining, const char *expression, uint64_t value, struct range range)
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

static bool read_range(const char *sign, uint64_t number, struct range *range)
{
  if (strcmp(sign, "<=") == 0)
    *range = (struct range){0, number};
  else if (strcmp(sign, "<") == 0)
    *range = (struct range){number ? 0 : 1, number ? number - 1 : 0};
  else if (strcmp(sign, ">=") == 0)
    *range = (struct range){number, UINT64_MAX};
  else if (strcmp(sign, ">") == 0)
    *range = number == UINT64_MAX ? (struct range){1, 0} : (struct range){number + 1, UINT64_MAX};
  else if (strcmp(sign, "==") == 0)
    *range = (struct range){number, number};
  else
    return false;
  return true;
}

/* "msg_size <= 8192", or "pow_two". */
static bool read_condition(struct explaining *explaining, const char *text, bool *holds)
{
  const char *end = text;
  char sign[3] = "";
  uint64_t value, number;
  struct range range = {1, UINT64_MAX};
  if (!evaluate(&end, explaining->call, explaining->call->rank_bytes, &value))
    return false;
  const size_t length = strspn(end, "<>=");
  if (length > 0) {
    snprintf(sign, sizeof sign, "%.*s", (int)length, end);
    end += length;
    if (length > 2 || !evaluate(&end, explaining->call, 0, &number) || !read_range(sign, number, &range))
      return false;
  }
  if (strcmp(end, ":") != 0)
    return false;
  *holds = is_within(explaining, text, value, range);
  return true;
}

/* ---- the way through a tree ---- */

static void not_understood(struct explaining *explaining, size_t at)
{
  tutti_explain_step(explaining, at, "this line is not understood: what runs is not known");
  snprintf(explaining->answer->algorithm, TUTTI_METHOD_LENGTH, "none");
}

/* Algorithms with commas between, each with its parameters in brackets. */
static void run_leaf(struct explaining *explaining, size_t at, const char *text)
{
  const int collective = tutti_openmpi_collective(explaining->call->collective);
  const char *segment = strstr(text, "segsize="), *last = strrchr(text, ',');
  char name[LINE];
  tutti_explain_step(explaining, at, "%s", text);
  if (strcmp(text, "default") == 0) {
    tutti_explain_step(explaining, NO_PLACE, "what Open MPI chooses stands for that");
    tutti_openmpi_run_own_choice(explaining);
    return;
  }
  snprintf(explaining->answer->algorithm, TUTTI_METHOD_LENGTH, "%.60s", text);
  if (last) {
    tutti_explain_step(explaining, NO_PLACE, "the first of them that serves the call runs,%.80s at the latest",
                       last + 1);
    return;
  }
  snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "( "), text);
  const long id = collective < 0 ? -1 : tutti_openmpi_algorithm_id(&explaining->tuning->file.version, collective, name);
  if (id <= 0)
    return;
  struct openmpi_rule rule = {.values = {[FIELD_ALGORITHM] = id}, .at = {at, at, at, at, at}};
  rule.values[FIELD_SEGMENT] = segment ? strtol(segment + strlen("segsize="), NULL, 10) : 0;
  if (tutti_openmpi_algorithm_name(&explaining->tuning->file.version, collective, id) &&
      rule.values[FIELD_SEGMENT] >= 0 && rule.values[FIELD_SEGMENT] <= INT_MAX)
    tutti_openmpi_run_rule(explaining, collective, &rule);
}

/* The branch of a "case" that a value takes; false: none does. *at is its line then. */
static bool find_match(struct explaining *explaining, const char *expression, size_t *at, size_t indent)
{
  const struct tuning_file *file = &explaining->tuning->file;
  char text[LINE];
  const char *end = expression;
  uint64_t value;
  size_t inner;
  if (!evaluate(&end, explaining->call, explaining->call->rank_bytes, &value) || strcmp(end, ":") != 0)
    return false;
  *at = behind(file, *at);
  for (bool more = read_line(file, at, text, &inner); more && inner > indent;
       more = skip_block(file, at, inner, text, &inner)) {
    unsigned long long low, high;
    int length = 0;
    if (strcmp(text, "match _:") == 0)
      return true;
    if (sscanf(text, "match %llu .. %llu:%n", &low, &high, &length) != 2 || !length || text[length])
      return false;
    if (low <= high && is_within(explaining, expression, value, (struct range){low, high})) {
      tutti_explain_step(explaining, *at + inner, "%s %.*s is %llu", text, (int)strcspn(expression, ":"), expression,
                         (unsigned long long)value);
      return true;
    }
  }
  return false;
}

/* A line that begins a block, or a leaf; `at` moves to the line of the branch that is taken. False: the way ends. */
static bool walk_line(struct explaining *explaining, size_t *at, char text[LINE], size_t indent)
{
  const struct tuning_file *file = &explaining->tuning->file;
  bool holds;
  if (strncmp(text, "case ", 5) == 0) {
    char expression[LINE];
    snprintf(expression, sizeof expression, "%s", text + 5);
    const size_t begin = *at;
    if (find_match(explaining, expression, at, indent))
      return true;
    not_understood(explaining, begin);
    return false;
  }
  if (strncmp(text, "if ", 3) != 0) {
    run_leaf(explaining, *at + indent, text);
    return false;
  }
  if (!read_condition(explaining, text + 3, &holds)) {
    not_understood(explaining, *at);
    return false;
  }
  tutti_explain_step(explaining, *at + indent, "%s %s", text, holds ? "yes" : "no");
  size_t next = indent;
  if (holds || (skip_block(file, at, indent, text, &next) && next == indent && strcmp(text, "else:") == 0))
    return true;
  not_understood(explaining, *at < file->length ? *at : NO_PLACE);
  return false;
}

void tutti_openmpi_explain_fujitsu(struct explaining *explaining)
{
  const struct tuning_file *file = &explaining->tuning->file;
  char text[LINE], name[40];
  size_t at = 0, indent = 0;
  explaining->unlike = true;
  snprintf(name, sizeof name, "%s:", tutti_collective_name(explaining->call->collective));
  bool found = read_line(file, &at, text, &indent);
  while (found && !(indent == 0 && strcmp(text, name) == 0)) {
    at = behind(file, at);
    found = read_line(file, &at, text, &indent);
  }
  if (!found) {
    tutti_explain_step(explaining, NO_PLACE, "the file has no tree for %s",
                       tutti_collective_name(explaining->call->collective));
    tutti_openmpi_run_own_choice(explaining);
    return;
  }
  for (int depth = 0; depth < MAX_DEPTH; depth++) {
    const size_t above = indent;
    const size_t begin = at;
    at = behind(file, at);
    if (!read_line(file, &at, text, &indent) || indent <= above) {
      not_understood(explaining, begin);
      return;
    }
    if (!walk_line(explaining, &at, text, indent))
      return;
    (void)read_line(file, &at, text, &indent); /* of the branch */
  }
  not_understood(explaining, at < file->length ? at : NO_PLACE);
}

/* ---- faults ---- */

/* Algorithms with commas between: words that may have something in brackets. */
static bool is_leaf(const char *text)
{
  while (*text) {
    const size_t letters = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    text += letters;
    if (letters == 0)
      return false;
    if (*text == '(') {
      const char *end = strchr(text, ')');
      if (!end)
        return false;
      text = end + 1;
    }
    text += strspn(text, " \t");
    if (*text == ',' && text[1])
      text += 1 + strspn(text + 1, " \t");
    else if (*text)
      return false;
  }
  return true;
}

static bool is_match(const char *text)
{
  unsigned long long low, high;
  int length = 0;
  return strcmp(text, "match _:") == 0 ||
         (sscanf(text, "match %llu .. %llu:%n", &low, &high, &length) == 2 && length && !text[length]);
}

static bool is_understood(const char *text)
{
  static const tutti_explained_call call = {.ranks = 2};
  tutti_explanation ignored = {.max = UINT64_MAX};
  struct explaining explaining = {.call = &call, .answer = &ignored, .silent = true};
  const char *end = text + 5;
  uint64_t value;
  bool holds;
  if (strncmp(text, "if ", 3) == 0)
    return read_condition(&explaining, text + 3, &holds);
  if (strncmp(text, "case ", 5) == 0)
    return evaluate(&end, &call, 0, &value) && strcmp(end, ":") == 0;
  return strcmp(text, "else:") == 0 || is_match(text) || is_leaf(text);
}

void tutti_openmpi_lint_fujitsu(struct tuning_file *file)
{
  char text[LINE];
  bool header = false;
  size_t indent;
  for (size_t at = 0; read_line(file, &at, text, &indent); at = behind(file, at)) {
    const size_t length = strlen(text);
    tutti_collective collective;
    if (indent > 0) {
      if (!header && !is_understood(text))
        tutti_tuning_report(file, LINT_OMPT_LINE, at + indent, "'%.80s'", text);
      continue;
    }
    header = strcmp(text, "header:") == 0;
    if (header || strspn(text, "=") == length)
      continue;
    const bool colon = text[length - 1] == ':';
    text[length - colon] = '\0';
    if (!colon || tutti_collective_parse(text, &collective, NULL) != TUTTI_OK)
      tutti_tuning_report(file, LINT_OMPT_COLLECTIVE, at, "'%.80s'", text);
  }
}
