/* The command line of tutti-range. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/options.h"
#include "measure/range_point.h"
#include "measure/words.h"

/* Values that are given once, and handed on in the text of the points, where they are checked. */
enum { SIZE, METHOD, RANGE, ENTRY, COMPARE, INNER, RANKS_PER_NODE, REPETITIONS, VALUES };

/* The command line as it stands; strings are those of argv. */
struct words {
  const char *points;
  const char *beside; /* name of an option that says what to time, as the points file does */
  const char *operations, *ways, *orders, *counts, *uses; /* separated by commas */
  const char *values[VALUES];                             /* NULL: as usual */
  struct common_words common;
};

enum {
  KEY_ORDER = 1000,
  KEY_USES,
  KEY_METHOD,
  KEY_RANGE,
  KEY_ENTRY,
  KEY_COMPARE,
  KEY_INNER,
  KEY_RANKS_PER_NODE,
  KEY_REPETITIONS
};

static const struct argp_option option_table[] = {
    {"points", 'p', "FILE", 0, "Time the points of FILE", 0},
    {"operation", 'o', "NAMES", 0,
     "What to time, separated by commas: create, overlapping, bcast, reduce, scan, gather, subrange-bcast, or all", 0},
    {"way", 'w', "NAMES", 0,
     "How, separated by commas: ranges, create-group, split, create-group/mpich, split/mpich; of bcast, reduce, scan "
     "and gather ranges, view, native (default: all that an operation has)",
     0},
    {"order", KEY_ORDER, "NAMES", 0, "Of overlapping groups: cascaded, alternating (default both)", 0},
    {"size", 's', "N", 0, "Processes of the (first) group (default half of them; overlapping: 4)", 0},
    {"count", 'c', "NUMBERS", 0, "Doubles of each process, separated by commas (default 1)", 0},
    {"uses", KEY_USES, "NUMBERS", 0, "Broadcasts on a group, separated by commas (default 1,50)", 0},
    {"method", KEY_METHOD, "METHOD", 0, "Of our schedules: chain/8KB (default binomial)", 0},
    {"range-s", KEY_RANGE, "SECONDS", 0, "Making a range, simulated (default 2e-8, as measured)", 0},
    {"entry-s", KEY_ENTRY, "SECONDS", 0, "An entry of a table in .../mpich, simulated (default 1.7e-9)", 0},
    {"compare-s", KEY_COMPARE, "SECONDS", 0, "A comparison of a sort in .../mpich, simulated (default 7.4e-9)", 0},
    {"inner", KEY_INNER, "N", 0, "Ranges made in one repetition on a real machine (default 1000)", 0},
    {"ranks-per-node", KEY_RANKS_PER_NODE, "N", 0, "Recorded with the times (default 1)", 0},
    {"repetitions", KEY_REPETITIONS, "N", 0, "Most repetitions on a real machine (default 200)", 0},
    {0},
};

static const struct {
  int key;
  const char *usual; /* NULL: not written */
} values[VALUES] = {
    [SIZE] = {'s', "0"},
    [METHOD] = {KEY_METHOD, NULL},
    [RANGE] = {KEY_RANGE, NULL},
    [ENTRY] = {KEY_ENTRY, NULL},
    [COMPARE] = {KEY_COMPARE, NULL},
    [INNER] = {KEY_INNER, NULL},
    [RANKS_PER_NODE] = {KEY_RANKS_PER_NODE, "1"},
    [REPETITIONS] = {KEY_REPETITIONS, "200"},
};

static const char *name_of(int key)
{
  int option = 0;
  while (option_table[option].name && option_table[option].key != key)
    option++;
  return option_table[option].name;
}

static error_t take_value(int key, const char *argument, struct words *words)
{
  for (int v = 0; v < VALUES; v++)
    if (values[v].key == key) {
      words->values[v] = argument;
      return 0;
    }
  return ARGP_ERR_UNKNOWN;
}

/* What to time. */
static error_t parse_point(int key, const char *argument, struct words *words)
{
  const char *name = name_of(key);
  if (name)
    words->beside = name;
  switch (key) {
  case 'o':
    words->operations = argument;
    return 0;
  case 'w':
    words->ways = argument;
    return 0;
  case KEY_ORDER:
    words->orders = argument;
    return 0;
  case 'c':
    words->counts = argument;
    return 0;
  case KEY_USES:
    words->uses = argument;
    return 0;
  default:
    return take_value(key, argument, words);
  }
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  struct words *words = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &words->common;
    return 0;
  case 'p':
    words->points = argument;
    return 0;
  default:
    return parse_point(key, argument, words);
  }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse_option,
    .doc = "Time the making of groups of processes, and collectives on them; one record a line on standard output.\v"
           "Run it under smpirun or mpiexec. The number of ranks is that of the launch. Times are those of the latest "
           "process. A range takes nanoseconds: on a real machine many are made in one repetition (--inner) and the "
           "time is that of one; in simulation, where computing takes no time, each takes --range-s.\n\n"
           "The library's own ways (create-group, split, native) are not for large simulations: SMPI keeps a list of "
           "all members on every rank, and its time and memory grow with the square of the ranks (docs/ranges.md). "
           "There .../mpich stand for them: what MPICH does, on our schedules.",
    .children = options_common,
};

/* ---- the points as a text ---- */

/* Words of a list that is separated by commas: the next one, of *length letters; NULL at the end. */
static const char *next_word(const char **list, int *length)
{
  const char *word = *list;
  *length = (int)strcspn(word, ",");
  *list += *length + (word[*length] == ',');
  return *length > 0 ? word : NULL;
}

static void write_one(FILE *stream, const struct words *words, const char *start, const char *order, const char *count,
                      const char *uses)
{
  const char *size = words->values[SIZE] ? words->values[SIZE] : values[SIZE].usual;
  fprintf(stream, "%s order=%s size=%s count=%s uses=%s\n", start, order, size, count, uses);
}

static void write_uses(FILE *stream, const struct words *words, const char *start, const char *count)
{
  const char *list = words->uses ? words->uses : "1,50", *word;
  for (int length; (word = next_word(&list, &length));) {
    char uses[24];
    snprintf(uses, sizeof uses, "%.*s", length, word);
    write_one(stream, words, start, "-", count, uses);
  }
}

static void write_counts(FILE *stream, const struct words *words, const char *start, bool with_uses)
{
  const char *list = words->counts ? words->counts : "1", *word;
  for (int length; (word = next_word(&list, &length));) {
    char count[24];
    snprintf(count, sizeof count, "%.*s", length, word);
    if (with_uses)
      write_uses(stream, words, start, count);
    else
      write_one(stream, words, start, "-", count, "0");
  }
}

/* Splits have no cascade: nobody asked for one who did not name the orders. */
static void write_orders(FILE *stream, const struct words *words, const char *start, bool splits)
{
  const char *list = words->orders ? words->orders : splits ? "alternating" : "cascaded,alternating", *word;
  for (int length; (word = next_word(&list, &length));) {
    char order[24];
    snprintf(order, sizeof order, "%.*s", length, word);
    write_one(stream, words, start, order, "0", "0");
  }
}

/* All points of an operation done one way. */
static void write_way(FILE *stream, const struct words *words, enum range_operation operation, const char *way)
{
  char start[128];
  struct range_point point = {.operation = operation};
  tutti_error ignored;
  bool known = range_way_parse(way, &point, &ignored) == TUTTI_OK;
  const char *method = known && range_takes_method(operation, point.way) ? words->values[METHOD] : NULL;
  snprintf(start, sizeof start, "%s way=%s%s%s", range_operation_name(operation), way, method ? "/" : "",
           method ? method : "");
  if (operation == RANGE_CREATE)
    write_one(stream, words, start, "-", "0", "0");
  else if (operation == RANGE_OVERLAPPING)
    write_orders(stream, words, start, known && (point.way == WAY_SPLIT || point.way == WAY_SPLIT_MPICH));
  else
    write_counts(stream, words, start, operation == RANGE_SUBRANGE_BCAST);
}

static void write_operation(FILE *stream, const struct words *words, enum range_operation operation)
{
  const char *list = words->ways, *word;
  for (int w = 0; !words->ways && w < RANGE_WAYS; w++)
    if (range_has_way(operation, (enum range_way)w))
      write_way(stream, words, operation, range_way_name((enum range_way)w));
  for (int length; list && (word = next_word(&list, &length));) {
    char way[RANGE_WAY_LENGTH + 1];
    snprintf(way, sizeof way, "%.*s", length, word);
    write_way(stream, words, operation, way);
  }
}

static tutti_status write_operations(FILE *stream, const struct words *words, tutti_error *error)
{
  const char *list = words->operations, *word;
  bool all = strcmp(words->operations, "all") == 0;
  tutti_status status = TUTTI_OK;
  for (int o = 0; all && o < RANGE_OPERATIONS; o++)
    write_operation(stream, words, (enum range_operation)o);
  for (int length; !all && status == TUTTI_OK && (word = next_word(&list, &length));) {
    char name[32];
    enum range_operation operation;
    snprintf(name, sizeof name, "%.*s", length, word);
    status = range_operation_parse(name, &operation, error);
    if (status == TUTTI_OK)
      write_operation(stream, words, operation);
  }
  return status;
}

static void write_costs(FILE *stream, const struct words *words)
{
  static const struct {
    int value;
    const char *key;
  } costs[] = {{RANGE, "range_s"}, {ENTRY, "entry_s"}, {COMPARE, "compare_s"}, {INNER, "inner"}};
  fprintf(stream, "costs");
  for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
    if (words->values[costs[i].value])
      fprintf(stream, " %s=%s", costs[i].key, words->values[costs[i].value]);
  fprintf(stream, "\n");
}

/* In the order of the table of values. */
static tutti_status check_values(const struct words *words, tutti_error *error)
{
  for (int v = RANKS_PER_NODE; v < VALUES; v++) {
    const char *text = words->values[v];
    uint64_t number;
    if (text && (!tutti_word_number(text, INT_MAX, &number) || number < 1))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--%s: '%s' is not a whole number from 1 to %d",
                        name_of(values[v].key), text, INT_MAX);
  }
  return TUTTI_OK;
}

static tutti_status compose(const struct words *words, struct options *options, tutti_error *error)
{
  size_t length = 0;
  tutti_status status = check_values(words, error);
  if (status != TUTTI_OK)
    return status;
  FILE *stream = open_memstream(&options->text, &length);
  if (stream) {
    const char *repetitions = words->values[REPETITIONS], *node = words->values[RANKS_PER_NODE];
    fprintf(stream, "tutti-points v=1 repetitions_max=%s ranks_per_node=%s\n",
            repetitions ? repetitions : values[REPETITIONS].usual, node ? node : values[RANKS_PER_NODE].usual);
    write_costs(stream, words);
    status = write_operations(stream, words, error);
  }
  if (!stream || fclose(stream) != 0)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory while reading the command line");
  return status;
}

static tutti_status read_words(const struct words *words, struct options *options, tutti_error *error)
{
  if (words->common.handled)
    return TUTTI_OK;
  if (words->points && words->beside)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--%s does not go with --points, whose file says all that is timed",
                      words->beside);
  if (words->points)
    return options_read_file(words->points, options, error);
  if (words->operations)
    return compose(words, options, error);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "nothing to time: give --points FILE or --operation NAMES");
}

tutti_status range_options_read(int argc, char **argv, struct options *options, tutti_error *error)
{
  struct words words = {.common = {.program = "tutti-range"}};
  *options = (struct options){0};
  tutti_status status = options_parse(&argp, argc, argv, &words, error);
  return status == TUTTI_OK ? read_words(&words, options, error) : status;
}
