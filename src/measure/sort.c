/* tutti-sort: sorts across all ranks, checks the result, and prints one record a line. Rank 0 reads and writes; it
   never opens a database. */
#include "measure/sort_bench.h"

/* ---- the points file ---- */

/* The words are known ones; those that name nothing are -1. */
static void set_words(const tutti_result *result, struct sort_point *point)
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
#define MAX_ELEMENTS (UINT64_C(1) << 40)

static tutti_status check(const struct sort_point *point, int ranks, tutti_error *error)
{
  const char *name = tutti_sort_algorithm_name((tutti_sort_algorithm)point->algorithm);
  if (point->algorithm == TUTTI_SORT_JANUS && (point->layer < 0 || point->order < 0 || point->assignment < 0))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s needs a layer, an order and an assignment", name);
  if (point->algorithm != TUTTI_SORT_JANUS && (point->layer >= 0 || point->order >= 0 || point->assignment >= 0))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s has no layer, order or assignment: '-'", name);
  if (point->algorithm == TUTTI_SORT_HYPERCUBE && (ranks & (ranks - 1)) != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s needs a power of two of ranks, not %d", name, ranks);
  if (point->count > MAX_ELEMENTS / (uint64_t)ranks)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%llu elements for each of %d ranks are too many",
                      (unsigned long long)point->count, ranks);
  return TUTTI_OK;
}

static tutti_status parse_line(struct points *points, char *line, tutti_error *error)
{
  struct sort_point *point = tutti_points_add(points);
  tutti_result result = {.kind = TUTTI_RESULT_SORT};
  tutti_status status = tutti_result_parse_point(line, points->ranks, &result, error);
  if (status != TUTTI_OK)
    return status;
  set_words(&result, point);
  return check(point, points->ranks, error);
}

static const struct points_key costs[] = {{"element_s", KEY_SECONDS, offsetof(struct points, costs.element)},
                                          {"entry_s", KEY_SECONDS, offsetof(struct points, costs.entry)},
                                          {"compare_s", KEY_SECONDS, offsetof(struct points, costs.compare)},
                                          {NULL, 0, 0}};

/* ---- records ---- */

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

static void describe(const void *state, const void *point, tutti_record *record)
{
  const struct sort_bench *bench = state;
  const struct sort_report *report = &bench->report;
  tutti_result *result = &record->result;
  tutti_value *values = result->values;
  record->kind = TUTTI_RECORD_RESULT;
  sort_point_keys(point, bench->timing.view.size, result);
  values[TUTTI_SORT_FIELD_ELEMENTS].whole = report->elements;
  values[TUTTI_SORT_FIELD_LEVELS].whole = report->levels;
  values[TUTTI_SORT_FIELD_JANUS_LEVELS].whole = report->janus_levels;
  values[TUTTI_SORT_FIELD_GROUPS].whole = report->groups;
  values[TUTTI_SORT_FIELD_MESSAGES].whole = report->messages;
  values[TUTTI_SORT_FIELD_SENT].whole = report->sent_bytes;
  values[TUTTI_SORT_FIELD_MOST_SENT].whole = report->most_sent;
  values[TUTTI_SORT_FIELD_MOST_RECEIVED].whole = report->most_received;
  values[TUTTI_SORT_FIELD_LEAST_ELEMENTS].whole = report->least_elements;
  values[TUTTI_SORT_FIELD_MOST_ELEMENTS].whole = report->most_elements;
}

int main(int argc, char **argv)
{
  const tutti_sort_how how = tutti_sort_how_default();
  const struct points_kind kind = {
      .defaults = {.measure = {TUTTI_SCHEME_WINDOW, 3, 200, 0.05},
                   .ranks_per_node = 1,
                   .costs = {.element = how.element_cost, .entry = how.entry_cost, .compare = how.compare_cost}},
      .item_size = sizeof(struct sort_point),
      .costs = costs,
      .parse_line = parse_line};
  const struct program program = {.options = &tutti_sort_options,
                                  .points = &kind,
                                  .state_size = sizeof(struct sort_bench),
                                  .apart = true,
                                  .open = sort_bench_open,
                                  .measure = sort_bench_measure,
                                  .describe = describe};
  return tutti_program_run(&program, argc, argv);
}
