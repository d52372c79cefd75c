#include "measure/range_points.h"

#include <stdlib.h>
#include <string.h>

#include "measure/words.h"

/* What has been read, and how many ranks there are. */
struct reading {
  struct range_points *points;
  int ranks;
};

/* ---- words ---- */

static tutti_status parse_costs(char *line, struct range_costs *costs, const struct position *at, tutti_error *error)
{
  for (char *word; (word = strtok_r(line, " ", &line));) {
    bool taken = tutti_word_take_seconds(word, "range_s", &costs->range) ||
                 tutti_word_take_seconds(word, "entry_s", &costs->mpich.entry) ||
                 tutti_word_take_seconds(word, "compare_s", &costs->mpich.compare) ||
                 (tutti_word_take_int(word, "inner", &costs->inner) && costs->inner >= 1);
    if (!taken)
      return tutti_word_complain(at, "cannot use", word, error);
  }
  return TUTTI_OK;
}

static bool take_count(const char *word, uint64_t *count)
{
  const char *value = tutti_word_value(word, "count");
  return value && tutti_word_number(value, UINT64_MAX, count);
}

/* One word behind the operation; *way is set if it is that of the way. */
static tutti_status parse_word(const char *word, struct range_point *point, const struct position *at,
                               tutti_error *error)
{
  tutti_error reason;
  const char *way = tutti_word_value(word, "way"), *order = tutti_word_value(word, "order");
  tutti_status status = TUTTI_OK;
  if (strcmp(word, "type_B=8") == 0) /* doubles: the only type */
    return TUTTI_OK;
  if (way)
    status = tutti_range_way_parse(way, point, &reason);
  else if (order)
    status = tutti_range_order_parse(order, &point->order, &reason);
  else if (!take_count(word, &point->count) && !tutti_word_take_int(word, "size", &point->size) &&
           !tutti_word_take_int(word, "uses", &point->uses))
    return tutti_word_complain(at, "cannot use", word, error);
  return status == TUTTI_OK ? TUTTI_OK : tutti_position_complain(at, status, reason.message, error);
}

/* ---- lines ---- */

static tutti_status parse_point(const char *operation, char *rest, int ranks, struct range_point *point,
                                const struct position *at, tutti_error *error)
{
  tutti_error reason;
  *point = (struct range_point){.count = 0};
  tutti_status status = tutti_range_operation_parse(operation, &point->operation, &reason);
  if (status != TUTTI_OK)
    return tutti_position_complain(at, status, reason.message, error);
  for (char *word; status == TUTTI_OK && (word = strtok_r(rest, " ", &rest));)
    status = parse_word(word, point, at, error);
  if (status != TUTTI_OK)
    return status;
  if (!*point->way_name)
    return tutti_position_complain(at, TUTTI_ERR_ARGUMENT, "the point has no way=", error);
  status = tutti_range_point_check(point, ranks, &reason);
  return status == TUTTI_OK ? TUTTI_OK : tutti_position_complain(at, status, reason.message, error);
}

static tutti_status take_line(void *argument, char *line, const struct position *at, tutti_error *error)
{
  const struct reading *reading = argument;
  struct range_points *points = reading->points;
  char *rest = line, *word = strtok_r(line, " ", &rest);
  if (!word)
    return TUTTI_OK;
  if (strcmp(word, "costs") != 0)
    return parse_point(word, rest, reading->ranks, &points->items[points->count++], at, error);
  if (points->count > 0)
    return tutti_position_complain(at, TUTTI_ERR_ARGUMENT, "costs stand before all points", error);
  return parse_costs(rest, &points->costs, at, error);
}

tutti_status range_points_parse(char *text, const char *name, int ranks, struct range_points *points,
                                tutti_error *error)
{
  const struct position at = {name, 1};
  struct reading reading = {points, ranks};
  const struct lines lines = {&points->measure, &points->ranks_per_node, take_line, &reading};
  *points = (struct range_points){.measure = {TUTTI_SCHEME_WINDOW, 3, 200, 0.05},
                                  .ranks_per_node = 1,
                                  .costs = {RANGE_SECONDS, {MPICH_ENTRY_SECONDS, MPICH_COMPARE_SECONDS}, RANGE_INNER}};
  points->items = malloc(tutti_count_lines(text) * sizeof *points->items);
  if (!points->items)
    return tutti_position_complain(&at, TUTTI_ERR_MEMORY, "out of memory for the points", error);
  tutti_status status = tutti_lines_parse(text, name, &lines, error);
  if (status != TUTTI_OK)
    range_points_free(points);
  return status;
}

void range_points_free(struct range_points *points)
{
  free(points->items);
  *points = (struct range_points){.items = NULL};
}
