/* Lines of baselines: a point, which is the key, and its values. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiments/regression/private.h"

/* Kinds of lines that are kinds of rows. */
static const enum tutti_row rows[TUTTI_BASELINE_KINDS] = {
    [TUTTI_BASELINE_GROUP] = TUTTI_ROW_GROUP,
    [TUTTI_BASELINE_SORT] = TUTTI_ROW_SORT,
    [TUTTI_BASELINE_RANGE] = TUTTI_ROW_RANGE,
};

/* The first word of such a line: "group". */
static const char *word_of(tutti_baseline_kind kind)
{
  return tutti_kind_of(rows[kind])->keyword + strlen("tutti-");
}

static const char decision_word[] = "decision", time_word[] = "time";

static tutti_baseline_entry begin(tutti_baseline_kind kind)
{
  tutti_baseline_entry entry = {.kind = kind};
  for (int m = 0; m < TUTTI_METRICS; m++)
    entry.values[m] = NAN;
  return entry;
}

void tutti_baseline_entry_free(tutti_baseline_entry *entry)
{
  free(entry->key);
  free(entry->comment);
  free(entry->decision);
}

bool tutti_baseline_has_values(const tutti_baseline_entry *entry)
{
  for (int m = 0; m < TUTTI_METRICS; m++)
    if (!isnan(entry->values[m]))
      return true;
  return false;
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

/* The key of an operation from its method, ranks, root and bytes. */
static void finish_operation(tutti_baseline_entry *entry)
{
  char method[TUTTI_METHOD_LENGTH], size[24], root[24] = "";
  bool sized = has_size(entry->method.algorithm->collective);
  entry->collective = entry->method.algorithm->collective;
  if (has_root(entry->collective))
    snprintf(root, sizeof root, " root=%d", entry->root);
  entry->key = tutti_xprintf("%s ranks=%d%s%s%s", tutti_method_format(&entry->method, method), entry->ranks, root,
                             sized ? " bytes=" : "", sized ? tutti_size_format(entry->bytes, size) : "");
}

/* The line of a points file, with the ranks, which that has elsewhere. */
tutti_baseline_entry tutti_baseline_entry_of_row(enum tutti_row kind, const void *row)
{
  char point[TUTTI_ROW_POINT];
  int line = TUTTI_BASELINE_GROUP;
  while (line < TUTTI_BASELINE_RANGE && rows[line] != kind)
    line++;
  tutti_baseline_entry entry = begin((tutti_baseline_kind)line);
  int first = (int)strcspn(tutti_row_format_point(tutti_kind_of(kind), row, point), " ");
  entry.key = tutti_xprintf("%s %.*s ranks=%d%s", word_of(entry.kind), first, point,
                            (int)tutti_row_integer(tutti_kind_of(kind), row, "ranks", 1), point + first);
  return entry;
}

tutti_baseline_entry tutti_baseline_entry_of_point(const tutti_point *point)
{
  if (point->result)
    return tutti_baseline_entry_of_row((enum tutti_row)(TUTTI_ROW_SORT + point->result->kind), point->result);
  if (point->build.builder)
    return tutti_baseline_entry_of_row(TUTTI_ROW_GROUP, &(tutti_group_run){.point = point->build});
  tutti_baseline_entry entry = begin(TUTTI_BASELINE_COLLECTIVE);
  entry.method = point->method;
  entry.ranks = point->ranks;
  entry.root = point->root;
  entry.bytes = point->count * point->type_size;
  finish_operation(&entry);
  return entry;
}

tutti_baseline_entry tutti_baseline_entry_of_decision(const char *name, tutti_collective collective)
{
  tutti_baseline_entry entry = begin(TUTTI_BASELINE_DECISION);
  entry.collective = collective;
  entry.decision = tutti_xstrdup(name);
  char *word = tutti_baseline_escape(name, true);
  entry.key = tutti_xprintf("%s %s collective=%s", decision_word, word, tutti_collective_name(collective));
  free(word);
  return entry;
}

tutti_baseline_entry tutti_baseline_entry_of_time(const char *name, int ranks)
{
  tutti_baseline_entry entry = begin(TUTTI_BASELINE_TIME);
  entry.ranks = ranks;
  char *word = tutti_baseline_escape(name, true);
  entry.key = tutti_xprintf("%s %s ranks=%d", time_word, word, ranks);
  free(word);
  return entry;
}

/* ---- order ---- */

int tutti_baseline_entry_compare(const void *left, const void *right)
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

/* ---- reading keys ---- */

static bool parse_int(const char *text, uint64_t min, int *number)
{
  uint64_t value;
  bool good = tutti_parse_integer(text, min, INT_MAX, &value);
  *number = good ? (int)value : 0;
  return good;
}

/* Parse one word after a method. Each must occur exactly once, which their number verifies at the end. */
static tutti_status parse_word(const char *word, tutti_baseline_entry *entry, unsigned *seen, tutti_error *error)
{
  enum { RANKS = 1, ROOT = 2, BYTES = 4 };
  tutti_collective collective = entry->method.algorithm->collective;
  const char *value;
  unsigned bit = 0;
  bool good = false;
  if ((value = tutti_word_value(word, "ranks"))) {
    bit = RANKS;
    good = parse_int(value, 1, &entry->ranks);
  } else if (has_root(collective) && (value = tutti_word_value(word, "root"))) {
    bit = ROOT;
    good = parse_int(value, 0, &entry->root);
  } else if (has_size(collective) && (value = tutti_word_value(word, "bytes"))) {
    bit = BYTES;
    good = tutti_size_parse(value, &entry->bytes, NULL) == TUTTI_OK;
  }
  if (!good || *seen & bit)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "cannot use '%.60s'%s", word, good ? ", which is there twice" : "");
  *seen |= bit;
  return TUTTI_OK;
}

static tutti_status parse_operation(char *first, char *rest, tutti_baseline_entry *entry, tutti_error *error)
{
  unsigned seen = 0;
  *entry = begin(TUTTI_BASELINE_COLLECTIVE);
  tutti_status status = tutti_method_parse(first, &entry->method, error);
  for (char *word; status == TUTTI_OK && (word = strtok_r(NULL, " ", &rest));)
    status = parse_word(word, entry, &seen, error);
  if (status != TUTTI_OK)
    return status;
  if (entry->ranks == 0 || (has_size(entry->method.algorithm->collective) && !(seen & 4)))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.100s' needs %s", first, entry->ranks == 0 ? "ranks=" : "bytes=");
  finish_operation(entry);
  return TUTTI_OK;
}

/* FIRST ranks=N REST: the words without the ranks into @p point, of TUTTI_ROW_POINT bytes. */
static tutti_status part_words(char *rest, char *point, int *ranks, tutti_error *error)
{
  size_t length = 0;
  *ranks = 0;
  point[0] = '\0';
  for (char *word; (word = strtok_r(NULL, " ", &rest));) {
    const char *value = tutti_word_value(word, "ranks");
    if (value && (*ranks || !parse_int(value, 1, ranks)))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "cannot use '%.60s'", word);
    if (!value && length + strlen(word) + 2 > TUTTI_ROW_POINT)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the line is too long");
    if (!value)
      length += (size_t)sprintf(point + length, "%s%s", length ? " " : "", word);
  }
  return *ranks ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_ARGUMENT, "ranks= is missing");
}

static tutti_status parse_row(tutti_baseline_kind kind, char *rest, tutti_baseline_entry *entry, tutti_error *error)
{
  union {
    tutti_group_run group;
    tutti_result result;
  } row;
  char point[TUTTI_ROW_POINT];
  int ranks;
  tutti_status status = part_words(rest, point, &ranks, error);
  tutti_row_clear(rows[kind], &row);
  if (status == TUTTI_OK)
    status = tutti_row_parse_point(tutti_kind_of(rows[kind]), point, ranks, &row, error);
  if (status == TUTTI_OK)
    *entry = tutti_baseline_entry_of_row(rows[kind], &row);
  return status;
}

static tutti_status parse_decision(char *rest, tutti_baseline_entry *entry, tutti_error *error)
{
  tutti_collective collective;
  char *name = strtok_r(NULL, " ", &rest), *word = strtok_r(NULL, " ", &rest);
  const char *value = word ? tutti_word_value(word, "collective") : NULL;
  if (!value || strtok_r(NULL, " ", &rest))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a decision is 'decision NAME collective=NAME'");
  tutti_baseline_unescape(name);
  tutti_status status = tutti_collective_parse(value, &collective, error);
  if (status == TUTTI_OK)
    *entry = tutti_baseline_entry_of_decision(name, collective);
  return status;
}

static tutti_status parse_time(char *rest, tutti_baseline_entry *entry, tutti_error *error)
{
  int ranks;
  char *name = strtok_r(NULL, " ", &rest), *word = strtok_r(NULL, " ", &rest);
  const char *value = word ? tutti_word_value(word, "ranks") : NULL;
  if (!value || !parse_int(value, 1, &ranks) || strtok_r(NULL, " ", &rest))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a time of a program is 'time NAME ranks=N'");
  tutti_baseline_unescape(name);
  *entry = tutti_baseline_entry_of_time(name, ranks);
  return TUTTI_OK;
}

static tutti_status parse_key(char *text, tutti_baseline_entry *entry, tutti_error *error)
{
  char *rest, *first = strtok_r(text, " ", &rest);
  if (!first)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "these values belong to no point");
  for (int kind = TUTTI_BASELINE_GROUP; kind <= TUTTI_BASELINE_RANGE; kind++)
    if (strcmp(first, word_of((tutti_baseline_kind)kind)) == 0)
      return parse_row((tutti_baseline_kind)kind, rest, entry, error);
  if (strcmp(first, decision_word) == 0)
    return parse_decision(rest, entry, error);
  if (strcmp(first, time_word) == 0)
    return parse_time(rest, entry, error);
  return parse_operation(first, rest, entry, error);
}

/* ---- reading values ---- */

/* The metric of NAME=NUMBER, and where its number begins; TUTTI_METRICS if it is another word. */
static int metric_of(const char *word, const char **number)
{
  int m = 0;
  while (m < TUTTI_METRICS && !(*number = tutti_word_value(word, tutti_metric_name((tutti_metric)m))))
    m++;
  return m;
}

/* Numbers that are counted are whole ones that a double has exactly. */
static bool is_value(tutti_metric metric, const char *text, double *value)
{
  if (!tutti_parse_real(text, value) || strpbrk(text, "xXpP"))
    return false;
  return metric == TUTTI_METRIC_TIME ||
         (*value >= 0 && (tutti_metric_is_measured(metric) || (*value == floor(*value) && *value <= 0x1p53)));
}

/* Cut the values off the end of a line: [TUTTI_METRICS], NaN for missing ones. */
static tutti_status cut_values(char *line, double *values, tutti_error *error)
{
  for (int m = 0; m < TUTTI_METRICS; m++)
    values[m] = NAN;
  for (char *word; (word = strrchr(line, ' '));) {
    const char *number = NULL;
    int metric = metric_of(word + 1, &number);
    if (metric == TUTTI_METRICS)
      return TUTTI_OK;
    if (!isnan(values[metric]) || !is_value((tutti_metric)metric, number, &values[metric]))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "cannot use the value '%.80s'", word + 1);
    *word = '\0';
    for (size_t length = strlen(line); length > 0 && line[length - 1] == ' ';)
      line[--length] = '\0';
  }
  return TUTTI_OK;
}

/* Penalties are those of decisions. */
static tutti_status set_values(tutti_baseline_entry *entry, const double *values, tutti_error *error)
{
  for (int m = 0; m < TUTTI_METRICS; m++) {
    bool penalty = tutti_metric_aspect((tutti_metric)m) == TUTTI_ASPECT_PENALTY;
    if (!isnan(values[m]) && penalty != (entry->kind == TUTTI_BASELINE_DECISION))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "such a line has no %s=", tutti_metric_name((tutti_metric)m));
    entry->values[m] = values[m];
  }
  return TUTTI_OK;
}

tutti_status tutti_baseline_entry_parse(char *line, tutti_baseline_entry *entry, tutti_error *error)
{
  double values[TUTTI_METRICS];
  *entry = begin(TUTTI_BASELINE_COLLECTIVE);
  tutti_status status = cut_values(line, values, error);
  if (status == TUTTI_OK)
    status = parse_key(line, entry, error);
  if (status == TUTTI_OK)
    status = set_values(entry, values, error);
  if (status != TUTTI_OK) {
    tutti_baseline_entry_free(entry);
    *entry = begin(TUTTI_BASELINE_COLLECTIVE);
  }
  return status;
}
