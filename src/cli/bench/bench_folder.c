/* tutti bench --all: the experiments of a folder, one after the other. */
#include <math.h>

#include "cli/bench/bench.h"
#include "cli/command.h"

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
      tutti_say(stderr, "%s\n", outcomes[i].experiment->name);
    if (bench_run_one(options, &outcomes[i], &error) == TUTTI_OK)
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
    if (bench_evaluate(options->launch.database, &outcomes[i], &error) == TUTTI_OK)
      continue;
    complain(&error);
    failed = true;
  }
  return failed;
}

static int finish(const struct bench_options *options, const struct bench_outcome *outcomes, int count, bool failed)
{
  int code = EXIT_DONE, number = signal_of(outcomes, count);
  bench_print_experiments(outcomes, count, options->format);
  for (int i = 0; i < count; i++)
    if (bench_report_claims(&outcomes[i]) == EXIT_FOUND)
      code = EXIT_FOUND;
  if (number)
    return 128 + number;
  return failed ? EXIT_USAGE : code;
}

static int run_chosen(const struct bench_options *options, struct bench_outcome *outcomes, int count)
{
  bool failed = false;
  choose(outcomes, count, options->within);
  if (!options->list) {
    if (options->format == TUTTI_FORMAT_TEXT)
      bench_print_plan(outcomes, count);
    fflush(stdout);
    failed = run_all(options, outcomes, count);
  }
  failed = evaluate_all(options, outcomes, count) || failed;
  return finish(options, outcomes, count, failed);
}

/* The engine for all that it suits. Groups are built in one order. */
static void choose_engines(const struct bench_options *options, tutti_experiment *experiments, int count)
{
  const tutti_experiment_words *words = &options->words;
  int others = 0;
  for (int i = 0; i < count; i++)
    if (!words->engine || tutti_experiment_suits_engine(&experiments[i], words->engine))
      must(tutti_experiment_choose_engine(&experiments[i], words->engine,
                                          experiments[i].group_count > 0 ? 0 : words->orders, &failure));
    else
      others += tutti_experiment_measures(&experiments[i]);
  if (others > 0 && !options->launch.quiet)
    tutti_say(stderr,
              "tutti: %d of %d experiments are measured as their files say: the engine %s does not measure all of "
              "what they ask for\n",
              others, count, words->engine);
}

static int run_folder(const struct bench_options *options, const char *directory)
{
  tutti_experiment *experiments;
  int count;
  must(tutti_experiments_read(directory, &experiments, &count, &failure));
  struct bench_outcome *outcomes = tutti_xcalloc((size_t)count, sizeof *outcomes);
  for (int i = 0; i < count; i++)
    outcomes[i].experiment = &experiments[i];
  choose_engines(options, experiments, count);
  int code = run_chosen(options, outcomes, count);
  for (int i = 0; i < count; i++)
    bench_free_outcome(&outcomes[i]);
  free(outcomes);
  tutti_experiments_free(experiments, count);
  return code;
}

int bench_run_folder(const struct bench_options *options)
{
  char *directory = NULL;
  if (!options->experiment)
    must(tutti_experiments_find(&directory, &failure));
  int code = run_folder(options, options->experiment ? options->experiment : directory);
  free(directory);
  return code;
}
