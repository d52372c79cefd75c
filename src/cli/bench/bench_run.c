/* One experiment: its points, its steps, its claims. */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/bench/bench.h"
#include "cli/output/progress.h"

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
                           .report = progress_display_show,
                           .context = &display};
  tutti_status status = tutti_experiment_run(experiment, &run, &outcome->summary, error);
  free(program);
  progress_display_close(&display);
  return status;
}

tutti_status bench_evaluate(const char *database, struct bench_outcome *outcome, tutti_error *error)
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

void bench_outcome_free(struct bench_outcome *outcome)
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

static tutti_status run(const struct bench_options *options, struct bench_outcome *outcome, tutti_error *error)
{
  const tutti_experiment *experiment = outcome->experiment;
  tutti_status status = tutti_experiment_measures(experiment) ? measure(options, outcome, error) : TUTTI_OK;
  if (status == TUTTI_OK)
    status = bench_evaluate(options->launch.database, outcome, error);
  bool wanted =
      experiment->step_count > 0 && (options->again || outcome->summary.measured + outcome->summary.recovered > 0);
  if (status != TUTTI_OK || outcome->summary.queued > 0 ||
      !(wanted || (experiment->step_count > 0 && has_unmeasured(outcome))))
    return status;
  status = bench_run_steps(options, experiment, error);
  return status == TUTTI_OK ? bench_evaluate(options->launch.database, outcome, error) : status;
}

tutti_status bench_run(const struct bench_options *options, struct bench_outcome *outcome, tutti_error *error)
{
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  tutti_status status = run(options, outcome, error);
  clock_gettime(CLOCK_MONOTONIC, &end);
  outcome->ran = true;
  outcome->seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
  return status;
}
