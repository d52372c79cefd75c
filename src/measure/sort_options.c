/* The command line of tutti-sort. */
#include <string.h>

#include "measure/sort_bench.h"

/* Lists of words, separated by commas, in the order of a point: every one is sorted with every other one. Behind them
   words that are given once. */
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

/* Of a word that is handed on; longer ones are wrong, cut or not. */
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

/* Combination `number` of a word of each list; false if there are fewer. One of an algorithm without groups stands for
   all layers, orders and assignments. */
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

const struct option_table tutti_sort_options = {
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
