#include "measure/sort_points.h"

#include <stdlib.h>
#include <string.h>

#include "measure/words.h"

/* What has been read, and how many ranks there are. */
struct reading {
  struct sort_points *points;
  int ranks;
};

/* ---- a point ---- */

/* The words are known ones; those that name nothing are -1. */
static void take_words(const tutti_result *result, struct sort_point *point)
{
  tutti_sort_algorithm algorithm = TUTTI_SORT_JANUS;
  tutti_sort_layer layer = TUTTI_SORT_RANGES;
  tutti_sort_order order = TUTTI_SORT_ALTERNATING;
  tutti_sort_assignment assignment = TUTTI_SORT_GREEDY;
  const tutti_value *values = result->values;
  tutti_sort_algorithm_parse(values[TUTTI_SORT_FIELD_ALGORITHM].word, &algorithm, NULL);
  bool layered = tutti_sort_layer_parse(values[TUTTI_SORT_FIELD_LAYER].word, &layer, NULL) == TUTTI_OK;
  bool ordered = tutti_sort_order_parse(values[TUTTI_SORT_FIELD_ORDER].word, &order, NULL) == TUTTI_OK;
  bool assigned = tutti_sort_assignment_parse(values[TUTTI_SORT_FIELD_ASSIGNMENT].word, &assignment, NULL) == TUTTI_OK;
  *point = (struct sort_point){.algorithm = (unsigned char)algorithm,
                               .distribution =
                                   (unsigned char)sort_distribution_find(values[TUTTI_SORT_FIELD_DISTRIBUTION].word),
                               .kind = (unsigned char)sort_kind_find(values[TUTTI_SORT_FIELD_TYPE].word),
                               .layer = layered ? (signed char)layer : -1,
                               .order = ordered ? (signed char)order : -1,
                               .assignment = assigned ? (signed char)assignment : -1,
                               .count = values[TUTTI_SORT_FIELD_COUNT].whole,
                               .seed = values[TUTTI_SORT_FIELD_SEED].whole};
}

/* Most elements of one process, and of all: sums of them are numbers of 64 bits. */
#define MOST_ELEMENTS (UINT64_C(1) << 40)

static tutti_status check(const struct sort_point *point, int ranks, tutti_error *error)
{
  const char *name = tutti_sort_algorithm_name((tutti_sort_algorithm)point->algorithm);
  if (point->algorithm == TUTTI_SORT_JANUS && (point->layer < 0 || point->order < 0 || point->assignment < 0))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s needs a layer, an order and an assignment", name);
  if (point->algorithm != TUTTI_SORT_JANUS && (point->layer >= 0 || point->order >= 0 || point->assignment >= 0))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s has no layer, order or assignment: '-'", name);
  if (point->algorithm == TUTTI_SORT_HYPERCUBE && (ranks & (ranks - 1)) != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s needs a power of two of ranks, not %d", name, ranks);
  if (point->count > MOST_ELEMENTS / (uint64_t)ranks)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%llu elements for each of %d ranks are too many",
                      (unsigned long long)point->count, ranks);
  return TUTTI_OK;
}

static tutti_status parse_point(const char *line, int ranks, struct sort_point *point, tutti_error *error)
{
  tutti_result result = {.kind = TUTTI_RESULT_SORT};
  tutti_status status = tutti_result_parse_point(line, ranks, &result, error);
  if (status != TUTTI_OK)
    return status;
  take_words(&result, point);
  return check(point, ranks, error);
}

/* ---- lines ---- */

static tutti_status parse_costs(char *rest, struct sort_costs *costs, const struct position *at, tutti_error *error)
{
  for (char *word; (word = strtok_r(rest, " ", &rest));)
    if (!tutti_word_take_seconds(word, "element_s", &costs->element) &&
        !tutti_word_take_seconds(word, "entry_s", &costs->entry) &&
        !tutti_word_take_seconds(word, "compare_s", &costs->compare))
      return tutti_word_complain(at, "cannot use", word, error);
  return TUTTI_OK;
}

static tutti_status take_line(void *argument, char *line, const struct position *at, tutti_error *error)
{
  const struct reading *reading = argument;
  struct sort_points *points = reading->points;
  tutti_error reason;
  if (strcmp(line, "costs") == 0 || strncmp(line, "costs ", 6) == 0)
    return points->count > 0 ? tutti_position_complain(at, TUTTI_ERR_ARGUMENT, "costs stand before all points", error)
                             : parse_costs(line + 5, &points->costs, at, error);
  tutti_status status = parse_point(line, reading->ranks, &points->items[points->count++], &reason);
  return status == TUTTI_OK ? TUTTI_OK : tutti_position_complain(at, status, reason.message, error);
}

tutti_status sort_points_parse(char *text, const char *name, int ranks, struct sort_points *points, tutti_error *error)
{
  const struct position at = {name, 1};
  const tutti_sort_how usual = tutti_sort_how_default();
  struct reading reading = {points, ranks};
  const struct lines lines = {&points->measure, &points->ranks_per_node, take_line, &reading};
  *points = (struct sort_points){.measure = {TUTTI_SCHEME_WINDOW, 3, 200, 0.05},
                                 .ranks_per_node = 1,
                                 .costs = {usual.element_cost, usual.entry_cost, usual.compare_cost}};
  points->items = malloc(tutti_count_lines(text) * sizeof *points->items);
  if (!points->items)
    return tutti_position_complain(&at, TUTTI_ERR_MEMORY, "out of memory for the points", error);
  tutti_status status = tutti_lines_parse(text, name, &lines, error);
  if (status != TUTTI_OK)
    sort_points_free(points);
  return status;
}

void sort_points_free(struct sort_points *points)
{
  free(points->items);
  *points = (struct sort_points){.items = NULL};
}

/* ---- what a point stands for ---- */

tutti_sort_how sort_point_how(const struct sort_point *point, const struct sort_costs *costs)
{
  tutti_sort_how how = tutti_sort_how_default();
  how.algorithm = (tutti_sort_algorithm)point->algorithm;
  how.layer = (tutti_sort_layer)(point->layer < 0 ? 0 : point->layer);
  how.order = (tutti_sort_order)(point->order < 0 ? 0 : point->order);
  how.assignment = (tutti_sort_assignment)(point->assignment < 0 ? 0 : point->assignment);
  how.seed = point->seed;
  how.element_cost = costs->element;
  how.entry_cost = costs->entry;
  how.compare_cost = costs->compare;
  return how;
}

static void set_word(tutti_result *result, int field, const char *word)
{
  tutti_result_set_word(result, field, word ? word : "-");
}

void sort_point_keys(const struct sort_point *point, int ranks, tutti_result *result)
{
  *result = (tutti_result){.kind = TUTTI_RESULT_SORT};
  set_word(result, TUTTI_SORT_FIELD_ALGORITHM, tutti_sort_algorithm_name((tutti_sort_algorithm)point->algorithm));
  set_word(result, TUTTI_SORT_FIELD_LAYER, tutti_sort_layer_name((tutti_sort_layer)point->layer));
  set_word(result, TUTTI_SORT_FIELD_ORDER, tutti_sort_order_name((tutti_sort_order)point->order));
  set_word(result, TUTTI_SORT_FIELD_ASSIGNMENT, tutti_sort_assignment_name((tutti_sort_assignment)point->assignment));
  set_word(result, TUTTI_SORT_FIELD_DISTRIBUTION, sort_distribution_name(point->distribution));
  set_word(result, TUTTI_SORT_FIELD_TYPE, sort_kind_name(point->kind));
  result->values[TUTTI_SORT_FIELD_RANKS].whole = (uint64_t)ranks;
  result->values[TUTTI_SORT_FIELD_COUNT].whole = point->count;
  result->values[TUTTI_SORT_FIELD_SEED].whole = point->seed;
}
