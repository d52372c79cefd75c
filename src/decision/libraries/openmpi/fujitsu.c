/* Decision trees of Fujitsu MPI, which is made of Open MPI: what becomes of a call. Blocks are indented; a collective
   has a tree of "if CONDITION:" with "else:", and of "case EXPRESSION:" with "match LOW .. HIGH:"; a leaf lists
   algorithms, of which the first that serves a call runs. Read from published files: what is not understood ends the
   way. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "decision/libraries/openmpi/fujitsu.h"

enum { MAX_DEPTH = 32, LINE = 1000 };

/* ---- lines ---- */

/* The text of a line. */
static void copy_line(const struct tuning_file *file, const struct openmpi_tree_line *line, char text[LINE])
{
  snprintf(text, LINE, "%.*s", (int)(line->length < LINE ? line->length : LINE - 1), file->text + line->at);
}

/* A number, and blanks after it; false: there is none. */
static bool read_bound(const char **text, uint64_t *number)
{
  char *end;
  if (!isdigit((unsigned char)**text))
    return false;
  *number = strtoull(*text, &end, 10);
  *text = end + strspn(end, " \t");
  return true;
}

/* "match LOW .. HIGH:", or "match _:" for all. */
static bool read_match(const char *text, uint64_t *low, uint64_t *high)
{
  *low = 0;
  *high = UINT64_MAX;
  if (strncmp(text, "match ", 6) != 0)
    return false;
  text += 6 + strspn(text + 6, " \t");
  if (strcmp(text, "_:") == 0)
    return true;
  if (!read_bound(&text, low) || strncmp(text, "..", 2) != 0)
    return false;
  text += 2 + strspn(text + 2, " \t");
  return read_bound(&text, high) && strcmp(text, ":") == 0;
}

/* The line from `begin` to `end`, without its comment and blanks around it. */
static void add_line(const struct tuning_file *file, size_t begin, size_t end, struct openmpi_rules *rules)
{
  const char *hash = memchr(file->text + begin, '#', end - begin);
  struct openmpi_tree_line line = {.at = begin};
  char text[LINE];
  end = hash ? (size_t)(hash - file->text) : end;
  while (end > begin && isspace((unsigned char)file->text[end - 1]))
    end--;
  while (line.at < end && isspace((unsigned char)file->text[line.at]))
    line.at++;
  if (line.at == end)
    return;
  line.indent = line.at - begin;
  line.length = end - line.at;
  copy_line(file, &line, text);
  line.is_match = read_match(text, &line.low, &line.high);
  tutti_xpush(&rules->tree, line);
}

void tutti_openmpi_read_fujitsu(const struct tuning_file *file, struct openmpi_rules *rules)
{
  for (size_t at = 0; at < file->length;) {
    const char *newline = memchr(file->text + at, '\n', file->length - at);
    const size_t end = newline ? (size_t)(newline - file->text) : file->length;
    add_line(file, at, end, rules);
    at = end + 1;
  }
}

static const struct openmpi_rules *rules_of(const struct explaining *explaining)
{
  return explaining->tuning->rules;
}

/* The next line that is indented no more than that, after line `at`; past the last there is none. */
static size_t skip_block(const struct openmpi_rules *rules, size_t at, size_t indent)
{
  for (at++; at < rules->tree.count && rules->tree.items[at].indent > indent;)
    at++;
  return at;
}

/* ---- the way through a tree ---- */

static void not_understood(struct explaining *explaining, size_t at)
{
  const struct openmpi_rules *rules = rules_of(explaining);
  tutti_explain_step(explaining, at < rules->tree.count ? rules->tree.items[at].at : NO_PLACE,
                     "%s is not understood: what runs is not known",
                     at < rules->tree.count ? "this line" : "the end of the file");
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
  tutti_explain_name(explaining, "%s", text);
  if (last) {
    tutti_explain_step(explaining, NO_PLACE, "the first of them that serves the call runs,%s at the latest", last + 1);
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

/* The branch of a "case" that a value takes, the first that has it; past the last line: none does. */
static size_t find_match(struct explaining *explaining, const char *expression, size_t at)
{
  const struct openmpi_rules *rules = rules_of(explaining);
  const size_t indent = rules->tree.items[at].indent, none = rules->tree.count;
  const char *end = expression;
  struct tree_range range = {0, UINT64_MAX}; /* between the branches before it */
  uint64_t value;
  if (!tutti_tree_evaluate(&end, explaining->call, explaining->call->rank_bytes, &value) || strcmp(end, ":") != 0)
    return none;
  for (at++; at < none && rules->tree.items[at].indent > indent;) {
    const struct openmpi_tree_line *line = &rules->tree.items[at];
    if (!line->is_match)
      break;
    if (line->low <= value && value <= line->high) {
      range.low = line->low > range.low ? line->low : range.low;
      range.high = line->high < range.high ? line->high : range.high;
      (void)tutti_tree_is_within(explaining, expression, value, range);
      tutti_explain_step(explaining, line->at, "%.*s %.*s is %llu", (int)line->length,
                         explaining->tuning->file.text + line->at, (int)strcspn(expression, ":"), expression,
                         (unsigned long long)value);
      return at;
    }
    if (line->low <= line->high && line->high < value && line->high + 1 > range.low)
      range.low = line->high + 1;
    if (line->low <= line->high && line->low > value && line->low - 1 < range.high)
      range.high = line->low - 1;
    at = skip_block(rules, at, line->indent);
  }
  (void)tutti_tree_is_within(explaining, expression, value, range);
  return none;
}

/* The line whose block is next, after line `at`; past the last line: the way ends there. */
static size_t walk_line(struct explaining *explaining, size_t at)
{
  const struct openmpi_rules *rules = rules_of(explaining);
  const struct openmpi_tree_line *line = &rules->tree.items[at];
  const size_t none = rules->tree.count;
  char text[LINE];
  bool holds;
  copy_line(&explaining->tuning->file, line, text);
  if (strncmp(text, "case ", 5) == 0) {
    const size_t match = find_match(explaining, text + 5, at);
    if (match == none)
      not_understood(explaining, at);
    return match;
  }
  if (strncmp(text, "if ", 3) != 0) {
    run_leaf(explaining, line->at, text);
    return none;
  }
  if (!tutti_tree_read_condition(explaining, text + 3, &holds)) {
    not_understood(explaining, at);
    return none;
  }
  tutti_explain_step(explaining, line->at, "%s %s", text, holds ? "yes" : "no");
  if (holds)
    return at;
  const size_t other = skip_block(rules, at, line->indent);
  if (other < none && rules->tree.items[other].indent == line->indent) {
    copy_line(&explaining->tuning->file, &rules->tree.items[other], text);
    if (strcmp(text, "else:") == 0)
      return other;
  }
  not_understood(explaining, other);
  return none;
}

static size_t find_tree(struct explaining *explaining)
{
  const struct openmpi_rules *rules = rules_of(explaining);
  const char *name = tutti_collective_name(explaining->call->collective);
  const size_t length = strlen(name);
  size_t at = 0;
  for (; at < rules->tree.count; at++) {
    const struct openmpi_tree_line *line = &rules->tree.items[at];
    const char *text = explaining->tuning->file.text + line->at;
    if (line->indent == 0 && line->length == length + 1 && memcmp(text, name, length) == 0 && text[length] == ':')
      break;
  }
  return at;
}

void tutti_openmpi_explain_fujitsu(struct explaining *explaining)
{
  const struct openmpi_rules *rules = rules_of(explaining);
  size_t at = find_tree(explaining);
  explaining->unlike = true;
  if (at == rules->tree.count) {
    tutti_explain_step(explaining, NO_PLACE, "the file has no tree for %s",
                       tutti_collective_name(explaining->call->collective));
    tutti_openmpi_run_own_choice(explaining);
    return;
  }
  for (int depth = 0; depth < MAX_DEPTH; depth++) {
    if (at + 1 == rules->tree.count || rules->tree.items[at + 1].indent <= rules->tree.items[at].indent)
      break;
    at = walk_line(explaining, at + 1);
    if (at == rules->tree.count)
      return;
  }
  not_understood(explaining, at);
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

static bool is_understood(const char *text)
{
  static const tutti_explained_call call = {.ranks = 2};
  tutti_explanation ignored = {.max = UINT64_MAX};
  struct explaining explaining = {.call = &call, .answer = &ignored, .silent = true};
  const char *end = text + 5;
  uint64_t value, high;
  bool holds;
  if (strncmp(text, "if ", 3) == 0)
    return tutti_tree_read_condition(&explaining, text + 3, &holds);
  if (strncmp(text, "case ", 5) == 0)
    return tutti_tree_evaluate(&end, &call, 0, &value) && strcmp(end, ":") == 0;
  return strcmp(text, "else:") == 0 || read_match(text, &value, &high) || is_leaf(text);
}

void tutti_openmpi_lint_fujitsu(struct tuning_file *file, const struct openmpi_rules *rules)
{
  char text[LINE];
  bool header = false;
  for (size_t i = 0; i < rules->tree.count; i++) {
    const struct openmpi_tree_line *line = &rules->tree.items[i];
    tutti_collective collective;
    copy_line(file, line, text);
    const size_t length = strlen(text);
    if (line->indent > 0) {
      if (!header && !is_understood(text))
        tutti_tuning_report(file, LINT_OMPT_LINE, line->at, "'%s'", text);
      continue;
    }
    header = strcmp(text, "header:") == 0;
    if (header || strspn(text, "=") == length)
      continue;
    const bool colon = text[length - 1] == ':';
    text[length - colon] = '\0';
    if (!colon || tutti_collective_parse(text, &collective, NULL) != TUTTI_OK)
      tutti_tuning_report(file, LINT_OMPT_COLLECTIVE, line->at, "'%s'", text);
  }
}
