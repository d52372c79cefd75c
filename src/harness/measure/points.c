#include "harness/measure/points.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- words ---- */

bool tutti_word_set_whole(const char *word, const char *key, uint64_t max, uint64_t *target)
{
  const char *value = tutti_word_value(word, key);
  return value && tutti_parse_integer(value, 0, max, target);
}

bool tutti_word_set_int(const char *word, const char *key, int *target)
{
  uint64_t number;
  if (!tutti_word_set_whole(word, key, INT_MAX, &number))
    return false;
  *target = (int)number;
  return true;
}

bool tutti_word_set_real(const char *word, const char *key, double *target)
{
  const char *value = tutti_word_value(word, key);
  return value && tutti_parse_real(value, target);
}

tutti_status tutti_word_refuse(const char *word, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "cannot use '%s'", word);
}

/* ---- keys ---- */

static bool set_value(const struct points_key *key, const char *word, void *member)
{
  switch (key->type) {
  case KEY_INTEGER:
    return tutti_word_set_int(word, key->name, member);
  case KEY_NATURAL:
    return tutti_word_set_int(word, key->name, member) && *(int *)member >= 1;
  case KEY_REAL:
    return tutti_word_set_real(word, key->name, member);
  case KEY_POSITIVE:
    return tutti_word_set_real(word, key->name, member) && *(double *)member > 0;
  case KEY_SECONDS:
    return tutti_word_set_real(word, key->name, member) && *(double *)member >= 0 && *(double *)member < 1;
  default:
    return tutti_scheme_parse_ours(tutti_word_value(word, key->name), member, NULL) == TUTTI_OK;
  }
}

/* Set the member of the key that the word names, if it is one of these; *found: it is. */
static tutti_status set_key(const struct points_key *keys, const char *word, struct points *points, bool *found,
                            tutti_error *error)
{
  while (keys && keys->name && !tutti_word_value(word, keys->name))
    keys++;
  *found = keys && keys->name;
  if (!*found)
    return TUTTI_OK;
  void *member = (char *)points + keys->offset;
  if (keys->type == KEY_SIZE)
    return tutti_size_parse(tutti_word_value(word, keys->name), member, error);
  return set_value(keys, word, member) ? TUTTI_OK : tutti_word_refuse(word, error);
}

/* ---- lines ---- */

static tutti_status parse_header(char *line, struct points *points, tutti_error *error)
{
  static const struct points_key keys[] = {
      {"v", KEY_INTEGER, offsetof(struct points, version)},
      {"warmup", KEY_INTEGER, offsetof(struct points, measure.warmup)},
      {"repetitions_max", KEY_INTEGER, offsetof(struct points, measure.repetitions_max)},
      {"confidence", KEY_POSITIVE, offsetof(struct points, measure.confidence)},
      {"scheme", KEY_SCHEME, offsetof(struct points, measure.scheme)},
      {"ranks_per_node", KEY_INTEGER, offsetof(struct points, ranks_per_node)},
      {NULL, 0, 0}};
  const char *word = strtok_r(line, " ", &line);
  if (!word || strcmp(word, "tutti-points") != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "expected a tutti-points line instead of '%s'", word ? word : "");
  while ((word = strtok_r(NULL, " ", &line))) {
    bool found, also = false;
    tutti_status status = set_key(keys, word, points, &found, error);
    if (!found)
      status = set_key(points->kind->header, word, points, &also, error);
    if (status != TUTTI_OK || (!found && !also))
      return status != TUTTI_OK ? status : tutti_word_refuse(word, error);
  }
  const char *needs = points->kind->refuse ? points->kind->refuse(points) : NULL;
  if (points->version != 1 || points->measure.repetitions_max < 1 || points->ranks_per_node < 1)
    needs = "v=1, repetitions_max and ranks_per_node of at least 1";
  return needs ? tutti_fail(error, TUTTI_ERR_ARGUMENT, "needs %s in 'tutti-points'", needs) : TUTTI_OK;
}

static bool is_costs(const struct points_kind *kind, const char *line)
{
  return kind->costs && (strcmp(line, "costs") == 0 || strncmp(line, "costs ", 6) == 0);
}

static tutti_status parse_costs(char *line, struct points *points, tutti_error *error)
{
  const char *word = strtok_r(line, " ", &line);
  if (points->count > 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "costs stand before all points");
  while ((word = strtok_r(NULL, " ", &line))) {
    bool found;
    tutti_status status = set_key(points->kind->costs, word, points, &found, error);
    if (status != TUTTI_OK || !found)
      return status != TUTTI_OK ? status : tutti_word_refuse(word, error);
  }
  return TUTTI_OK;
}

static tutti_status parse_line(char *line, int number, struct points *points, tutti_error *error)
{
  if (number == 1)
    return parse_header(line, points, error);
  if (*line == '\0')
    return TUTTI_OK;
  if (is_costs(points->kind, line))
    return parse_costs(line, points, error);
  return points->kind->parse_line ? points->kind->parse_line(points, line, error) : tutti_word_refuse(line, error);
}

static tutti_status fail_at(const char *name, int line, tutti_status status, const char *reason, tutti_error *error)
{
  if (!name) /* a command line has no line numbers */
    return tutti_fail(error, status, "command line: %s", reason);
  return tutti_fail(error, status, "%s:%d: %s", name, line, reason);
}

/* No fewer than its points: the last one may end without a newline. */
static size_t count_lines(const char *text)
{
  size_t lines = 1;
  for (; (text = strchr(text, '\n')); text++)
    lines++;
  return lines;
}

tutti_status tutti_points_load(const char *path, char **text, tutti_error *error)
{
  size_t length;
  const tutti_status status = tutti_input_read_text(path, TUTTI_INPUT_TEXT, text, &length, error);
  return status == TUTTI_OK && length == 0 ? tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: is empty", path) : status;
}

tutti_status tutti_points_parse(const struct points_kind *kind, char *text, const char *name, int ranks,
                                struct points *points, tutti_error *error)
{
  tutti_error reason;
  tutti_status status = TUTTI_OK;
  int number = 1;
  *points = kind->defaults;
  points->kind = kind;
  points->ranks = ranks;
  points->items = calloc(count_lines(text), kind->item_size ? kind->item_size : 1);
  if (!points->items)
    return fail_at(name, number, TUTTI_ERR_MEMORY, "out of memory for the points", error);
  for (char *line; status == TUTTI_OK && (line = strsep(&text, "\n")); number++)
    status = parse_line(line, number, points, &reason);
  if (status == TUTTI_OK)
    return TUTTI_OK;
  tutti_points_free(points);
  return fail_at(name, number - 1, status, reason.message, error);
}

void *tutti_points_add(struct points *points)
{
  return (char *)points->items + points->count++ * points->kind->item_size;
}

void tutti_points_free(struct points *points)
{
  for (size_t i = 0; i < points->trace_count; i++)
    tutti_trace_free(&points->traces[i]);
  free(points->traces);
  free(points->items);
  *points = (struct points){.items = NULL};
}
