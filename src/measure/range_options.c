/* The command line of tutti-range. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/range_compose.h"
#include "measure/words.h"

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
    {"range-s", KEY_RANGE, "SECONDS", 0, "Making a range, simulated (default 2.5e-8, as measured)", 0},
    {"entry-s", KEY_ENTRY, "SECONDS", 0, "An entry of a table in .../mpich, simulated (default 1.7e-9)", 0},
    {"compare-s", KEY_COMPARE, "SECONDS", 0, "A comparison of a sort in .../mpich, simulated (default 7.4e-9)", 0},
    {"inner", KEY_INNER, "N", 0, "Ranges made in one repetition on a real machine (default 1000)", 0},
    {"ranks-per-node", KEY_RANKS_PER_NODE, "N", 0, "Recorded with the times (default 1)", 0},
    {"repetitions", KEY_REPETITIONS, "N", 0, "Most repetitions on a real machine (default 200)", 0},
    {0},
};

static const int value_keys[RANGE_VALUES] = {
    [RANGE_VALUE_SIZE] = 's',
    [RANGE_VALUE_METHOD] = KEY_METHOD,
    [RANGE_VALUE_RANGE] = KEY_RANGE,
    [RANGE_VALUE_ENTRY] = KEY_ENTRY,
    [RANGE_VALUE_COMPARE] = KEY_COMPARE,
    [RANGE_VALUE_INNER] = KEY_INNER,
    [RANGE_VALUE_RANKS_PER_NODE] = KEY_RANKS_PER_NODE,
    [RANGE_VALUE_REPETITIONS] = KEY_REPETITIONS,
};

static const char *name_of(int key)
{
  int option = 0;
  while (option_table[option].name && option_table[option].key != key)
    option++;
  return option_table[option].name;
}

static error_t take_value(int key, const char *argument, struct range_words *words)
{
  for (int v = 0; v < RANGE_VALUES; v++)
    if (value_keys[v] == key) {
      words->values[v] = argument;
      return 0;
    }
  return ARGP_ERR_UNKNOWN;
}

/* What to time. */
static error_t parse_point(int key, const char *argument, struct range_words *words)
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
  struct range_words *words = state->input;
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

/* Those that the first line of the text holds, whose faults nobody could find there. */
static tutti_status check_values(const struct range_words *words, tutti_error *error)
{
  for (int v = RANGE_VALUE_RANKS_PER_NODE; v < RANGE_VALUES; v++) {
    const char *text = words->values[v];
    uint64_t number;
    if (text && (!tutti_word_number(text, INT_MAX, &number) || number < 1))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--%s: '%s' is not a whole number from 1 to %d",
                        name_of(value_keys[v]), text, INT_MAX);
  }
  return TUTTI_OK;
}

static tutti_status read_words(const struct range_words *words, struct options *options, tutti_error *error)
{
  if (words->common.handled)
    return TUTTI_OK;
  if (words->points && words->beside)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--%s does not go with --points, whose file says all that is timed",
                      words->beside);
  if (words->points)
    return options_read_file(words->points, options, error);
  if (words->operations) {
    tutti_status status = check_values(words, error);
    return status == TUTTI_OK ? range_compose(words, options, error) : status;
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "nothing to time: give --points FILE or --operation NAMES");
}

tutti_status range_options_read(int argc, char **argv, struct options *options, tutti_error *error)
{
  struct range_words words = {.common = {.program = "tutti-range"}};
  *options = (struct options){0};
  tutti_status status = options_parse(&argp, argc, argv, &words, error);
  return status == TUTTI_OK ? read_words(&words, options, error) : status;
}
