/* Lines of baselines: reading what stands before the values. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "regression/baseline_entry.h"

/* The value of NAME=VALUE; NULL if it is another word. */
static const char *value_of(const char *word, const char *name)
{
  size_t length = strlen(name);
  return strncmp(word, name, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

static bool parse_int(const char *text, int least, int *number)
{
  char *end;
  long value = strtol(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || value < least || value > INT_MAX)
    return false;
  *number = (int)value;
  return true;
}

static tutti_status out_of_memory(tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a point");
}

/* One word behind a method. Each must be there exactly once, which their number says at the end. */
static tutti_status take_word(const char *word, tutti_baseline_entry *entry, unsigned *seen, tutti_error *error)
{
  enum { RANKS = 1, ROOT = 2, BYTES = 4 };
  tutti_collective collective = entry->method.algorithm->collective;
  const char *value;
  unsigned bit = 0;
  bool good = false;
  if ((value = value_of(word, "ranks"))) {
    bit = RANKS;
    good = parse_int(value, 1, &entry->ranks);
  } else if (tutti_baseline_has_root(collective) && (value = value_of(word, "root"))) {
    bit = ROOT;
    good = parse_int(value, 0, &entry->root);
  } else if (tutti_baseline_has_size(collective) && (value = value_of(word, "bytes"))) {
    bit = BYTES;
    good = tutti_size_parse(value, &entry->bytes, NULL) == TUTTI_OK;
  }
  if (!good || *seen & bit)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "cannot use '%.60s'%s", word, good ? ", which is there twice" : "");
  *seen |= bit;
  return TUTTI_OK;
}

static tutti_status parse_collective(char *first, char *rest, tutti_baseline_entry *entry, tutti_error *error)
{
  unsigned seen = 0;
  tutti_baseline_entry_begin(entry, TUTTI_BASELINE_COLLECTIVE);
  tutti_status status = tutti_method_parse(first, &entry->method, error);
  for (char *word; status == TUTTI_OK && (word = strtok_r(NULL, " ", &rest));)
    status = take_word(word, entry, &seen, error);
  if (status != TUTTI_OK)
    return status;
  tutti_collective collective = entry->method.algorithm->collective;
  if (entry->ranks == 0 || (tutti_baseline_has_size(collective) && !(seen & 4)))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.100s' needs %s", first, entry->ranks == 0 ? "ranks=" : "bytes=");
  return tutti_baseline_finish_collective(entry) ? TUTTI_OK : out_of_memory(error);
}

/* FIRST ranks=N REST: the words without the ranks into @p point, of KEY_LENGTH bytes. */
static tutti_status part_words(char *rest, char *point, int *ranks, tutti_error *error)
{
  size_t length = 0;
  *ranks = 0;
  point[0] = '\0';
  for (char *word; (word = strtok_r(NULL, " ", &rest));) {
    const char *value = value_of(word, "ranks");
    if (value && (*ranks || !parse_int(value, 1, ranks)))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "cannot use '%.60s'", word);
    if (!value && length + strlen(word) + 2 > TUTTI_RESULT_POINT_LENGTH)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the line is too long");
    if (!value)
      length += (size_t)sprintf(point + length, "%s%s", length ? " " : "", word);
  }
  return *ranks ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_ARGUMENT, "ranks= is missing");
}

static tutti_status parse_words(tutti_baseline_kind kind, char *rest, tutti_baseline_entry *entry, tutti_error *error)
{
  char point[KEY_LENGTH], builder[64];
  int ranks;
  tutti_baseline_entry_begin(entry, kind);
  tutti_status status = part_words(rest, point, &ranks, error);
  if (status != TUTTI_OK)
    return status;
  if (kind == TUTTI_BASELINE_GROUP) {
    snprintf(builder, sizeof builder, "%.*s", (int)strcspn(point, " "), point);
    if (!tutti_group_builder_find(builder, error))
      return TUTTI_ERR_ARGUMENT;
  } else {
    tutti_result result = {.kind = kind == TUTTI_BASELINE_SORT ? TUTTI_RESULT_SORT : TUTTI_RESULT_RANGE};
    status = tutti_result_parse_point(point, ranks, &result, error);
    if (status != TUTTI_OK)
      return status;
    tutti_result_format_point(&result, point);
  }
  return tutti_baseline_finish_words(entry, point, ranks) ? TUTTI_OK : out_of_memory(error);
}

static tutti_status parse_decision(char *rest, tutti_baseline_entry *entry, tutti_error *error)
{
  tutti_collective collective;
  const char *name = strtok_r(NULL, " ", &rest), *word = strtok_r(NULL, " ", &rest);
  const char *value = word ? value_of(word, "collective") : NULL;
  tutti_baseline_entry_begin(entry, TUTTI_BASELINE_DECISION);
  if (!value || strtok_r(NULL, " ", &rest))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a decision is 'decision NAME collective=NAME'");
  tutti_status status = tutti_collective_parse(value, &collective, error);
  if (status != TUTTI_OK)
    return status;
  return tutti_baseline_entry_of_decision(name, collective, entry) ? TUTTI_OK : out_of_memory(error);
}

tutti_status tutti_baseline_entry_parse(char *text, tutti_baseline_entry *entry, tutti_error *error)
{
  char *rest, *first = strtok_r(text, " ", &rest);
  tutti_baseline_entry_begin(entry, TUTTI_BASELINE_COLLECTIVE);
  if (!first)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "values of which point?");
  for (int kind = TUTTI_BASELINE_GROUP; kind < TUTTI_BASELINE_DECISION; kind++)
    if (strcmp(first, tutti_baseline_kind_word((tutti_baseline_kind)kind)) == 0)
      return parse_words((tutti_baseline_kind)kind, rest, entry, error);
  if (strcmp(first, tutti_baseline_kind_word(TUTTI_BASELINE_DECISION)) == 0)
    return parse_decision(rest, entry, error);
  return parse_collective(first, rest, entry, error);
}
