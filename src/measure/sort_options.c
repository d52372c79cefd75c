/* The command line of tutti-sort. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/options.h"
#include "measure/words.h"
#include "tutti/sort_type.h"

/* Lists of words, separated by commas: every one is sorted with every other one. In the order of a point. */
enum { ALGORITHM, LAYER, ORDER, ASSIGNMENT, DISTRIBUTION, TYPE, COUNT, SEED, LISTS };

/* Given once. */
enum { ELEMENT, ENTRY, COMPARE, RANKS_PER_NODE, REPETITIONS, VALUES };

/* The command line as it stands; strings are those of argv. */
struct words {
  const char *points;
  const char *beside;         /* name of an option that says what to sort, as the points file does */
  const char *lists[LISTS];   /* NULL: as usual */
  const char *values[VALUES]; /* NULL: as usual */
  struct common_words common;
};

/* Of a word that is handed on; longer ones are wrong, cut or not. */
enum { MOST_LETTERS = 40 };

enum { KEY_TYPE = 1000, KEY_ELEMENT, KEY_ENTRY, KEY_COMPARE, KEY_RANKS_PER_NODE, KEY_REPETITIONS };

static const struct argp_option option_table[] = {
    {"points", 'p', "FILE", 0, "Sort the points of FILE (written by tutti bench)", 0},
    {"count", 'c', "NUMBERS", 0, "Elements for each rank, separated by commas", 0},
    {"algorithm", 'a', "NAMES", 0, "janus (default), sample, hypercube", 0},
    {"layer", 'l', "NAMES", 0,
     "How janus makes groups: ranges (default), create-group, split, create-group/mpich, split/mpich", 0},
    {"order", 'o', "NAMES", 0, "Which of its two groups a process makes first: alternating (default), cascaded", 0},
    {"assignment", 'm', "NAMES", 0, "Who sends to whom: greedy (default), deterministic", 0},
    {"distribution", 'd', "NAMES", 0,
     "Of the input: uniform (default), equal, few, sorted, reversed, staggered, single", 0},
    {"type", KEY_TYPE, "NAMES", 0, "Of the elements: double (default), int64, struct", 0},
    {"seed", 's', "NUMBERS", 0, "Of the input and of the pivots (default 1)", 0},
    {"element-s", KEY_ELEMENT, "SECONDS", 0, "To compare or move an element, simulated (default 1e-9)", 0},
    {"entry-s", KEY_ENTRY, "SECONDS", 0, "An entry of a table in .../mpich, simulated (default 1.7e-9)", 0},
    {"compare-s", KEY_COMPARE, "SECONDS", 0, "A comparison of the sort of split/mpich, simulated (default 7.4e-9)", 0},
    {"ranks-per-node", KEY_RANKS_PER_NODE, "N", 0, "Recorded with the times (default 1)", 0},
    {"repetitions", KEY_REPETITIONS, "N", 0, "Most repetitions on a real machine (default 200)", 0},
    {0},
};

static const struct {
  int key;
  const char *usual;
} lists[LISTS] = {[ALGORITHM] = {'a', "janus"},
                  [LAYER] = {'l', "ranges"},
                  [ORDER] = {'o', "alternating"},
                  [ASSIGNMENT] = {'m', "greedy"},
                  [DISTRIBUTION] = {'d', "uniform"},
                  [TYPE] = {KEY_TYPE, "double"},
                  [COUNT] = {'c', NULL},
                  [SEED] = {'s', "1"}};

/* Words of a point. */
static const char *const keys[LISTS] = {
    "", " layer=", " order=", " assignment=", " distribution=", " type=", " count=", " seed="};

static const struct {
  int key;
  const char *usual; /* NULL: not written */
  const char *word;
} values[VALUES] = {[ELEMENT] = {KEY_ELEMENT, NULL, "element_s"},
                    [ENTRY] = {KEY_ENTRY, NULL, "entry_s"},
                    [COMPARE] = {KEY_COMPARE, NULL, "compare_s"},
                    [RANKS_PER_NODE] = {KEY_RANKS_PER_NODE, "1", "ranks_per_node"},
                    [REPETITIONS] = {KEY_REPETITIONS, "200", "repetitions_max"}};

static const char *name_of(int key)
{
  int option = 0;
  while (option_table[option].name && option_table[option].key != key)
    option++;
  return option_table[option].name;
}

static error_t take(int key, const char *argument, struct words *words)
{
  const char *name = name_of(key);
  if (name)
    words->beside = name;
  for (int l = 0; l < LISTS; l++)
    if (lists[l].key == key) {
      words->lists[l] = argument;
      return 0;
    }
  for (int v = 0; v < VALUES; v++)
    if (values[v].key == key) {
      words->values[v] = argument;
      return 0;
    }
  return ARGP_ERR_UNKNOWN;
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
    return take(key, argument, words);
  }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse_option,
    .doc = "Sort across all ranks, check the result, and print one record a line on standard output.\v"
           "Run it under smpirun or mpiexec. The number of ranks is that of the launch. Every algorithm is run with "
           "every layer, order, assignment, distribution, type, count and seed; sample and hypercube have no layer, "
           "order and assignment, and are run once. Times are those of the latest process. What an input is the seed "
           "and the number of ranks say, on every MPI.\n\n"
           "The library's own groups (create-group, split) are not for large simulations: SMPI keeps a list of all "
           "members on every rank. There .../mpich stand for them: what MPICH does, on our schedules.",
    .children = options_common,
};

/* ---- the points as a text ---- */

static bool is_word(const char *word, int length, const char *expected)
{
  return (int)strlen(expected) == length && strncmp(word, expected, (size_t)length) == 0;
}

/* Of a list the word that *number, which becomes that of the lists behind it, says. */
static const char *pick(const char *list, size_t *number, size_t *choice, int *length)
{
  size_t choices = 1;
  for (const char *comma = list; (comma = strchr(comma, ',')); comma++)
    choices++;
  *choice = *number % choices;
  *number /= choices;
  for (size_t i = 0; i < *choice; i++)
    list = strchr(list, ',') + 1;
  *length = (int)strcspn(list, ",");
  return list;
}

/* Combination `number` of a word of each list; false if there are fewer. One of an algorithm without groups stands for
   all layers, orders and assignments. */
static bool write_point(FILE *stream, const char *const *words, size_t number)
{
  char line[512], *end = line;
  bool plain = false, again = false;
  for (int l = 0; l < LISTS; l++) {
    size_t choice, left = sizeof line - (size_t)(end - line);
    int length;
    const char *word = pick(words[l], &number, &choice, &length);
    bool dash = plain && (l == LAYER || l == ORDER || l == ASSIGNMENT);
    again = again || (dash && choice > 0);
    end += snprintf(end, left, "%s%.*s", keys[l],
                    dash                    ? 1
                    : length < MOST_LETTERS ? length
                                            : MOST_LETTERS,
                    dash ? "-" : word);
    if (l == ALGORITHM)
      plain = is_word(word, length, "sample") || is_word(word, length, "hypercube");
  }
  if (number == 0 && !again)
    fprintf(stream, "%s\n", line);
  return number == 0;
}

static void write_costs(FILE *stream, const struct words *words)
{
  fprintf(stream, "costs");
  for (int v = ELEMENT; v <= COMPARE; v++)
    if (words->values[v])
      fprintf(stream, " %s=%s", values[v].word, words->values[v]);
  fprintf(stream, "\n");
}

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
  const char *all[LISTS];
  size_t length = 0;
  tutti_status status = check_values(words, error);
  if (status != TUTTI_OK)
    return status;
  for (int l = 0; l < LISTS; l++)
    all[l] = words->lists[l] ? words->lists[l] : lists[l].usual;
  FILE *stream = open_memstream(&options->text, &length);
  if (stream) {
    fprintf(stream, "tutti-points v=1");
    for (int v = RANKS_PER_NODE; v < VALUES; v++)
      fprintf(stream, " %s=%s", values[v].word, words->values[v] ? words->values[v] : values[v].usual);
    fprintf(stream, "\n");
    write_costs(stream, words);
    for (size_t point = 0; write_point(stream, all, point); point++)
      ;
  }
  if (!stream || fclose(stream) != 0)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory while reading the command line");
  return TUTTI_OK;
}

static tutti_status read_words(const struct words *words, struct options *options, tutti_error *error)
{
  if (words->common.handled)
    return TUTTI_OK;
  if (words->points && words->beside)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--%s does not go with --points, whose file says all that is sorted",
                      words->beside);
  if (words->points)
    return options_read_file(words->points, options, error);
  if (words->lists[COUNT])
    return compose(words, options, error);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "nothing to sort: give --points FILE or --count NUMBERS");
}

tutti_status sort_options_read(int argc, char **argv, struct options *options, tutti_error *error)
{
  struct words words = {.common = {.program = "tutti-sort"}};
  *options = (struct options){0};
  tutti_status status = options_parse(&argp, argc, argv, &words, error);
  return status == TUTTI_OK ? read_words(&words, options, error) : status;
}
