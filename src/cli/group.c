/* tutti group: build process groups at scale, within this process or simulated. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/group.h"
#include "cli/group_plot.h"
#include "cli/report_group.h"

enum {
  OPTION_DB = 256,
  OPTION_PROGRAM,
  OPTION_BUILD_DIR,
  OPTION_MEMBERS,
  OPTION_NODE_RANKS,
  OPTION_IN_PROCESS,
  OPTION_JSON
};

enum { MOST_VALUES = 64 };

/* The command line: lists that have not been multiplied yet. */
struct words {
  struct group_options options;
  struct group_plot plot;
  const tutti_group_builder *builders[MOST_VALUES];
  tutti_draw draws[MOST_VALUES];
  int ranks[MOST_VALUES];
  int builder_count, draw_count, ranks_count;
  int branching, colours, node_ranks;
  uint64_t seed;
  bool in_process;
};

static const struct argp_option option_table[] = {
    {"ranks", 'n', "NUMBERS", 0, "Processes; several numbers, separated by commas (default 1024)", 0},
    {"builder", 'b', "NAMES", 0, "Another way to name builders, separated by commas, or all of them", 0},
    {"fraction", 'f', "FRACTIONS", 0, "Probability of each process to be a member (default 0.3)", 0},
    {"members", OPTION_MEMBERS, "NUMBERS", 0, "Exactly so many members instead", 0},
    {"branching", 'k', "K", 0, "Branching factor of the original tree and the new one (default 3)", 0},
    {"seed", 's', "N", 0, "Seed of the members: the same ones for every builder and transport (default 1)", 0},
    {"colours", 'c', "C", 0, "Build C groups at once (default 1)", 0},
    {"node-ranks", OPTION_NODE_RANKS, "R", 0, "Build inside each node of R ranks first, then among nodes", 0},
    {"in-process", OPTION_IN_PROCESS, NULL, 0, "Among actors of this process, and count (default)", 1},
    {"platform", 'p', "PLATFORM", 0, "Simulate on a platform, and time", 1},
    {"db", OPTION_DB, "FILE", 0, "The store (default: results.db with --platform, else none)", 1},
    {"jobs", 'j', "N", 0, "Run N simulations at once (default: processors online)", 1},
    {"program", OPTION_PROGRAM, "PATH", 0, "The measuring program tutti-group", 1},
    {"build-dir", OPTION_BUILD_DIR, "DIR", 0, "Look for tutti-group in DIR/smpi", 1},
    {"quiet", 'q', NULL, 0, "Show no progress", 2},
    {"json", OPTION_JSON, NULL, 0, "Print JSON", 2},
    {NULL, 0, NULL, 0, NULL, 0}};

/* ---- numbers ---- */

static uint64_t read_number(struct argp_state *state, const char *text, const char *option, uint64_t least,
                            uint64_t most)
{
  char *end;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  if (end == text || *end || *text == '-' || errno || number < least || number > most)
    argp_error(state, "--%s: '%s' is not a whole number from %llu to %llu", option, text, (unsigned long long)least,
               (unsigned long long)most);
  return number;
}

static double read_fraction(struct argp_state *state, const char *text)
{
  char *end;
  double fraction = strtod(text, &end);
  if (end == text || *end || !(fraction >= 0 && fraction <= 1))
    argp_error(state, "--fraction: '%s' is not a number from 0 to 1", text);
  return fraction;
}

static int processors_online(void)
{
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (int)online : 1;
}

/* The words of a list, one at a time; complains of a list that is too long. */
static char *next_word(struct argp_state *state, char **list, const char *option, int count)
{
  char *word = strsep(list, ",");
  if (word && count == MOST_VALUES)
    argp_error(state, "--%s: more than %d values", option, MOST_VALUES);
  return word;
}

static void read_ranks(struct argp_state *state, char *list, struct words *words)
{
  for (char *word; (word = next_word(state, &list, "ranks", words->ranks_count));)
    words->ranks[words->ranks_count++] = (int)read_number(state, word, "ranks", 1, INT_MAX);
}

static void read_fractions(struct argp_state *state, char *list, struct words *words)
{
  for (char *word; (word = next_word(state, &list, "fraction", words->draw_count));)
    words->draws[words->draw_count++] = (tutti_draw){.fraction = read_fraction(state, word), .members = -1};
}

static void read_members(struct argp_state *state, char *list, struct words *words)
{
  for (char *word; (word = next_word(state, &list, "members", words->draw_count));)
    words->draws[words->draw_count++] = (tutti_draw){.members = (int)read_number(state, word, "members", 0, INT_MAX)};
}

static void add_builders(struct argp_state *state, char *list, struct words *words)
{
  tutti_error error = {0};
  for (char *word; (word = next_word(state, &list, "BUILDER", words->builder_count));) {
    const tutti_group_builder *builder = NULL;
    if (strcmp(word, "all") == 0)
      words->options.all_builders = true;
    else if (!(builder = tutti_group_builder_find(word, &error)))
      argp_error(state, "%s", error.message);
    else
      words->builders[words->builder_count++] = builder;
  }
}

static void add_all_builders(struct words *words)
{
  words->builder_count = 0;
  while (tutti_group_builder_at(words->builder_count) && words->builder_count < MOST_VALUES) {
    words->builders[words->builder_count] = tutti_group_builder_at(words->builder_count);
    words->builder_count++;
  }
}

/* ---- the command line ---- */

static void check_where(struct argp_state *state, const struct words *words)
{
  const struct group_options *options = &words->options;
  const char *simulation = options->program     ? "program"
                           : options->build_dir ? "build-dir"
                           : options->jobs > 0  ? "jobs"
                                                : NULL;
  if (words->in_process && options->platform)
    argp_error(state, "--in-process and --platform exclude each other");
  if (simulation && !options->platform)
    argp_error(state, "--%s: only with --platform", simulation);
}

static void finish(struct argp_state *state, struct words *words)
{
  struct group_options *options = &words->options;
  if (words->builder_count == 0)
    options->all_builders = true;
  if (options->all_builders)
    add_all_builders(words);
  if (words->draw_count == 0)
    words->draws[words->draw_count++] = (tutti_draw){.fraction = 0.3, .members = -1};
  if (words->ranks_count == 0)
    words->ranks[words->ranks_count++] = 1024;
  check_where(state, words);
  if (options->platform && !options->database)
    options->database = "results.db";
  if (options->jobs == 0)
    options->jobs = processors_online();
}

static error_t parse_where(int key, char *argument, struct argp_state *state, struct words *words)
{
  struct group_options *options = &words->options;
  switch (key) {
  case 'p':
    options->platform = argument;
    return 0;
  case 'j':
    options->jobs = (int)read_number(state, argument, "jobs", 1, 4096);
    return 0;
  case 'q':
    options->quiet = true;
    return 0;
  case OPTION_IN_PROCESS:
    words->in_process = true;
    return 0;
  case OPTION_DB:
    options->database = argument;
    return 0;
  case OPTION_PROGRAM:
    options->program = argument;
    return 0;
  case OPTION_BUILD_DIR:
    options->build_dir = argument;
    return 0;
  case OPTION_JSON:
    options->json = true;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  struct words *words = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &words->plot;
    return 0;
  case 'n':
    read_ranks(state, argument, words);
    return 0;
  case 'b':
  case ARGP_KEY_ARG:
    add_builders(state, argument, words);
    return 0;
  case 'f':
    read_fractions(state, argument, words);
    return 0;
  case OPTION_MEMBERS:
    read_members(state, argument, words);
    return 0;
  case 'k':
    words->branching = (int)read_number(state, argument, "branching", 2, INT_MAX);
    return 0;
  case 's':
    words->seed = read_number(state, argument, "seed", 0, INT64_MAX);
    return 0;
  case 'c':
    words->colours = (int)read_number(state, argument, "colours", 1, INT_MAX);
    return 0;
  case OPTION_NODE_RANKS:
    words->node_ranks = (int)read_number(state, argument, "node-ranks", 1, INT_MAX);
    return 0;
  case ARGP_KEY_END:
    finish(state, words);
    return 0;
  default:
    return parse_where(key, argument, state, words);
  }
}

static const struct argp_child children[] = {{&group_plot_argp, 0, "Picture:", 3}, {0}};

static const struct argp group_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "[BUILDER...]",
    .doc = "Build system-ranked process groups whose members are drawn at random, by BUILDERs or by all of them.\v"
           "Messages, memory and the shape of the new tree are counted by the processes themselves. Times, which need "
           "--platform, are from the start broadcast on the original tree to the end of the reduction on the new one. "
           "Whole sweeps are run by `tutti bench EXPERIMENT.xml`.",
    .children = children};

/* ---- all combinations ---- */

static tutti_status multiply(struct words *words, tutti_error *error)
{
  tutti_group_sweep *sweep = &words->options.sweep;
  sweep->ranks = words->ranks;
  sweep->ranks_count = words->ranks_count;
  sweep->points = calloc((size_t)words->draw_count * (size_t)words->builder_count, sizeof *sweep->points);
  if (!sweep->points)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the groups to build");
  for (int d = 0; d < words->draw_count; d++)
    for (int b = 0; b < words->builder_count; b++) {
      tutti_build_point *point = &sweep->points[sweep->point_count++];
      *point = (tutti_build_point){.builder = words->builders[b],
                                   .draw = words->draws[d],
                                   .branching = words->branching,
                                   .node_ranks = words->node_ranks};
      point->draw.colours = words->colours;
      point->draw.seed = words->seed;
    }
  return TUTTI_OK;
}

static tutti_status build_all(const struct group_options *options, struct group_results *results, int *signal,
                              tutti_error *error)
{
  if (options->platform)
    return group_simulate(options, results, signal, error);
  return group_build_in_process(options, results, error);
}

static tutti_status report(const struct words *words, const struct group_results *results, tutti_error *error)
{
  const struct group_options *options = &words->options;
  const char *where = options->platform ? options->platform : "in-process";
  (options->json ? report_group_print_json : report_group_print)(results->builds, results->count, where);
  fflush(stdout); /* the text is there whatever becomes of the picture */
  return words->plot.path ? group_plot_draw(&words->plot, results, where, error) : TUTTI_OK;
}

static int run_group(struct words *words)
{
  const struct group_options *options = &words->options;
  struct group_results results = {.builds = NULL};
  tutti_error error = {0};
  int signal = 0;
  tutti_status status = multiply(words, &error);
  if (status == TUTTI_OK)
    status = group_plot_check(&words->plot, options, &error);
  if (status == TUTTI_OK)
    status = build_all(options, &results, &signal, &error);
  if (status == TUTTI_OK)
    status = report(words, &results, &error);
  free(results.builds);
  free(options->sweep.points);
  if (status == TUTTI_OK)
    return EXIT_DONE;
  complain(&error);
  return signal ? 128 + signal : EXIT_USAGE;
}

int command_group(int argc, char **argv)
{
  struct words words = {.branching = 3, .colours = 1, .node_ranks = 1, .seed = 1};
  parse_options(&group_argp, argc, argv, &words);
  return run_group(&words);
}
