/* tutti group: its options. */
#include <limits.h>

#include "cli/command.h"
#include "cli/group/group_words.h"

enum { OPTION_MEMBERS = OPTION_OTHERS, OPTION_NODE_RANKS, OPTION_IN_PROCESS, OPTION_JSON };

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

static void check_where(struct argp_state *state, const struct group_words *words)
{
  const struct group_options *options = &words->options;
  const struct program_options *launch = &options->launch;
  const char *simulation = launch->program     ? "program"
                           : launch->build_dir ? "build-dir"
                           : launch->jobs > 0  ? "jobs"
                                               : NULL;
  if (words->in_process && options->platform)
    argp_error(state, "--in-process and --platform exclude each other");
  if (simulation && !options->platform)
    argp_error(state, "--%s: only with --platform", simulation);
}

static void finish(struct argp_state *state, struct group_words *words)
{
  struct group_options *options = &words->options;
  group_words_complete(words);
  check_where(state, words);
  if (options->platform && !options->launch.database)
    options->launch.database = "results.db";
}

static error_t parse_where(int key, char *argument, struct argp_state *state, struct group_words *words)
{
  switch (key) {
  case 'p':
    words->options.platform = argument;
    return 0;
  case OPTION_IN_PROCESS:
    words->in_process = true;
    return 0;
  case OPTION_JSON:
    words->options.json = true;
    return 0;
  default:
    return program_parse(key, argument, state, &words->options.launch);
  }
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  struct group_words *words = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &words->plot;
    return 0;
  case 'n':
    group_words_add_ranks(state, argument, words);
    return 0;
  case 'b':
  case ARGP_KEY_ARG:
    group_words_add_builders(state, argument, words);
    return 0;
  case 'f':
    group_words_add_fractions(state, argument, words);
    return 0;
  case OPTION_MEMBERS:
    group_words_add_members(state, argument, words);
    return 0;
  case 'k':
    words->branching = (int)parse_number(state, "branching", argument, 2, INT_MAX);
    return 0;
  case 's':
    words->seed = parse_number(state, "seed", argument, 0, INT64_MAX);
    return 0;
  case 'c':
    words->colors = (int)parse_number(state, "colours", argument, 1, INT_MAX);
    return 0;
  case OPTION_NODE_RANKS:
    words->node_ranks = (int)parse_number(state, "node-ranks", argument, 1, INT_MAX);
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

void group_words_read(int argc, char **argv, struct group_words *words)
{
  *words = (struct group_words){.branching = 3, .colors = 1, .node_ranks = 1, .seed = 1};
  parse_options(&group_argp, argc, argv, words);
}
