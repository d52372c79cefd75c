/* tutti whatif: one experiment on a machine and on the same machine changed, side by side. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/whatif/report_whatif.h"
#include "cli/whatif/whatif.h"

enum { OPTION_SET = OPTION_OTHERS, OPTION_RANKS, OPTION_SIZE, OPTION_ALL, OPTION_JSON, OPTION_CHUNK };

static const struct argp_option option_table[] = {
    {.doc = "The change:"},
    {"set", OPTION_SET, "EDIT", 0, "Change the platform; may be given several times, one edit after the other", 0},
    {"output", 'o', "FILE", 0, "Write the changed platform to FILE, and keep it", 0},
    {.doc = "The experiment:"},
    {"ranks", OPTION_RANKS, "LIST", 0, "Numbers of ranks instead of those of the experiment: 2..28, 16..1024*2", 0},
    {"size", OPTION_SIZE, "LIST", 0, "Message sizes instead of those of its sweeps: 1..64KB*4", 0},
    {"jobs", 'j', "N", 0, "Run N jobs at once (default: processors online)", 0},
    {"db", OPTION_DB, "FILE", 0, "The store (default: results.db)", 0},
    {"program", OPTION_PROGRAM, "PATH", 0, "The measuring program of the experiment, for SMPI", 0},
    {"build-dir", OPTION_BUILD_DIR, "DIR", 0, "Look for the measuring program in DIR/smpi", 0},
    {"chunk", OPTION_CHUNK, "N", 0, "Give a job at most N points (default: 250)", 0},
    {.doc = "Output:"},
    {"all", OPTION_ALL, NULL, 0, "The times of all methods, not of the best ones only", 0},
    {"json", OPTION_JSON, NULL, 0, "Print JSON; times are seconds", 0},
    {"quiet", 'q', NULL, 0, "Show no progress", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static void add_edit(struct argp_state *state, struct whatif_options *options, const char *edit)
{
  const char **longer = reallocarray(options->edits, (size_t)options->edit_count + 1, sizeof *longer);
  if (!longer)
    argp_failure(state, EXIT_USAGE, 0, "out of memory for edits");
  options->edits = longer;
  options->edits[options->edit_count++] = edit;
}

static void add_argument(struct argp_state *state, struct whatif_options *options, const char *argument)
{
  if (!options->platform)
    options->platform = argument;
  else if (!options->experiment)
    options->experiment = argument;
  else
    argp_error(state, "one platform and one experiment: '%s' is one too many", argument);
}

static void check_complete(struct argp_state *state, const struct whatif_options *options)
{
  if (!options->platform)
    argp_error(state, "which platform, and which experiment?");
  else if (options->edit_count == 0)
    argp_error(state, "what if what? Say --set EDIT");
  else if (!options->experiment && !options->output)
    argp_error(state, "name an experiment, or say --output FILE to write the changed platform only");
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  struct whatif_options *options = state->input;
  switch (key) {
  case OPTION_SET:
    add_edit(state, options, argument);
    return 0;
  case 'o':
    options->output = argument;
    return 0;
  case OPTION_RANKS:
    parse_list(state, "ranks", argument, tutti_experiment_parse_rank_count, &options->ranks, &options->ranks_count);
    return 0;
  case OPTION_SIZE:
    parse_list(state, "size", argument, tutti_size_parse, &options->sizes, &options->size_count);
    return 0;
  case OPTION_ALL:
    options->all = true;
    return 0;
  case OPTION_JSON:
    options->json = true;
    return 0;
  case OPTION_CHUNK:
    options->chunk = (size_t)parse_number(state, "chunk", argument, 1, 1000000000);
    return 0;
  case ARGP_KEY_ARG:
    add_argument(state, options, argument);
    return 0;
  case ARGP_KEY_END:
    check_complete(state, options);
    return 0;
  default:
    return program_parse(key, argument, state, &options->launch);
  }
}

static const struct argp whatif_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "PLATFORM [EXPERIMENT.xml]",
    .doc =
        "Run an experiment on PLATFORM, whatever platform its file names, and on the same machine changed, and show "
        "side by side what changed: times, best methods, message sizes at which they change, and what staying with "
        "the old decisions would cost. What the store has already is not measured again.\v"
        "An EDIT is WORD=VALUE:\n"
        "  latency=*0.5  bandwidth=1GBps  speed=/2  overhead=+1us  actor=*2  loopback-latency=  loopback-bandwidth=  "
        "limiter=  backbone-latency=  backbone-bandwidth=  hosts=1024  ranks_per_node=4\n"
        "  topology=torus:16x16x8, fat-tree:32x32x32, fat-tree:512x18/4 (a quarter of the cables upwards), "
        "dragonfly:8x4x16x4, flat, or with SimGrid's parameters, fat-tree:2;512,18;1,128;1,1\n"
        "  network=PLATFORM: latency, bandwidth, overhead and network options of another platform\n"
        "or XPATH=VALUE for any attribute or <prop>: //link[@id=\"x\"]/@latency=+1us. A value is absolute with a unit "
        "as in platform files, or relative: *FACTOR, /FACTOR, +AMOUNT, -AMOUNT.\n\n"
        "Times are microseconds, sizes bytes per rank; a speed-up is the time before over the time after. Exit "
        "status: 0 done, 2 usage or bad input."};

static int show(struct whatif *whatif)
{
  tutti_error error = {0};
  int signal = 0;
  tutti_status status = whatif_edit(whatif, &error);
  if (status == TUTTI_OK && whatif->options->experiment)
    status = whatif_measure(whatif, &signal, &error);
  if (status == TUTTI_OK)
    status = whatif->options->json ? report_whatif_print_json(whatif, &error) : report_whatif_print(whatif, &error);
  if (status == TUTTI_OK)
    return EXIT_DONE;
  complain(&error);
  return signal ? 128 + signal : EXIT_USAGE;
}

static int whatif_main(int argc, char **argv)
{
  struct whatif_options options = {.launch = {.database = "results.db"}};
  struct whatif whatif = {.options = &options};
  parse_options(&whatif_argp, argc, argv, &options);
  int code = show(&whatif);
  whatif_free(&whatif);
  free(options.edits);
  free(options.ranks);
  free(options.sizes);
  return code;
}

const struct command command_whatif = {
    .name = "whatif",
    .summary = "run an experiment on a machine and on the same machine changed, side by side",
    .main = whatif_main,
};
