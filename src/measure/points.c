#include "measure/points.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "measure/words.h"

static tutti_status parse_point(char *line, struct point *point, const struct position *at, tutti_error *error)
{
  tutti_error reason;
  char *word = strtok_r(line, " ", &line);
  *point = (struct point){.type_size = 1};
  if (!word)
    return tutti_word_complain(at, "expected a method instead of", "", error);
  if (tutti_method_parse(word, &point->method, &reason) != TUTTI_OK)
    return tutti_position_complain(at, TUTTI_ERR_ARGUMENT, reason.message, error);
  while ((word = strtok_r(NULL, " ", &line))) {
    const char *count = tutti_word_value(word, "count"), *size = tutti_word_value(word, "type_B");
    if (!tutti_word_take_int(word, "root", &point->root) &&
        !(count && tutti_word_number(count, UINT64_MAX, &point->count)) &&
        !(size && tutti_word_number(size, INT_MAX, &point->type_size) && point->type_size > 0))
      return tutti_word_complain(at, "cannot use", word, error);
  }
  if (point->method.algorithm->collective == TUTTI_COLL_BARRIER)
    point->count = 0;
  if (!(tutti_collective_traits(point->method.algorithm->collective) & TUTTI_HAS_ROOT))
    point->root = 0;
  if (point->count > SIZE_MAX / 2 / point->type_size)
    return tutti_word_complain(at, "message too large for", tutti_collective_name(point->method.algorithm->collective),
                               error);
  return TUTTI_OK;
}

static tutti_status take_line(void *argument, char *line, const struct position *at, tutti_error *error)
{
  struct points *points = argument;
  return parse_point(line, &points->items[points->count++], at, error);
}

tutti_status tutti_points_parse(char *text, const char *name, struct points *points, tutti_error *error)
{
  const struct position at = {name, 1};
  const struct lines lines = {&points->measure, &points->ranks_per_node, take_line, points};
  *points = (struct points){.measure = {TUTTI_SCHEME_OCC, 3, 200, 0.05}, .ranks_per_node = 1};
  points->items = malloc(tutti_count_lines(text) * sizeof *points->items);
  if (!points->items)
    return tutti_position_complain(&at, TUTTI_ERR_MEMORY, "out of memory for the points", error);
  tutti_status status = tutti_lines_parse(text, name, &lines, error);
  if (status != TUTTI_OK)
    tutti_points_free(points);
  return status;
}

void tutti_points_free(struct points *points)
{
  free(points->items);
  *points = (struct points){.items = NULL};
}
