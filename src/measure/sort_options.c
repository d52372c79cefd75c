/* The command line of tutti-sort. */
#include <limits.h>
#include <string.h>

#include "measure/options_words.h"

/* Lists of words, separated by commas: every one is sorted with every other one. In the order of a point. Behind them
   words that are given once. */
enum {
  ALGORITHM,
  LAYER,
  ORDER,
  ASSIGNMENT,
  DISTRIBUTION,
  TYPE,
  COUNT,
  SEED,
  LISTS,
  ELEMENT = LISTS,
  ENTRY,
  COMPARE,
  RANKS_PER_NODE,
  REPETITIONS,
  WORDS
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

_Static_assert((int)WORDS <= (int)OPTIONS_WORDS_MOST, "more words than are kept");

static const struct option_kind kinds[WORDS] = {
    [ALGORITHM] = {'a', "janus", 0, 0},
    [LAYER] = {'l', "ranges", 0, 0},
    [ORDER] = {'o', "alternating", 0, 0},
    [ASSIGNMENT] = {'m', "greedy", 0, 0},
    [DISTRIBUTION] = {'d', "uniform", 0, 0},
    [TYPE] = {KEY_TYPE, "double", 0, 0},
    [COUNT] = {'c', NULL, 0, 0},
    [SEED] = {'s', "1", 0, 0},
    [ELEMENT] = {KEY_ELEMENT, NULL, 0, 0},
    [ENTRY] = {KEY_ENTRY, NULL, 0, 0},
    [COMPARE] = {KEY_COMPARE, NULL, 0, 0},
    [RANKS_PER_NODE] = {KEY_RANKS_PER_NODE, "1", 1, INT_MAX},
    [REPETITIONS] = {KEY_REPETITIONS, "200", 1, INT_MAX},
};

/* Words of a points file. */
static const char *const keys[WORDS] = {
    [ALGORITHM] = "",
    [LAYER] = " layer=",
    [ORDER] = " order=",
    [ASSIGNMENT] = " assignment=",
    [DISTRIBUTION] = " distribution=",
    [TYPE] = " type=",
    [COUNT] = " count=",
    [SEED] = " seed=",
    [ELEMENT] = " element_s=",
    [ENTRY] = " entry_s=",
    [COMPARE] = " compare_s=",
    [RANKS_PER_NODE] = " ranks_per_node=",
    [REPETITIONS] = " repetitions_max=",
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

/* The first two lines. */
static void write_head(FILE *stream, const struct options_words *words)
{
  fprintf(stream, "tutti-points v=1");
  for (int w = RANKS_PER_NODE; w <= REPETITIONS; w++)
    fprintf(stream, "%s%s", keys[w], options_word(words, w));
  fprintf(stream, "\ncosts");
  for (int w = ELEMENT; w <= COMPARE; w++)
    if (words->given[w])
      fprintf(stream, "%s%s", keys[w], words->given[w]);
  fprintf(stream, "\n");
}

static tutti_status write_text(FILE *stream, const struct options_words *words, tutti_error *error)
{
  const char *lists[LISTS];
  if (!words->given[COUNT])
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "nothing to sort: give --points FILE or --count NUMBERS");
  tutti_status status = options_words_check(words, error);
  if (status != TUTTI_OK)
    return status;
  for (int l = 0; l < LISTS; l++)
    lists[l] = options_word(words, l);
  write_head(stream, words);
  for (size_t point = 0; write_point(stream, lists, point); point++)
    ;
  return TUTTI_OK;
}

static const struct options_program program = {
    .name = "tutti-sort",
    .doc = "Sort across all ranks, check the result, and print one record a line on standard output.\v"
           "Run it under smpirun or mpiexec. The number of ranks is that of the launch. Every algorithm is run with "
           "every layer, order, assignment, distribution, type, count and seed; sample and hypercube have no layer, "
           "order and assignment, and are run once. Times are those of the latest process. What an input is the seed "
           "and the number of ranks say, on every MPI.\n\n"
           "The library's own groups (create-group, split) are not for large simulations: SMPI keeps a list of all "
           "members on every rank. There .../mpich stand for them: what MPICH does, on our schedules.",
    .options = option_table,
    .kinds = kinds,
    .words = WORDS,
    .done = "sorted",
    .write = write_text,
};

tutti_status sort_options_read(int argc, char **argv, struct options *options, tutti_error *error)
{
  return options_words_read(&program, argc, argv, NULL, options, error);
}
