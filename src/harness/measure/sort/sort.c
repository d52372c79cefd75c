/* tutti-sort: sorts across all ranks, checks the result, and prints one record a line. Rank 0 reads and writes; it
   never opens a database. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/measure/program.h"
#include "harness/measure/sort/sort_check.h"

/* State of a launch. */
struct sort_bench {
  struct timing timing;      /* the sort has the tags inside, and the progress */
  struct sort_report report; /* of the last sort, at rank 0 */
};

/* ---- the points file ---- */

/* The words are known ones; those that name nothing are -1. */
static void set_words(const tutti_result *result, struct sort_point *point)
{
  tutti_sort_algorithm algorithm = TUTTI_SORT_JANUS;
  tutti_sort_layer layer = TUTTI_SORT_RANGES;
  tutti_sort_order order = TUTTI_SORT_ALTERNATING;
  tutti_sort_assignment assignment = TUTTI_SORT_GREEDY;
  const tutti_value *values = result->values;
  tutti_sort_algorithm_parse(values[TUTTI_SORT_FIELD_ALGORITHM].string, &algorithm, NULL);
  bool layered = tutti_sort_layer_parse(values[TUTTI_SORT_FIELD_LAYER].string, &layer, NULL) == TUTTI_OK;
  bool ordered = tutti_sort_order_parse(values[TUTTI_SORT_FIELD_ORDER].string, &order, NULL) == TUTTI_OK;
  bool assigned =
      tutti_sort_assignment_parse(values[TUTTI_SORT_FIELD_ASSIGNMENT].string, &assignment, NULL) == TUTTI_OK;
  *point = (struct sort_point){.algorithm = (unsigned char)algorithm,
                               .distribution =
                                   (unsigned char)sort_distribution_find(values[TUTTI_SORT_FIELD_DISTRIBUTION].string),
                               .kind = (unsigned char)sort_kind_find(values[TUTTI_SORT_FIELD_TYPE].string),
                               .layer = layered ? (signed char)layer : -1,
                               .order = ordered ? (signed char)order : -1,
                               .assignment = assigned ? (signed char)assignment : -1,
                               .count = values[TUTTI_SORT_FIELD_COUNT].integer,
                               .seed = values[TUTTI_SORT_FIELD_SEED].integer};
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

static void set_keys(const struct sort_point *point, int ranks, tutti_result *result)
{
  *result = (tutti_result){.kind = TUTTI_RESULT_SORT};
  set_word(result, TUTTI_SORT_FIELD_ALGORITHM, tutti_sort_algorithm_name((tutti_sort_algorithm)point->algorithm));
  set_word(result, TUTTI_SORT_FIELD_LAYER, tutti_sort_layer_name((tutti_sort_layer)point->layer));
  set_word(result, TUTTI_SORT_FIELD_ORDER, tutti_sort_order_name((tutti_sort_order)point->order));
  set_word(result, TUTTI_SORT_FIELD_ASSIGNMENT, tutti_sort_assignment_name((tutti_sort_assignment)point->assignment));
  set_word(result, TUTTI_SORT_FIELD_DISTRIBUTION, sort_distribution_name(point->distribution));
  set_word(result, TUTTI_SORT_FIELD_TYPE, sort_kind_name(point->kind));
  result->values[TUTTI_SORT_FIELD_RANKS].integer = (uint64_t)ranks;
  result->values[TUTTI_SORT_FIELD_COUNT].integer = point->count;
  result->values[TUTTI_SORT_FIELD_SEED].integer = point->seed;
}

static void describe(const void *state, const void *point, tutti_record *record)
{
  const struct sort_bench *bench = state;
  const struct sort_report *report = &bench->report;
  tutti_result *result = &record->result;
  tutti_value *values = result->values;
  record->kind = TUTTI_RECORD_RESULT;
  set_keys(point, bench->timing.view.size, result);
  values[TUTTI_SORT_FIELD_ELEMENTS].integer = report->elements;
  values[TUTTI_SORT_FIELD_LEVELS].integer = report->levels;
  values[TUTTI_SORT_FIELD_JANUS_LEVELS].integer = report->janus_levels;
  values[TUTTI_SORT_FIELD_GROUPS].integer = report->groups;
  values[TUTTI_SORT_FIELD_MESSAGES].integer = report->messages;
  values[TUTTI_SORT_FIELD_SENT].integer = report->sent_bytes;
  values[TUTTI_SORT_FIELD_MOST_SENT].integer = report->most_sent;
  values[TUTTI_SORT_FIELD_MOST_RECEIVED].integer = report->most_received;
  values[TUTTI_SORT_FIELD_LEAST_ELEMENTS].integer = report->least_elements;
  values[TUTTI_SORT_FIELD_MOST_ELEMENTS].integer = report->most_elements;
}

/* ---- the command line ---- */

/* Lists of words, separated by commas, in the order of a point: points are all combinations. Then single words. */
enum {
  ALGORITHM,
  LAYER,
  ORDER,
  ASSIGNMENT,
  DISTRIBUTION,
  TYPE,
  COUNT,
  SEEDS,
  LISTS,
  ELEMENT = LISTS,
  ENTRY,
  COMPARE,
  RANKS_PER_NODE,
  REPETITIONS,
  OPTIONS
};

static const struct program_option list[OPTIONS] = {
    [ALGORITHM] = OPTION_WORD("algorithm", 'a', "NAMES", "janus", "janus (default), sample, hypercube"),
    [LAYER] =
        OPTION_WORD("layer", 'l', "NAMES", "ranges",
                    "How janus makes groups: ranges (default), create-group, split, create-group/mpich, split/mpich"),
    [ORDER] = OPTION_WORD("order", 'o', "NAMES", "alternating",
                          "Which of its two groups a process makes first: alternating (default), cascaded"),
    [ASSIGNMENT] =
        OPTION_WORD("assignment", 'm', "NAMES", "greedy", "Who sends to whom: greedy (default), deterministic"),
    [DISTRIBUTION] = OPTION_WORD("distribution", 'd', "NAMES", "uniform",
                                 "Of the input: uniform (default), equal, few, sorted, reversed, staggered, single"),
    [TYPE] = OPTION_WORD("type", 0, "NAMES", "double", "Of the elements: double (default), int64, struct"),
    [COUNT] = OPTION_WORD("count", 'c', "NUMBERS", NULL, "Elements for each rank, separated by commas"),
    [SEEDS] = OPTION_WORD("seed", 's', "NUMBERS", "1", "Of the input and of the pivots"),
    [ELEMENT] =
        OPTION_COST("element-s", "SECONDS", "element_s", "To compare or move an element, simulated (default 1e-9)"),
    [ENTRY] =
        OPTION_COST("entry-s", "SECONDS", "entry_s", "An entry of a table in .../mpich, simulated (default 1.7e-9)"),
    [COMPARE] = OPTION_COST("compare-s", "SECONDS", "compare_s",
                            "A comparison of the sort of split/mpich, simulated (default 7.4e-9)"),
    [RANKS_PER_NODE] = OPTION_RANKS_PER_NODE("Recorded with the times"),
    [REPETITIONS] = OPTION_REPETITIONS,
};

/* ---- the points as a text ---- */

/* Maximum length of a written word; longer words are invalid in any case. */
enum { MAX_LETTERS = 40 };

/* The word of a list that *number chooses, which becomes the number for the lists after it. */
static const char *choose(const char *words, size_t *number, size_t *choice, int *length)
{
  size_t choices = 1;
  for (const char *comma = words; (comma = strchr(comma, ',')); comma++)
    choices++;
  *choice = *number % choices;
  *number /= choices;
  for (size_t i = 0; i < *choice; i++)
    words = strchr(words, ',') + 1;
  *length = (int)strcspn(words, ",");
  *length = *length < MAX_LETTERS ? *length : MAX_LETTERS;
  return words;
}

static bool makes_no_groups(const char *algorithm, int length)
{
  static const char *const names[] = {"sample", "hypercube"};
  for (int i = 0; i < 2; i++)
    if ((int)strlen(names[i]) == length && strncmp(algorithm, names[i], (size_t)length) == 0)
      return true;
  return false;
}

/* Combination `number` of a word of each list; false if there are fewer. For an algorithm without groups one point
   represents all layers, orders and assignments. */
static bool write_point(FILE *stream, const struct options *options, size_t number)
{
  char line[512], *end = line;
  bool plain = false, again = false;
  for (int l = 0; l < LISTS; l++) {
    size_t choice;
    int length;
    const char *word = choose(option_word(options, l), &number, &choice, &length);
    bool dash = plain && (l == LAYER || l == ORDER || l == ASSIGNMENT);
    again = again || (dash && choice > 0);
    if (l == ALGORITHM)
      plain = makes_no_groups(word, length);
    else
      end += sprintf(end, " %s=", list[l].name);
    end += sprintf(end, "%.*s", dash ? 1 : length, dash ? "-" : word);
  }
  if (number == 0 && !again)
    fprintf(stream, "%s\n", line);
  return number == 0;
}

static tutti_status write_lines(FILE *stream, const struct options *options, tutti_error *error)
{
  if (!options->given[COUNT])
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "nothing to sort: give --points FILE or --count NUMBERS");
  for (size_t point = 0; write_point(stream, options, point); point++)
    continue;
  return TUTTI_OK;
}

static const struct option_table option_table = {
    .name = "tutti-sort",
    .doc = "Sort across all ranks, check the result, and print one record a line on standard output.\v"
           "Run it under smpirun or mpiexec. The number of ranks is that of the launch. Every algorithm is run with "
           "every layer, order, assignment, distribution, type, count and seed; sample and hypercube have no layer, "
           "order and assignment, and are run once. Times are those of the latest process. The seed and the number of "
           "ranks determine the input, on every MPI.\n\n"
           "The library's own groups (create-group, split) are not for large simulations: SMPI keeps a list of all "
           "members on every rank. There .../mpich stand for them: what MPICH does, on our schedules.",
    .points_help = "Sort the points of FILE (written by tutti bench)",
    .count = OPTIONS,
    .options = list,
    .done = "sorted",
    .write = write_lines,
};

/* ---- sorting against the clock ---- */

/* Simulated seconds in which a sort is expected to end; the ranks wait longer for one that does not. */
enum { PATIENCE = 32 };

/* ---- one sort ---- */

static tutti_sort_how how_of(const struct sort_point *point, const struct points *points)
{
  tutti_sort_how how = tutti_sort_how_default();
  how.algorithm = (tutti_sort_algorithm)point->algorithm;
  how.layer = (tutti_sort_layer)(point->layer < 0 ? 0 : point->layer);
  how.order = (tutti_sort_order)(point->order < 0 ? 0 : point->order);
  how.assignment = (tutti_sort_assignment)(point->assignment < 0 ? 0 : point->assignment);
  how.seed = point->seed;
  how.element_cost = points->costs.element;
  how.entry_cost = points->costs.entry;
  how.compare_cost = points->costs.compare;
  return how;
}

static tutti_status fill(const struct sort_bench *bench, const struct sort_point *point, void **input, uint64_t *count,
                         tutti_error *error)
{
  const struct sort_input what = {.distribution = (enum sort_distribution)point->distribution,
                                  .kind = (enum sort_kind)point->kind,
                                  .seed = point->seed,
                                  .size = bench->timing.view.size,
                                  .rank = bench->timing.view.rank,
                                  .count = point->count};
  *count = sort_input_count(&what);
  *input = malloc(*count > 0 ? *count * sort_kind_type(what.kind).size : 1);
  if (!*input)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for %llu elements", bench->timing.view.rank,
                      (unsigned long long)*count);
  sort_input_fill(&what, *input);
  return TUTTI_OK;
}

/* Begin together, sort, and look at the clock. */
static tutti_status sort_and_time(struct sort_bench *bench, const struct sort_point *point, struct sorted *sorted,
                                  void **output, double *start, tutti_error *error)
{
  const tutti_sort_how how = how_of(point, bench->timing.points);
  const tutti_sort_type type = sort_kind_type((enum sort_kind)point->kind);
  tutti_status status = tutti_start_together(&bench->timing.view, &bench->timing.starts, 0, start, error);
  if (status == TUTTI_OK)
    status = tutti_sort(&how, &type, sorted->input, sorted->input_count, output, &sorted->output_count, &sorted->tally,
                        &bench->timing.inside, error);
  sorted->end = tutti_clock_now(&bench->timing.clock);
  sorted->output = *output;
  return status;
}

static tutti_status sort_once(void *state, const void *point, int round, double *seconds, tutti_error *error)
{
  struct sort_bench *bench = state;
  struct sorted sorted = {.point = point};
  void *input = NULL, *output = NULL;
  double start = 0;
  (void)round;
  tutti_status status = fill(bench, sorted.point, &input, &sorted.input_count, error);
  sorted.input = input;
  if (status == TUTTI_OK)
    status = sort_and_time(bench, sorted.point, &sorted, &output, &start, error);
  if (status == TUTTI_OK) {
    tutti_sleep_until_all(&bench->timing.starts, PATIENCE);
    status = sort_check(&bench->timing.view, &sorted, &bench->report, error);
  }
  *seconds = fmax(0, bench->report.end - start); /* clocks may differ a little */
  free(input);
  free(output);
  return status;
}

/* A frame of its own: a result is large for the stack of a simulated rank. */
static char *__attribute__((noinline)) format_point(const void *point, int ranks, char *text)
{
  tutti_result result;
  set_keys(point, ranks, &result);
  return tutti_result_format_point(&result, text);
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
  const struct program program = {.options = &option_table,
                                  .points = &kind,
                                  .state_size = sizeof(struct sort_bench),
                                  .apart = true,
                                  .nonblocking = true,
                                  .once = sort_once,
                                  .format = format_point,
                                  .describe = describe};
  return tutti_program_run(&program, argc, argv);
}
