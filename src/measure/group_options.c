/* The command line of tutti-group. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/options.h"
#include "measure/words.h"
#include "tutti/construction.h"

/* Whole numbers that are given once. */
enum { BRANCHING, SEED, COLOURS, NODE_RANKS, RANKS_PER_NODE, REPETITIONS, NUMBERS };

/* The command line as it stands; strings are those of argv. */
struct words {
  const char *points;
  const char *beside;           /* name of an option that says what to build, as the points file does */
  char *builders;               /* each with a comma behind it; owned */
  char *fractions;              /* as words "fraction=F" or "members=M", each with a comma behind it; owned */
  const char *numbers[NUMBERS]; /* NULL: as usual */
  struct common_words common;
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

static const struct {
  int key;
  const char *usual;
  uint64_t least, most;
} numbers[NUMBERS] = {
    [BRANCHING] = {'k', "3", 2, INT_MAX},
    [SEED] = {'s', "1", 0, INT64_MAX},
    [COLOURS] = {'c', "1", 1, INT_MAX},
    [NODE_RANKS] = {KEY_NODE_RANKS, "1", 1, INT_MAX},
    [RANKS_PER_NODE] = {KEY_RANKS_PER_NODE, "1", 1, INT_MAX},
    [REPETITIONS] = {KEY_REPETITIONS, "200", 1, INT_MAX},
};

static const char *name_of(int key)
{
  int option = 0;
  while (option_table[option].name && option_table[option].key != key)
    option++;
  return option_table[option].name;
}

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

static error_t take_number(int key, const char *argument, struct words *words)
{
  for (int n = 0; n < NUMBERS; n++)
    if (numbers[n].key == key) {
      words->numbers[n] = argument;
      return 0;
    }
  return ARGP_ERR_UNKNOWN;
}

/* What to build. */
static error_t parse_build(int key, const char *argument, struct words *words)
{
  const char *name = name_of(key);
  if (name)
    words->beside = name;
  switch (key) {
  case 'b':
    return append_builders(&words->builders, argument);
  case 'f':
    return append(&words->fractions, "fraction=", argument);
  case KEY_MEMBERS:
    return append(&words->fractions, "members=", argument);
  default:
    return take_number(key, argument, words);
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
    return parse_build(key, argument, words);
  }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse_option,
    .doc = "Build process groups whose members are drawn at random; one record a line on standard output.\v"
           "Run it under smpirun or mpiexec. The number of ranks is that of the launch. The same seed draws the same "
           "members for every builder and every MPI.",
    .children = options_common,
};

static tutti_status check_numbers(const struct words *words, tutti_error *error)
{
  for (int n = 0; n < NUMBERS; n++) {
    const char *text = words->numbers[n];
    uint64_t number;
    if (text && (!tutti_word_number(text, numbers[n].most, &number) || number < numbers[n].least))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--%s: '%s' is not a whole number from %llu to %llu",
                        name_of(numbers[n].key), text, (unsigned long long)numbers[n].least,
                        (unsigned long long)numbers[n].most);
  }
  return TUTTI_OK;
}

static const char *number_of(const struct words *words, int n)
{
  return words->numbers[n] ? words->numbers[n] : numbers[n].usual;
}

/* One line per fraction and builder. */
static void write_points(FILE *stream, const struct words *words)
{
  for (const char *f = words->fractions; *f; f += strcspn(f, ",") + 1)
    for (const char *b = words->builders; *b; b += strcspn(b, ",") + 1)
      fprintf(stream, "%.*s %.*s branching=%s seed=%s colours=%s node_ranks=%s\n", (int)strcspn(b, ","), b,
              (int)strcspn(f, ","), f, number_of(words, BRANCHING), number_of(words, SEED), number_of(words, COLOURS),
              number_of(words, NODE_RANKS));
}

static tutti_status compose(const struct words *words, struct options *options, tutti_error *error)
{
  size_t length = 0;
  FILE *stream = open_memstream(&options->text, &length);
  if (stream) {
    fprintf(stream, "tutti-points v=1 repetitions_max=%s ranks_per_node=%s\n", number_of(words, REPETITIONS),
            number_of(words, RANKS_PER_NODE));
    write_points(stream, words);
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
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--%s does not go with --points, whose file says all that is built",
                      words->beside);
  if (words->points)
    return options_read_file(words->points, options, error);
  if (words->builders && words->fractions) {
    tutti_status status = check_numbers(words, error);
    return status == TUTTI_OK ? compose(words, options, error) : status;
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "nothing to build: give --points FILE, or --builder and --fraction or --members");
}

tutti_status group_options_read(int argc, char **argv, struct options *options, tutti_error *error)
{
  struct words words = {.common = {.program = "tutti-group"}};
  *options = (struct options){0};
  tutti_status status = options_parse(&argp, argc, argv, &words, error);
  if (status == TUTTI_OK)
    status = read_words(&words, options, error);
  free(words.builders);
  free(words.fractions);
  return status;
}
