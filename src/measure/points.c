#include "measure/points.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Where a word stands. */
struct position {
  const char *name;
  int line;
};

static tutti_status complain(const struct position *at, const char *what, const char *word, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%d: %s '%s'", at->name, at->line, what, word);
}

static bool parse_number(const char *text, uint64_t most, uint64_t *value)
{
  char *end;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  *value = number;
  return errno == 0 && end != text && *end == '\0' && *text != '-' && number <= most;
}

/* The value of "key=value" if the word has that key. */
static const char *value_of(const char *word, const char *key)
{
  size_t length = strlen(key);
  return strncmp(word, key, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

static bool take_int(const char *word, const char *key, int *target)
{
  const char *value = value_of(word, key);
  uint64_t number;
  if (!value || !parse_number(value, INT_MAX, &number))
    return false;
  *target = (int)number;
  return true;
}

static bool take_confidence(const char *word, tutti_measure *measure)
{
  const char *value = value_of(word, "confidence");
  char *end;
  if (!value)
    return false;
  measure->confidence = strtod(value, &end);
  return end != value && *end == '\0' && measure->confidence > 0;
}

static bool take_scheme(const char *word, tutti_measure *measure)
{
  const char *value = value_of(word, "scheme");
  return value && tutti_scheme_parse(value, &measure->scheme, NULL) == TUTTI_OK;
}

static tutti_status parse_header(char *line, struct points *points, const struct position *at, tutti_error *error)
{
  char *word = strtok_r(line, " ", &line);
  if (!word || strcmp(word, "tutti-points") != 0)
    return complain(at, "expected a tutti-points line instead of", word ? word : "", error);
  int version = 0;
  while ((word = strtok_r(NULL, " ", &line))) {
    tutti_measure *measure = &points->measure;
    bool taken = take_int(word, "v", &version) || take_int(word, "warmup", &measure->warmup) ||
                 take_int(word, "repetitions_max", &measure->repetitions_max) || take_confidence(word, measure) ||
                 take_scheme(word, measure) || take_int(word, "ranks_per_node", &points->ranks_per_node);
    if (!taken)
      return complain(at, "cannot use", word, error);
  }
  if (version != 1 || points->measure.repetitions_max < 1 || points->ranks_per_node < 1)
    return complain(at, "needs v=1, repetitions_max and ranks_per_node of at least 1 in", "tutti-points", error);
  return TUTTI_OK;
}

static tutti_status parse_point(char *line, struct point *point, const struct position *at, tutti_error *error)
{
  tutti_error reason;
  char *word = strtok_r(line, " ", &line);
  *point = (struct point){.type_size = 1};
  if (!word)
    return complain(at, "expected a method instead of", "", error);
  if (tutti_method_parse(word, &point->method, &reason) != TUTTI_OK)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%d: %.400s", at->name, at->line, reason.message);
  while ((word = strtok_r(NULL, " ", &line))) {
    const char *count = value_of(word, "count"), *size = value_of(word, "type_B");
    if (!take_int(word, "root", &point->root) && !(count && parse_number(count, UINT64_MAX, &point->count)) &&
        !(size && parse_number(size, INT_MAX, &point->type_size) && point->type_size > 0))
      return complain(at, "cannot use", word, error);
  }
  if (point->method.algorithm->collective == TUTTI_COLL_BARRIER)
    point->count = 0;
  if (!(tutti_collective_traits(point->method.algorithm->collective) & TUTTI_HAS_ROOT))
    point->root = 0;
  if (point->count > SIZE_MAX / 2 / point->type_size)
    return complain(at, "message too large for", tutti_collective_name(point->method.algorithm->collective), error);
  return TUTTI_OK;
}

static size_t count_lines(const char *text)
{
  size_t lines = 1;
  for (; (text = strchr(text, '\n')); text++)
    lines++;
  return lines;
}

tutti_status tutti_points_parse(char *text, const char *name, struct points *points, tutti_error *error)
{
  struct position at = {name, 1};
  *points = (struct points){.measure = {TUTTI_SCHEME_OCC, 3, 200, 0.05}, .ranks_per_node = 1};
  points->items = malloc(count_lines(text) * sizeof *points->items);
  if (!points->items)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the points of %s", name);
  char *line = strsep(&text, "\n");
  tutti_status status = parse_header(line, points, &at, error);
  while (status == TUTTI_OK && (line = strsep(&text, "\n"))) {
    at.line++;
    if (*line != '\0')
      status = parse_point(line, &points->items[points->count++], &at, error);
  }
  if (status != TUTTI_OK)
    tutti_points_free(points);
  return status;
}

void tutti_points_free(struct points *points)
{
  free(points->items);
  *points = (struct points){.items = NULL};
}
