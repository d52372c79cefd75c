/* Lines of baselines: their keys, and the order of these. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/baseline_private.h"

enum { KEY_LENGTH = TUTTI_RESULT_POINT_LENGTH + 64 };

static const char *const kinds[TUTTI_BASELINE_KINDS] = {
    [TUTTI_BASELINE_GROUP] = "group",
    [TUTTI_BASELINE_SORT] = "sort",
    [TUTTI_BASELINE_RANGE] = "range",
    [TUTTI_BASELINE_DECISION] = "decision",
};

void baseline_entry_free(tutti_baseline_entry *entry)
{
  free(entry->key);
  free(entry->comment);
  free(entry->decision);
}

static void begin(tutti_baseline_entry *entry, tutti_baseline_kind kind)
{
  *entry = (tutti_baseline_entry){.kind = kind};
  for (int m = 0; m < TUTTI_METRICS; m++)
    entry->values[m] = NAN;
}

static bool finish(tutti_baseline_entry *entry, const char *key)
{
  entry->key = strdup(key);
  return entry->key != NULL;
}

/* ---- keys ---- */

static bool has_size(tutti_collective collective)
{
  return collective != TUTTI_COLL_BARRIER;
}

static bool has_root(tutti_collective collective)
{
  return tutti_collective_traits(collective) & TUTTI_HAS_ROOT;
}

static bool finish_collective(tutti_baseline_entry *entry)
{
  char key[KEY_LENGTH], method[TUTTI_METHOD_LENGTH], size[24];
  entry->collective = entry->method.algorithm->collective;
  int length = snprintf(key, sizeof key, "%s ranks=%d", tutti_method_format(&entry->method, method), entry->ranks);
  if (has_root(entry->collective))
    length += snprintf(key + length, sizeof key - (size_t)length, " root=%d", entry->root);
  if (has_size(entry->collective))
    snprintf(key + length, sizeof key - (size_t)length, " bytes=%s", tutti_size_format(entry->bytes, size));
  return finish(entry, key);
}

/* KIND FIRST ranks=N REST, from the line of a points file, which has the ranks elsewhere. */
static bool finish_words(tutti_baseline_entry *entry, const char *point, int ranks)
{
  char key[KEY_LENGTH];
  int first = (int)strcspn(point, " ");
  snprintf(key, sizeof key, "%s %.*s ranks=%d%s", kinds[entry->kind], first, point, ranks, point + first);
  return finish(entry, key);
}

bool baseline_entry_of_point(const tutti_point *point, tutti_baseline_entry *entry)
{
  char text[TUTTI_RESULT_POINT_LENGTH];
  if (point->result) {
    begin(entry, point->result->kind == TUTTI_RESULT_SORT ? TUTTI_BASELINE_SORT : TUTTI_BASELINE_RANGE);
    return finish_words(entry, tutti_result_format_point(point->result, text), point->ranks);
  }
  if (point->build.builder) {
    begin(entry, TUTTI_BASELINE_GROUP);
    return finish_words(entry, tutti_build_point_format(&point->build, text), point->ranks);
  }
  begin(entry, TUTTI_BASELINE_COLLECTIVE);
  entry->method = point->method;
  entry->ranks = point->ranks;
  entry->root = point->root;
  entry->bytes = point->count * point->type_size;
  return finish_collective(entry);
}

bool baseline_entry_of_decision(const char *name, tutti_collective collective, tutti_baseline_entry *entry)
{
  begin(entry, TUTTI_BASELINE_DECISION);
  entry->collective = collective;
  entry->decision = strdup(name);
  return entry->decision &&
         asprintf(&entry->key, "%s %s collective=%s", kinds[entry->kind], name, tutti_collective_name(collective)) >= 0;
}

/* ---- reading ---- */

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
  } else if (has_root(collective) && (value = value_of(word, "root"))) {
    bit = ROOT;
    good = parse_int(value, 0, &entry->root);
  } else if (has_size(collective) && (value = value_of(word, "bytes"))) {
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
  begin(entry, TUTTI_BASELINE_COLLECTIVE);
  tutti_status status = tutti_method_parse(first, &entry->method, error);
  for (char *word; status == TUTTI_OK && (word = strtok_r(NULL, " ", &rest));)
    status = take_word(word, entry, &seen, error);
  if (status != TUTTI_OK)
    return status;
  tutti_collective collective = entry->method.algorithm->collective;
  if (entry->ranks == 0 || (has_size(collective) && !(seen & 4)))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.100s' needs %s", first, entry->ranks == 0 ? "ranks=" : "bytes=");
  return finish_collective(entry) ? TUTTI_OK : out_of_memory(error);
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
  begin(entry, kind);
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
  return finish_words(entry, point, ranks) ? TUTTI_OK : out_of_memory(error);
}

static tutti_status parse_decision(char *rest, tutti_baseline_entry *entry, tutti_error *error)
{
  tutti_collective collective;
  const char *name = strtok_r(NULL, " ", &rest), *word = strtok_r(NULL, " ", &rest);
  const char *value = word ? value_of(word, "collective") : NULL;
  begin(entry, TUTTI_BASELINE_DECISION);
  if (!value || strtok_r(NULL, " ", &rest))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a decision is 'decision NAME collective=NAME'");
  tutti_status status = tutti_collective_parse(value, &collective, error);
  if (status != TUTTI_OK)
    return status;
  return baseline_entry_of_decision(name, collective, entry) ? TUTTI_OK : out_of_memory(error);
}

tutti_status baseline_entry_parse(char *text, tutti_baseline_entry *entry, tutti_error *error)
{
  char *rest, *first = strtok_r(text, " ", &rest);
  begin(entry, TUTTI_BASELINE_COLLECTIVE);
  if (!first)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "values of which point?");
  for (int kind = TUTTI_BASELINE_GROUP; kind < TUTTI_BASELINE_DECISION; kind++)
    if (strcmp(first, kinds[kind]) == 0)
      return parse_words((tutti_baseline_kind)kind, rest, entry, error);
  if (strcmp(first, kinds[TUTTI_BASELINE_DECISION]) == 0)
    return parse_decision(rest, entry, error);
  return parse_collective(first, rest, entry, error);
}

/* ---- order ---- */

int baseline_entry_compare(const void *left, const void *right)
{
  const tutti_baseline_entry *a = left, *b = right;
  if (a->kind != b->kind)
    return a->kind < b->kind ? -1 : 1;
  if (a->kind != TUTTI_BASELINE_COLLECTIVE)
    return strverscmp(a->key, b->key);
  int order = tutti_method_compare(&a->method, &b->method);
  if (order == 0)
    order = (a->ranks > b->ranks) - (a->ranks < b->ranks);
  if (order == 0)
    order = (a->bytes > b->bytes) - (a->bytes < b->bytes);
  return order ? order : (a->root > b->root) - (a->root < b->root);
}
