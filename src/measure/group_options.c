/* The command line of tutti-group. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/options_words.h"
#include "tutti/group_protocol.h"

/* Whole numbers that are given once. */
enum { BRANCHING, SEED, COLORS, NODE_RANKS, RANKS_PER_NODE, REPETITIONS, NUMBERS };

/* Options that add to a list. */
struct lists {
  char *builders;  /* each with a comma behind it; owned */
  char *fractions; /* as words "fraction=F" or "members=M", each with a comma behind it; owned */
};

enum { KEY_REPETITIONS = 1000, KEY_RANKS_PER_NODE, KEY_NODE_RANKS, KEY_MEMBERS };

static const struct argp_option option_table[] = {
    {"points", 'p', "FILE", 0, "Build the groups of FILE (written by tutti bench and tutti group)", 0},
    {"builder", 'b', "NAMES", 0, "Builders, separated by commas, or all; may be given several times", 0},
    {"fraction", 'f', "FRACTIONS", 0, "Probability of each process to be a member; several, separated by commas", 0},
    {"members", KEY_MEMBERS, "NUMBERS", 0, "Exactly so many members, the same way", 0},
    {"branching", 'k', "K", 0, "Branching factor of both trees (default 3)", 0},
    {"seed", 's', "N", 0, "Seed of the members (default 1)", 0},
    {"colours", 'c', "C", 0, "Build C groups at once (default 1)", 0},
    {"node-ranks", KEY_NODE_RANKS, "R", 0, "Build inside each node of R ranks first, then among nodes", 0},
    {"ranks-per-node", KEY_RANKS_PER_NODE, "N", 0, "Recorded with the groups (default 1)", 0},
    {"repetitions", KEY_REPETITIONS, "N", 0, "Most repetitions on a real machine (default 200)", 0},
    {0},
};

static const struct option_kind numbers[NUMBERS] = {
    [BRANCHING] = {'k', "3", 2, INT_MAX},
    [SEED] = {'s', "1", 0, INT64_MAX},
    [COLORS] = {'c', "1", 1, INT_MAX},
    [NODE_RANKS] = {KEY_NODE_RANKS, "1", 1, INT_MAX},
    [RANKS_PER_NODE] = {KEY_RANKS_PER_NODE, "1", 1, INT_MAX},
    [REPETITIONS] = {KEY_REPETITIONS, "200", 1, INT_MAX},
};

/* Append PREFIX and each of the words of a list, and a comma. */
static error_t append(char **list, const char *prefix, const char *words)
{
  for (; *words; words += strcspn(words, ",") + (strchr(words, ',') != NULL)) {
    char *longer;
    if (asprintf(&longer, "%s%s%.*s,", *list ? *list : "", prefix, (int)strcspn(words, ","), words) < 0)
      return ENOMEM;
    free(*list);
    *list = longer;
  }
  return 0;
}

static error_t append_builders(char **list, const char *words)
{
  error_t code = 0;
  if (strcmp(words, "all") != 0)
    return append(list, "", words);
  for (int b = 0; tutti_group_builder_at(b) && code == 0; b++)
    code = append(list, "", tutti_group_builder_name(tutti_group_builder_at(b)));
  return code;
}

static error_t take(int key, const char *argument, void *own)
{
  struct lists *lists = own;
  switch (key) {
  case 'b':
    return append_builders(&lists->builders, argument);
  case 'f':
    return append(&lists->fractions, "fraction=", argument);
  case KEY_MEMBERS:
    return append(&lists->fractions, "members=", argument);
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* One line per fraction and builder. */
static void write_points(FILE *stream, const struct options_words *words, const struct lists *lists)
{
  for (const char *f = lists->fractions; *f; f += strcspn(f, ",") + 1)
    for (const char *b = lists->builders; *b; b += strcspn(b, ",") + 1)
      fprintf(stream, "%.*s %.*s branching=%s seed=%s colours=%s node_ranks=%s\n", (int)strcspn(b, ","), b,
              (int)strcspn(f, ","), f, options_word(words, BRANCHING), options_word(words, SEED),
              options_word(words, COLORS), options_word(words, NODE_RANKS));
}

static tutti_status write_text(FILE *stream, const struct options_words *words, tutti_error *error)
{
  const struct lists *lists = words->own;
  if (!lists->builders || !lists->fractions)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "nothing to build: give --points FILE, or --builder and --fraction or --members");
  tutti_status status = options_words_check(words, error);
  if (status != TUTTI_OK)
    return status;
  fprintf(stream, "tutti-points v=1 repetitions_max=%s ranks_per_node=%s\n", options_word(words, REPETITIONS),
          options_word(words, RANKS_PER_NODE));
  write_points(stream, words, lists);
  return TUTTI_OK;
}

static const struct options_program program = {
    .name = "tutti-group",
    .doc = "Build process groups whose members are drawn at random; one record a line on standard output.\v"
           "Run it under smpirun or mpiexec. The number of ranks is that of the launch. The same seed draws the same "
           "members for every builder and every MPI.",
    .options = option_table,
    .kinds = numbers,
    .words = NUMBERS,
    .done = "built",
    .take = take,
    .write = write_text,
};

tutti_status group_options_read(int argc, char **argv, struct options *options, tutti_error *error)
{
  struct lists lists = {0};
  tutti_status status = options_words_read(&program, argc, argv, &lists, options, error);
  free(lists.builders);
  free(lists.fractions);
  return status;
}
