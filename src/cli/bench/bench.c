/* tutti bench: measure what experiment files ask for and the store does not have yet, and compare with what was
 * published. */
#include <math.h>
#include <stdio.h>

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/options/launch_options.h"
#include "cli/output/progress.h"

static void begin(void *values)
{
  ((struct bench_options *)values)->within = INFINITY;
}

static tutti_status check(void *values, tutti_error *error)
{
  const struct bench_options *options = values;
  if (!options->all && !options->experiment)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "which experiment? Name an XML file, or use --all");
  if (!options->all && (options->list || isfinite(options->within)))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--list and --within go with --all");
  return TUTTI_OK;
}

static const struct option_row option_table[] = {
    OPTION_BEGIN(begin),
    OPTION_NUMBER("jobs", "N", struct bench_options, launch.jobs,
                  "run N jobs at once; on a real machine always 1, under Slurm as many as it likes", .letter = 'j',
                  .min = 1, .max = 4096, .otherwise = "processors online"),
    OPTION_DB(struct bench_options, launch.database),
    OPTION_QUIET(struct bench_options, launch.quiet),
    OPTION_FORMAT(struct bench_options, format),
    OPTION_FLAG("again", struct bench_options, again,
                "run the steps of an experiment although all its claims were measured"),
    OPTION_PROGRAM(struct bench_options, launch.program),
    OPTION_BUILD_DIR(struct bench_options, launch.build_dir),
    OPTION_NUMBER("chunk", "N", struct bench_options, chunk, "give a job at most N points", .min = 1, .max = 1000000000,
                  .otherwise = "250"),
    OPTION_FLAG("keep-files", struct bench_options, keep, "keep the files of the jobs in FILE.work until the next run",
                .aliases = "keep"),
    OPTION_HEADING("All experiments of a folder:"),
    OPTION_FLAG(
        "all", struct bench_options, all,
        "run every *.xml of DIR (default: TUTTI_EXPERIMENTS, ./experiments, the one beside this program), those "
        "that take least time first"),
    OPTION_DURATION("within", struct bench_options, within,
                    "only as many of them as take so long together: 30s, 10min, 2h"),
    OPTION_FLAG("list", struct bench_options, list, "run nothing: list them with the verdicts that the store has"),
    OPTION_HEADING("Where the jobs run (docs/how-to/clusters.md):"),
    OPTION_TABLE(struct bench_options, place, launch_table),
    ARGUMENT_STRING("EXPERIMENT.xml", struct bench_options, experiment, .optional = true),
    OPTION_CHECK(check),
    OPTION_END};

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
  bool measures = tutti_experiment_measures(experiment) && options->format == TUTTI_FORMAT_TEXT;
  if (measures && (status == TUTTI_OK || summary->measured || summary->recovered || summary->queued))
    print_summary(experiment, options->launch.database, summary);
  if (status == TUTTI_OK)
    status = report_claims(&outcome, options->format, &error);
  int code = outcome.unexplained > 0 ? EXIT_FOUND : EXIT_DONE;
  bench_outcome_free(&outcome);
  if (status == TUTTI_OK)
    return code;
  complain(&error);
  return summary->signal ? 128 + summary->signal : EXIT_USAGE;
}

static int run(void *values)
{
  const struct bench_options *options = values;
  if (options->all)
    return bench_all(options);
  tutti_experiment experiment;
  tutti_error error = {0};
  if (tutti_experiment_read(options->experiment, &experiment, &error) != TUTTI_OK)
    return complain(&error);
  int code = run_experiment(options, &experiment);
  tutti_experiment_free(&experiment);
  return code;
}

const struct command command_bench = {
    .name = "bench",
    .summary = "measure the points of an experiment that are still missing",
    .arguments = "EXPERIMENT.xml\n--all [DIR]",
    .help = "Measure the points of an experiment that are not in the store yet, simulated or real; then run its steps, "
            "and show what it claims beside what was measured.",
    .notes = "Interrupt it at any time: what was measured is stored, and the same command measures the rest. Exit "
             "status: 0 done, 1 a claim does not hold although the experiment does not say so, 2 wrong usage or bad "
             "input.",
    .options = option_table,
    .size = sizeof(struct bench_options),
    .run = run,
};
