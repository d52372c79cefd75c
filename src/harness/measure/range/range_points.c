#include "harness/measure/range/range_points.h"

#include <string.h>

#include "base/text.h"
#include "groups/mpich_methods.h"
#include "tutti/result.h"

/* Making a range takes so long on a real machine: tutti-range itself, create way=ranges, mpich and openmpi
   (docs/explanation/ranges.md). */
#define RANGE_SECONDS 25e-9

/* Ranges made in one repetition on a real machine, whose clock is too coarse for one. */
enum { RANGE_INNER = 1000 };

static const struct points_key costs[] = {{"range_s", KEY_SECONDS, offsetof(struct points, costs.range)},
                                          {"entry_s", KEY_SECONDS, offsetof(struct points, costs.entry)},
                                          {"compare_s", KEY_SECONDS, offsetof(struct points, costs.compare)},
                                          {"inner", KEY_NATURAL, offsetof(struct points, costs.inner)},
                                          {NULL, 0, 0}};

/* Parse one word after the operation. */
static tutti_status parse_word(const char *word, struct range_point *point, tutti_error *error)
{
  const char *way = tutti_word_value(word, "way"), *order = tutti_word_value(word, "order");
  if (strcmp(word, "type_B=8") == 0) /* doubles: the only type */
    return TUTTI_OK;
  if (way)
    return tutti_range_way_parse(way, point, error);
  if (order)
    return tutti_range_order_parse(order, &point->order, error);
  if (!tutti_word_set_whole(word, "count", UINT64_MAX, &point->count) &&
      !tutti_word_set_int(word, "size", &point->size) && !tutti_word_set_int(word, "uses", &point->uses))
    return tutti_word_refuse(word, error);
  return TUTTI_OK;
}

static tutti_status parse_line(struct points *points, char *line, tutti_error *error)
{
  const char *word = strtok_r(line, " ", &line);
  if (!word)
    return TUTTI_OK;
  struct range_point *point = tutti_points_add(points);
  tutti_status status = tutti_range_operation_parse(word, &point->operation, error);
  while (status == TUTTI_OK && (word = strtok_r(NULL, " ", &line)))
    status = parse_word(word, point, error);
  if (status == TUTTI_OK && !*point->way_name)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the point has no way=");
  return status == TUTTI_OK ? tutti_range_point_check(point, points->ranks, error) : status;
}

const struct points_kind tutti_range_points = {
    .defaults = {.measure = {TUTTI_SCHEME_WINDOW, 3, 200, 0.05},
                 .ranks_per_node = 1,
                 .costs = {.range = RANGE_SECONDS,
                           .entry = MPICH_ENTRY_SECONDS,
                           .compare = MPICH_COMPARE_SECONDS,
                           .inner = RANGE_INNER}},
    .item_size = sizeof(struct range_point),
    .costs = costs,
    .parse_line = parse_line,
};

void tutti_range_describe(const struct range_point *point, int ranks, tutti_record *record)
{
  tutti_result *result = &record->result;
  tutti_value *values = result->values;
  record->kind = TUTTI_RECORD_RESULT;
  result->kind = TUTTI_RESULT_RANGE;
  tutti_result_set_word(result, TUTTI_RANGE_FIELD_OPERATION, tutti_range_operation_name(point->operation));
  tutti_result_set_word(result, TUTTI_RANGE_FIELD_WAY, point->way_name);
  tutti_result_set_word(result, TUTTI_RANGE_FIELD_ORDER, tutti_range_order_name(point->order));
  values[TUTTI_RANGE_FIELD_RANKS].integer = (uint64_t)ranks;
  values[TUTTI_RANGE_FIELD_SIZE].integer = (uint64_t)tutti_range_point_size(point, ranks);
  values[TUTTI_RANGE_FIELD_COUNT].integer = point->count;
  values[TUTTI_RANGE_FIELD_TYPE_SIZE].integer = sizeof(double);
  values[TUTTI_RANGE_FIELD_USES].integer = (uint64_t)point->uses;
}
