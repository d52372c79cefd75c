/* tutti bench --all: the experiments of a folder, from quick to slow. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/bench/bench.h"
#include "cli/command.h"

/* As many from the first on as fit; of those that say no time, none does. */
static void choose(struct bench_outcome *outcomes, int count, double within)
{
  double total = 0;
  for (int i = 0; i < count; i++) {
    total += isnan(outcomes[i].experiment->takes) ? INFINITY : outcomes[i].experiment->takes;
    outcomes[i].chosen = total <= within;
  }
}

/* A failure of one experiment, said at once, does not keep the others from being run; a signal does. */
static bool run_all(const struct bench_options *options, struct bench_outcome *outcomes, int count)
{
  bool failed = false;
  for (int i = 0; i < count; i++) {
    tutti_error error = {0};
    if (!outcomes[i].chosen)
      continue;
    if (!options->launch.quiet)
      fprintf(stderr, "%s\n", outcomes[i].experiment->name);
    if (bench_run(options, &outcomes[i], &error) == TUTTI_OK)
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

/* Those whose claims cannot be asked are said to be, and count as not measured. */
static bool evaluate_all(const struct bench_options *options, struct bench_outcome *outcomes, int count)
{
  bool failed = false;
  for (int i = 0; i < count; i++) {
    tutti_error error = {0};
    if (bench_evaluate(options->launch.database, &outcomes[i], &error) == TUTTI_OK)
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
  if (report_experiments(outcomes, count, options->format, &error) != TUTTI_OK)
    return complain(&error);
  for (int i = 0; i < count; i++)
    unexplained += outcomes[i].unexplained;
  if (number)
    return 128 + number;
  return failed ? EXIT_USAGE : unexplained > 0 ? EXIT_FOUND : EXIT_DONE;
}

static int run(const struct bench_options *options, struct bench_outcome *outcomes, int count)
{
  bool failed = false;
  tutti_error error;
  choose(outcomes, count, options->within);
  if (!options->list) {
    if (options->format == TUTTI_FORMAT_TEXT && report_plan(outcomes, count, &error) != TUTTI_OK)
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
  int code = run(options, outcomes, count);
  for (int i = 0; i < count; i++)
    bench_outcome_free(&outcomes[i]);
  free(outcomes);
  tutti_experiments_free(experiments, count);
  return code;
}

int bench_all(const struct bench_options *options)
{
  char *directory = NULL;
  tutti_error error = {0};
  if (!options->experiment && tutti_experiments_find(&directory, &error) != TUTTI_OK)
    return complain(&error);
  int code = run_folder(options, options->experiment ? options->experiment : directory);
  free(directory);
  return code;
}
