/* tutti bench: measure what experiment files ask for and the store does not have yet, and compare with what was
 * published. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/bench/report_claims.h"
#include "cli/command.h"
#include "cli/options/launch_options.h"
#include "cli/output/progress.h"

enum { OPTION_KEEP = OPTION_BENCH, OPTION_CHUNK, OPTION_ALL, OPTION_WITHIN, OPTION_LIST, OPTION_AGAIN, OPTION_JSON };

static const struct argp_option option_table[] = {
    {"jobs", 'j', "N", 0,
     "Run N jobs at once (default: processors online; on a real machine always 1; under Slurm as many as it likes)", 0},
    {"db", OPTION_DB, "FILE", 0, "The store (default: results.db)", 0},
    {"quiet", 'q', NULL, 0, "Show no progress", 0},
    {"json", OPTION_JSON, NULL, 0, "Print JSON", 0},
    {"again", OPTION_AGAIN, NULL, 0, "Run the steps of an experiment although all its claims were measured", 0},
    {"program", OPTION_PROGRAM, "PATH", 0,
     "The measuring program (tutti-bench, tutti-group, tutti-sort, tutti-range) of the experiment's flavour", 0},
    {"build-dir", OPTION_BUILD_DIR, "DIR", 0, "Look for the measuring program in DIR/smpi, DIR/mpich, DIR/openmpi", 0},
    {"chunk", OPTION_CHUNK, "N", 0, "Give a job at most N points (default: 250)", 0},
    {"keep", OPTION_KEEP, NULL, 0, "Keep the files of the jobs in FILE.work until the next run", 0},
    {.doc = "All experiments of a folder:", .group = 1},
    {"all", OPTION_ALL, NULL, 0,
     "Run every *.xml of DIR (default: TUTTI_EXPERIMENTS, ./experiments, the one beside this program), those that take "
     "least time first",
     1},
    {"within", OPTION_WITHIN, "TIME", 0, "Only as many of them as take so long together: 30s, 10min, 2h", 1},
    {"list", OPTION_LIST, NULL, 0, "Run nothing: list them with the verdicts that the store has", 1},
    {NULL, 0, NULL, 0, NULL, 0}};

static double parse_within(struct argp_state *state, const char *text)
{
  double seconds;
  if (!tutti_duration_parse(text, &seconds))
    argp_error(state, "--within: '%s' is no time such as 30s, 10min or 1.5h", text);
  return seconds;
}

static void check(struct argp_state *state, const struct bench_options *options)
{
  if (!options->all && !options->experiment)
    argp_error(state, "which experiment? Name an XML file, or --all");
  if (!options->all && (options->list || isfinite(options->within)))
    argp_error(state, "--list and --within go with --all");
}

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
  case OPTION_ALL:
    options->all = true;
    return 0;
  case OPTION_WITHIN:
    options->within = parse_within(state, argument);
    return 0;
  case OPTION_LIST:
    options->list = true;
    return 0;
  case OPTION_AGAIN:
    options->again = true;
    return 0;
  case OPTION_JSON:
    options->json = true;
    return 0;
  case ARGP_KEY_ARG:
    if (options->experiment)
      argp_error(state, "one experiment at a time: '%s' is one too many", argument);
    options->experiment = argument;
    return 0;
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &options->place;
    return 0;
  case ARGP_KEY_SUCCESS:
    check(state, options);
    return 0;
  default:
    return program_parse(key, argument, state, &options->launch);
  }
}

static const struct argp_child children[] = {{&launch_argp, 0, "Where the jobs run (docs/how-to/clusters.md):", 2},
                                             {0}};

static const struct argp bench_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "EXPERIMENT.xml\n--all [DIR]",
    .children = children,
    .doc =
        "Measure the points of an experiment that are not in the store yet, simulated or real; then run its steps, "
        "and set what it claims beside what was measured.\v"
        "Interrupt it at any time: what was measured is stored, and the same command measures the rest. Exit status: "
        "0 done, 1 a claim does not hold although the experiment does not say so, 2 wrong usage or bad input."};

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
  struct bench_outcome outcome = {.experiment = experiment};
  const tutti_run_summary *summary = &outcome.summary;
  tutti_error error = {0};
  tutti_status status = bench_run(options, &outcome, &error);
  bool measures = tutti_experiment_measures(experiment) && !options->json;
  if (measures && (status == TUTTI_OK || summary->measured || summary->recovered || summary->queued))
    print_summary(experiment, options->launch.database, summary);
  if (status == TUTTI_OK && options->json)
    report_claims_print_json(&outcome);
  else if (status == TUTTI_OK)
    report_claims_print(&outcome);
  int code = outcome.unexplained > 0 ? EXIT_FOUND : EXIT_DONE;
  bench_outcome_free(&outcome);
  if (status == TUTTI_OK)
    return code;
  complain(&error);
  return summary->signal ? 128 + summary->signal : EXIT_USAGE;
}

static int bench_main(int argc, char **argv)
{
  struct bench_options options = {.launch = {.database = "results.db"}, .within = INFINITY};
  parse_options(&bench_argp, argc, argv, &options);
  if (options.all)
    return bench_all(&options);
  tutti_experiment experiment;
  tutti_error error = {0};
  if (tutti_experiment_read(options.experiment, &experiment, &error) != TUTTI_OK)
    return complain(&error);
  int code = run_experiment(&options, &experiment);
  tutti_experiment_free(&experiment);
  return code;
}

const struct command command_bench = {
    .name = "bench",
    .summary = "measure the points of an experiment that are still missing",
    .main = bench_main,
};
