/* The command line of tutti-range. */
#include <limits.h>

#include "measure/range_compose.h"

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

_Static_assert((int)RANGE_WORDS <= (int)OPTIONS_WORDS_MOST, "more words than are kept");

static const struct option_kind kinds[RANGE_WORDS] = {
    [RANGE_WORD_OPERATIONS] = {'o', NULL, 0, 0},
    [RANGE_WORD_WAYS] = {'w', NULL, 0, 0},
    [RANGE_WORD_ORDERS] = {KEY_ORDER, NULL, 0, 0},
    [RANGE_WORD_COUNTS] = {'c', "1", 0, 0},
    [RANGE_WORD_USES] = {KEY_USES, "1,50", 0, 0},
    [RANGE_WORD_SIZE] = {'s', "0", 0, 0},
    [RANGE_WORD_METHOD] = {KEY_METHOD, NULL, 0, 0},
    [RANGE_WORD_RANGE] = {KEY_RANGE, NULL, 0, 0},
    [RANGE_WORD_ENTRY] = {KEY_ENTRY, NULL, 0, 0},
    [RANGE_WORD_COMPARE] = {KEY_COMPARE, NULL, 0, 0},
    [RANGE_WORD_INNER] = {KEY_INNER, NULL, 0, 0},
    [RANGE_WORD_RANKS_PER_NODE] = {KEY_RANKS_PER_NODE, "1", 1, INT_MAX},
    [RANGE_WORD_REPETITIONS] = {KEY_REPETITIONS, "200", 1, INT_MAX},
};

static const struct options_program program = {
    .name = "tutti-range",
    .doc = "Time the making of groups of processes, and collectives on them; one record a line on standard output.\v"
           "Run it under smpirun or mpiexec. The number of ranks is that of the launch. Times are those of the latest "
           "process. A range takes nanoseconds: on a real machine many are made in one repetition (--inner) and the "
           "time is that of one; in simulation, where computing takes no time, each takes --range-s.\n\n"
           "The library's own ways (create-group, split, native) are not for large simulations: SMPI keeps a list of "
           "all members on every rank, and its time and memory grow with the square of the ranks "
           "(docs/explanation/ranges.md). "
           "There .../mpich stand for them: what MPICH does, on our schedules.",
    .options = option_table,
    .kinds = kinds,
    .words = RANGE_WORDS,
    .done = "timed",
    .write = range_compose,
};

tutti_status range_options_read(int argc, char **argv, struct options *options, tutti_error *error)
{
  return options_words_read(&program, argc, argv, NULL, options, error);
}
