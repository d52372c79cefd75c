/* tutti bench: measure what an experiment file asks for and the store does not have yet. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/launch_options.h"
#include "cli/program.h"
#include "cli/progress.h"
#include "tutti/job.h"

enum { OPTION_KEEP = OPTION_BENCH, OPTION_CHUNK };

struct bench_options {
  const char *experiment;
  struct program_options launch;
  tutti_launch_options place;
  size_t chunk;
  bool keep;
};

static const struct argp_option option_table[] = {
    {"jobs", 'j', "N", 0,
     "Run N jobs at once (default: processors online; on a real machine always 1; under Slurm as many as it likes)", 0},
    {"db", OPTION_DB, "FILE", 0, "The store (default: results.db)", 0},
    {"quiet", 'q', NULL, 0, "Show no progress", 0},
    {"program", OPTION_PROGRAM, "PATH", 0,
     "The measuring program (tutti-bench, tutti-group, tutti-sort, tutti-range) of the experiment's flavour", 0},
    {"build-dir", OPTION_BUILD_DIR, "DIR", 0, "Look for the measuring program in DIR/smpi, DIR/mpich, DIR/openmpi", 0},
    {"chunk", OPTION_CHUNK, "N", 0, "Give a job at most N points (default: 250)", 0},
    {"keep", OPTION_KEEP, NULL, 0, "Keep the files of the jobs in FILE.work until the next run", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  struct bench_options *options = state->input;
  switch (key) {
  case OPTION_KEEP:
    options->keep = true;
    return 0;
  case OPTION_CHUNK:
    options->chunk = (size_t)parse_number(state, "chunk", argument, 1, 1000000000);
    return 0;
  case ARGP_KEY_ARG:
    if (options->experiment)
      argp_error(state, "one experiment at a time: '%s' is one too many", argument);
    options->experiment = argument;
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "which experiment? Name an XML file");
    return 0;
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &options->place;
    return 0;
  default:
    return program_parse(key, argument, state, &options->launch);
  }
}

static const struct argp_child children[] = {{&launch_argp, 0, "Where the jobs run (docs/clusters.md):", 0}, {0}};

static const struct argp bench_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "EXPERIMENT.xml",
    .children = children,
    .doc = "Measure the points of an experiment that are not in the store yet, simulated or real.\v"
           "Interrupt it at any time: what was measured is stored, and the same command measures the rest."};

static void print_summary(const tutti_experiment *experiment, const char *database, const tutti_run_summary *summary)
{
  char measured[32], present[32], recovered[32], outside[32], queued[32];
  printf("%s: %s points measured, %s there already", experiment->name,
         progress_format_count(summary->measured, measured), progress_format_count(summary->present, present));
  if (summary->recovered)
    printf(", %s measurements recovered from an earlier run", progress_format_count(summary->recovered, recovered));
  if (summary->outside)
    printf(", %s outside the domain of their method", progress_format_count(summary->outside, outside));
  if (summary->queued)
    printf(", %s left to the queue", progress_format_count(summary->queued, queued));
  printf(", %.1f s, stored in %s\n", summary->seconds, database);
}

static int run_experiment(const struct bench_options *options, const tutti_experiment *experiment)
{
  struct progress_display display = progress_display_open(options->launch.quiet);
  tutti_error error = {0};
  tutti_run_summary summary;
  const char *name = tutti_experiment_program(experiment);
  char *program = program_find(&options->launch, experiment->flavor, name);
  tutti_run_options run = {.database = options->launch.database,
                           .program = program ? program : name,
                           .launch = options->place,
                           .jobs = options->place.slurm ? options->launch.jobs : program_jobs(&options->launch),
                           .chunk_points = options->chunk,
                           .keep = options->keep,
                           .report = progress_display_show,
                           .context = &display};
  tutti_status status = tutti_experiment_run(experiment, &run, &summary, &error);
  free(program);
  progress_display_close(&display);
  if (status == TUTTI_OK || summary.measured || summary.recovered || summary.queued)
    print_summary(experiment, options->launch.database, &summary);
  if (status == TUTTI_OK)
    return EXIT_DONE;
  complain(&error);
  return summary.signal ? 128 + summary.signal : EXIT_USAGE;
}

int command_bench(int argc, char **argv)
{
  struct bench_options options = {.launch = {.database = "results.db"}};
  parse_options(&bench_argp, argc, argv, &options);
  tutti_experiment experiment;
  tutti_error error = {0};
  if (tutti_experiment_read(options.experiment, &experiment, &error) != TUTTI_OK)
    return complain(&error);
  int code = run_experiment(&options, &experiment);
  tutti_experiment_free(&experiment);
  return code;
}
