/* The command line of tutti-group. */
#include <limits.h>
#include <string.h>

#include "measure/group.h"

enum { BUILDER, FRACTION, MEMBERS, BRANCHING, SEEDS, COLORS, NODE_RANKS, RANKS_PER_NODE, REPETITIONS, OPTIONS };

static const struct program_option list[OPTIONS] = {
    [BUILDER] =
        OPTION_LIST("builder", 'b', "NAMES", "Builders, separated by commas, or all; may be given several times"),
    [FRACTION] = OPTION_LIST("fraction", 'f', "FRACTIONS",
                             "Probability of each process to be a member; several, separated by commas"),
    [MEMBERS] = OPTION_LIST("members", 0, "NUMBERS", "Exactly so many members, the same way"),
    [BRANCHING] = OPTION_NUMBER("branching", 'k', "K", "3", 2, INT_MAX, "Branching factor of both trees"),
    [SEEDS] = OPTION_NUMBER("seed", 's', "N", "1", 0, INT64_MAX, "Seed of the members"),
    [COLORS] = OPTION_NUMBER("colours", 'c', "C", "1", 1, INT_MAX, "Build C groups at once"),
    [NODE_RANKS] = OPTION_NUMBER("node-ranks", 0, "R", "1", 1, INT_MAX,
                                 "Build inside each node of R ranks first, then among nodes"),
    [RANKS_PER_NODE] = OPTION_RANKS_PER_NODE("Recorded with the groups"),
    [REPETITIONS] = OPTION_REPETITIONS,
};

/* One line per builder. */
static void write_builders(FILE *stream, const struct options *options, const char *draw)
{
  const char *builders = options->given[BUILDER], *builder;
  int length;
  while ((builder = option_next(&builders, &length))) {
    bool all = length == 3 && strncmp(builder, "all", 3) == 0;
    for (int b = 0; !all ? b < 1 : tutti_group_builder_at(b) != NULL; b++)
      fprintf(stream, "%.*s %s branching=%s seed=%s colours=%s node_ranks=%s\n", all ? INT_MAX : length,
              all ? tutti_group_builder_name(tutti_group_builder_at(b)) : builder, draw,
              option_word(options, BRANCHING), option_word(options, SEEDS), option_word(options, COLORS),
              option_word(options, NODE_RANKS));
  }
}

/* The same per fraction or number of members. */
static void write_draws(FILE *stream, const struct options *options, int option, const char *key)
{
  const char *values = options->given[option], *value;
  int length;
  while (values && (value = option_next(&values, &length))) {
    char draw[64];
    snprintf(draw, sizeof draw, "%s=%.*s", key, length, value);
    write_builders(stream, options, draw);
  }
}

static tutti_status write_lines(FILE *stream, const struct options *options, tutti_error *error)
{
  if (!options->given[BUILDER] || (!options->given[FRACTION] && !options->given[MEMBERS]))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "nothing to build: give --points FILE, or --builder and --fraction or --members");
  write_draws(stream, options, FRACTION, "fraction");
  write_draws(stream, options, MEMBERS, "members");
  return TUTTI_OK;
}

const struct option_table tutti_group_options = {
    .name = "tutti-group",
    .doc = "Build process groups whose members are drawn at random; one record a line on standard output.\v"
           "Run it under smpirun or mpiexec. The number of ranks is that of the launch. The same seed draws the same "
           "members for every builder and every MPI.",
    .points_help = "Build the groups of FILE (written by tutti bench and tutti group)",
    .count = OPTIONS,
    .options = list,
    .done = "built",
    .write = write_lines,
};
