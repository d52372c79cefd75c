/* tutti bench: measure what experiment files ask for and the store does not have yet, and compare with what was
   published. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/output/output.h"

/* ---- one experiment: its points, its steps, its claims ---- */

static tutti_status measure(const struct bench_options *options, struct bench_outcome *outcome, tutti_error *error)
{
  const tutti_experiment *experiment = outcome->experiment;
  struct progress_display display = progress_display_open(options->launch.quiet);
  const char *name = tutti_experiment_program(experiment);
  char *program = program_find(&options->launch, experiment->flavor, name);
  tutti_run_options run = {.database = options->launch.database,
                           .program = program,
                           .launch = options->place,
                           .jobs = options->place.slurm ? options->launch.jobs : program_jobs(&options->launch),
                           .chunk_points = options->chunk,
                           .keep = options->keep,
                           .job_timeout = options->launch.job_timeout,
                           .report = progress_display_show,
                           .context = &display};
  tutti_status status = tutti_experiment_run(experiment, &run, &outcome->summary, error);
  free(program);
  progress_display_close(&display);
  return status;
}

/* Ask the store of @p database, which need not exist, about the claims of outcome->experiment. */
static tutti_status evaluate(const char *database, struct bench_outcome *outcome, tutti_error *error)
{
  const tutti_experiment *experiment = outcome->experiment;
  tutti_store *store = NULL;
  if (!outcome->claims)
    outcome->claims = tutti_xcalloc((size_t)experiment->claim_count + 1, sizeof *outcome->claims);
  /* Opened to write, it gets the tables that a store of an older version lacks. */
  tutti_status status = access(database, F_OK) == 0 ? tutti_store_open(database, &store, error) : TUTTI_OK;
  if (status == TUTTI_OK)
    status = tutti_claims_evaluate(experiment, store, outcome->claims, &outcome->verdict, error);
  tutti_store_close(store);
  outcome->unexplained = status == TUTTI_OK ? tutti_claims_unexplained(experiment, outcome->claims) : 0;
  return status;
}

static void free_outcome(struct bench_outcome *outcome)
{
  free(outcome->claims);
  outcome->claims = NULL;
}

static bool has_unmeasured(const struct bench_outcome *outcome)
{
  bool unmeasured = outcome->experiment->claim_count == 0;
  for (int i = 0; i < outcome->experiment->claim_count; i++)
    unmeasured = unmeasured || outcome->claims[i].verdict == TUTTI_VERDICT_NOT_MEASURED;
  return unmeasured;
}

/* Measure what is missing, run the steps if that changed something, or a claim was not measured, and evaluate the
   claims. */
static tutti_status measure_and_evaluate(const struct bench_options *options, struct bench_outcome *outcome,
                                         tutti_error *error)
{
  const tutti_experiment *experiment = outcome->experiment;
  tutti_status status = tutti_experiment_measures(experiment) ? measure(options, outcome, error) : TUTTI_OK;
  if (status == TUTTI_OK)
    status = evaluate(options->launch.database, outcome, error);
  bool wanted =
      experiment->step_count > 0 && (options->again || outcome->summary.measured + outcome->summary.recovered > 0);
  if (status != TUTTI_OK || outcome->summary.queued > 0 ||
      !(wanted || (experiment->step_count > 0 && has_unmeasured(outcome))))
    return status;
  status = bench_run_steps(options, experiment, error);
  return status == TUTTI_OK ? evaluate(options->launch.database, outcome, error) : status;
}

static tutti_status run_one(const struct bench_options *options, struct bench_outcome *outcome, tutti_error *error)
{
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  tutti_status status = measure_and_evaluate(options, outcome, error);
  clock_gettime(CLOCK_MONOTONIC, &end);
  outcome->ran = true;
  outcome->seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
  return status;
}

/* ---- all experiments of a folder ---- */

/* As many from the first on as fit; those that do not say their time do not fit. */
static void choose(struct bench_outcome *outcomes, int count, double within)
{
  double total = 0;
  for (int i = 0; i < count; i++) {
    total += isnan(outcomes[i].experiment->takes) ? INFINITY : outcomes[i].experiment->takes;
    outcomes[i].chosen = total <= within;
  }
}

/* A failure of one experiment is reported at once, and the others still run; after a signal they do not. */
static bool run_all(const struct bench_options *options, struct bench_outcome *outcomes, int count)
{
  bool failed = false;
  for (int i = 0; i < count; i++) {
    tutti_error error = {0};
    if (!outcomes[i].chosen)
      continue;
    if (!options->launch.quiet)
      fprintf(stderr, "%s\n", outcomes[i].experiment->name);
    if (run_one(options, &outcomes[i], &error) == TUTTI_OK)
      continue;
    complain(&error);
    failed = true;
    if (outcomes[i].summary.signal)
      break;
  }
  return failed;
}

static int signal_of(const struct bench_outcome *outcomes, int count)
{
  for (int i = 0; i < count; i++)
    if (outcomes[i].summary.signal)
      return outcomes[i].summary.signal;
  return 0;
}

/* Experiments whose claims cannot be evaluated are reported, and count as not measured. */
static bool evaluate_all(const struct bench_options *options, struct bench_outcome *outcomes, int count)
{
  bool failed = false;
  for (int i = 0; i < count; i++) {
    tutti_error error = {0};
    if (evaluate(options->launch.database, &outcomes[i], &error) == TUTTI_OK)
      continue;
    complain(&error);
    failed = true;
  }
  return failed;
}

static int finish(const struct bench_options *options, const struct bench_outcome *outcomes, int count, bool failed)
{
  int unexplained = 0, number = signal_of(outcomes, count);
  tutti_error error;
  if (bench_print_experiments(outcomes, count, options->format, &error) != TUTTI_OK)
    return complain(&error);
  for (int i = 0; i < count; i++)
    unexplained += outcomes[i].unexplained;
  if (number)
    return 128 + number;
  return failed ? EXIT_USAGE : unexplained > 0 ? EXIT_FOUND : EXIT_DONE;
}

static int run_chosen(const struct bench_options *options, struct bench_outcome *outcomes, int count)
{
  bool failed = false;
  tutti_error error;
  choose(outcomes, count, options->within);
  if (!options->list) {
    if (options->format == TUTTI_FORMAT_TEXT && bench_print_plan(outcomes, count, &error) != TUTTI_OK)
      return complain(&error);
    fflush(stdout);
    failed = run_all(options, outcomes, count);
  }
  failed = evaluate_all(options, outcomes, count) || failed;
  return finish(options, outcomes, count, failed);
}

static int run_folder(const struct bench_options *options, const char *directory)
{
  tutti_experiment *experiments;
  tutti_error error = {0};
  int count;
  if (tutti_experiments_read(directory, &experiments, &count, &error) != TUTTI_OK)
    return complain(&error);
  struct bench_outcome *outcomes = tutti_xcalloc((size_t)count, sizeof *outcomes);
  for (int i = 0; i < count; i++)
    outcomes[i].experiment = &experiments[i];
  int code = run_chosen(options, outcomes, count);
  for (int i = 0; i < count; i++)
    free_outcome(&outcomes[i]);
  free(outcomes);
  tutti_experiments_free(experiments, count);
  return code;
}

static int run_all_of_folder(const struct bench_options *options)
{
  char *directory = NULL;
  tutti_error error = {0};
  if (!options->experiment && tutti_experiments_find(&directory, &error) != TUTTI_OK)
    return complain(&error);
  int code = run_folder(options, options->experiment ? options->experiment : directory);
  free(directory);
  return code;
}

/* ---- the command ---- */

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
    OPTION_FLAG("trust", struct bench_options, trust,
                "steps may run any subcommand with any option, also those that write files and start programs"),
    OPTION_FLAG("again", struct bench_options, again,
                "run the steps of an experiment although all its claims were measured"),
    OPTION_PROGRAM(struct bench_options, launch.program),
    OPTION_BUILD_DIR(struct bench_options, launch.build_dir),
    OPTION_NUMBER("chunk", "N", struct bench_options, chunk, "give a job at most N points", .min = 1, .max = 1000000000,
                  .otherwise = "250"),
    OPTION_FLAG("keep-files", struct bench_options, keep, "keep the files of the jobs in FILE.work until the next run",
                .aliases = "keep"),
    OPTION_JOB_TIMEOUT(struct bench_options, launch.job_timeout),
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
  tutti_status status = run_one(options, &outcome, &error);
  bool measures = tutti_experiment_measures(experiment) && options->format == TUTTI_FORMAT_TEXT;
  if (measures && (status == TUTTI_OK || summary->measured || summary->recovered || summary->queued))
    print_summary(experiment, options->launch.database, summary);
  if (status == TUTTI_OK)
    status = bench_print_claims(&outcome, options->format, &error);
  int code = outcome.unexplained > 0 ? EXIT_FOUND : EXIT_DONE;
  free_outcome(&outcome);
  if (status == TUTTI_OK)
    return code;
  complain(&error);
  return summary->signal ? 128 + summary->signal : EXIT_USAGE;
}

static int run(void *values)
{
  const struct bench_options *options = values;
  if (options->all)
    return run_all_of_folder(options);
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
