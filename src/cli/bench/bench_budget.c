/* tutti bench --budget: a sweep of which only the points are measured that decisions need. */
#include <math.h>

#include "base/clock.h"
#include "base/output.h"
#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/output/output.h"
#include "decision/tuning/tuning.h"
#include "harness/experiments/calibrate/budget.h"

void bench_read_budget(void *values, const char *text)
{
  struct bench_budget *budget = values;
  const char *digits = text + strspn(text, "0123456789");
  budget->points = 0;
  budget->seconds = 0;
  if (*digits == '\0' && digits > text && strlen(text) <= 9)
    budget->points = strtoul(text, NULL, 10);
  else if (!tutti_duration_parse(text, &budget->seconds))
    budget->seconds = 0;
  if (budget->points == 0 && !(budget->seconds > 0))
    die("'%.100s' is neither a time such as 10min or 2h, nor a number of points from 1 to 999999999", text);
}

bool bench_has_budget(const struct bench_options *options)
{
  return options->budget.points > 0 || options->budget.seconds > 0;
}

void bench_check_budget(const struct bench_options *options)
{
  const struct bench_budget *budget = &options->budget;
  const bool given = bench_has_budget(options);
  if (!given && (budget->prior || budget->prior_store || budget->profile || budget->rules || budget->store ||
                 budget->rounds_apart || budget->reproducible))
    die("--prior, --prior-db, --profile, --rounds-apart, --reproducible, --rules and --output-db go with --budget");
  if (given && (options->all || options->written || options->place.submit_only))
    die("--budget chooses points by what is measured: not with --all, --write or --submit-only");
}

/* The first pattern of a sweep; without one `none`. @{ */
static tutti_arrival arrival_of(const tutti_sweep *sweep)
{
  return sweep->patterns.arrival_count > 0 ? sweep->patterns.arrivals[0] : (tutti_arrival){0};
}

static tutti_noise noise_of(const tutti_sweep *sweep)
{
  return sweep->patterns.noise_count > 0 ? sweep->patterns.noises[0] : (tutti_noise){0};
}
/* @} */

/* What two sweeps differ in that rules do not tell apart; NULL: nothing. */
static const char *difference(const tutti_sweep *left, const tutti_sweep *right)
{
  const tutti_arrival arrivals[] = {arrival_of(left), arrival_of(right)};
  const tutti_noise noises[] = {noise_of(left), noise_of(right)};
  if (tutti_arrival_compare(&arrivals[0], &arrivals[1]) != 0)
    return "arrival patterns";
  if (tutti_noise_compare(&noises[0], &noises[1]) != 0)
    return "noises";
  return left->collective == right->collective && left->root != right->root ? "roots" : NULL;
}

static void check_sweeps(const char *path, const tutti_sweep *left, const tutti_sweep *right)
{
  const char *what = difference(left, right);
  if (what)
    die("%s: its sweeps of %s and %s have different %s: --budget decides by collective, ranks and bytes alone", path,
        tutti_collective_name(left->collective), tutti_collective_name(right->collective), what);
}

static void check_experiment(const tutti_experiment *experiment)
{
  if (experiment->sweep_count == 0)
    die("%s: --budget is for sweeps of collectives", experiment->path);
  for (int s = 0; s < experiment->sweep_count; s++) {
    const tutti_sweep *sweep = &experiment->sweeps[s];
    if (sweep->patterns.arrival_count > 1 || sweep->patterns.noise_count > 1)
      die("%s: --budget decides for one arrival pattern and noise", experiment->path);
    for (int other = 0; other < s; other++)
      check_sweeps(experiment->path, &experiment->sweeps[other], sweep);
  }
}

/* ---- calls of a profile as weights ---- */

/* How far apart, in doublings of ranks and bytes. */
static double distance(const tutti_point *call, const struct profile_calls *calls)
{
  return fabs(log2((double)call->ranks / fmax(1, calls->ranks))) +
         fabs(log2((double)(call->count * call->type_size + 1) / (double)(calls->size + 1)));
}

/* Each call of the program counts for the nearest one of its collective, with all its seconds. The mean of the weights
   [calls], which are owned by the caller, is 1. */
static double *weigh(const char *path, const struct program_profile *profile, const tutti_point *calls, size_t count)
{
  double *weights = tutti_xcalloc(count + 1, sizeof *weights), sum = 0;
  for (size_t i = 0; i < profile->items.count; i++) {
    const struct profile_calls *item = &profile->items.items[i];
    size_t nearest = count;
    for (size_t c = 0; c < count; c++)
      if (calls[c].method.algorithm->collective == item->collective &&
          (nearest == count || distance(&calls[c], item) < distance(&calls[nearest], item)))
        nearest = c;
    if (nearest == count)
      continue;
    weights[nearest] += item->total;
    sum += item->total;
  }
  if (!(sum > 0))
    die("%s: the program calls no collective of the sweep", path);
  for (size_t c = 0; c < count; c++)
    weights[c] *= (double)count / sum;
  return weights;
}

static double *read_weights(const char *path, const struct budget *budget)
{
  struct program_profile profile;
  must(tutti_profile_read(path, &profile, &failure));
  double *weights = weigh(path, &profile, budget->samples, budget->rows.cells.count);
  tutti_profile_free(&profile);
  return weights;
}

/* ---- measuring ---- */

/* Seconds of a run at least, so that a slow machine measures something in it. */
static const double SHORTEST = 3;

/* What the choice of points needs, and how long it took. */
struct bench_budget_run {
  const struct bench_options *options;
  struct budget *budget;
  double choosing, measuring; /* seconds */
  size_t measured;            /* points */
  bool noted;
};

static void say_left(const struct budget *budget)
{
  const double left = tutti_budget_left(budget);
  if (budget->most_points > 0)
    tutti_say(stderr, "%.0f points left\n", left);
  else
    tutti_say(stderr, "%.0f s left\n", left);
}

static void say_state(const struct bench_options *options, const struct budget *budget)
{
  if (options->launch.quiet)
    return;
  tutti_say(stderr, "tutti: %zu of %zu points measured, %zu of %zu calls decided, expected loss %.1f %%, ",
            budget->known, budget->rows.count, budget->calls - budget->undecided, budget->calls, 100 * budget->loss);
  say_left(budget);
}

/* Tell how far it is before each batch. */
static tutti_status choose(void *context, const tutti_point *points, const tutti_measurement *const *measured,
                           size_t count, const char *library, bool *wanted, tutti_error *error)
{
  struct bench_budget_run *run = context;
  const double begun = tutti_clock(CLOCK_MONOTONIC);
  const tutti_status status = tutti_budget_choose(run->budget, points, measured, count, library, wanted, error);
  run->choosing += tutti_clock(CLOCK_MONOTONIC) - begun;
  if (status == TUTTI_OK)
    say_state(run->options, run->budget);
  return status;
}

/* An engine may simulate all points in less time than it takes to choose some. */
static void note_cheap(struct bench_budget_run *run)
{
  const size_t all = run->budget->rows.count;
  const double seconds = run->measuring / (double)run->measured * (double)all;
  if (run->noted || run->options->launch.quiet || !run->budget->experiment->platform_path ||
      !(run->choosing > 2 * seconds))
    return;
  run->noted = true;
  tutti_say(stderr,
            "tutti: note: to choose points took longer so far than all %zu would take, about %.1f s: the same command "
            "without --budget measures all of them\n",
            all, seconds);
}

/* A batch. */
static void measure_some(struct bench_budget_run *run, tutti_experiment *experiment, tutti_point_choice choice)
{
  /* twice what the batch should take, but for starts */
  const double most = run->budget->most_points > 0 ? 0 : fmax(SHORTEST, tutti_budget_left(run->budget) / 3);
  const double begun = tutti_clock(CLOCK_MONOTONIC), chosen = run->choosing;
  struct bench_outcome outcome = {.experiment = experiment};
  const tutti_status status = bench_measure(run->options, choice, most, &outcome, &failure);
  failure_signal = outcome.summary.signal;
  must(status);
  run->measuring += tutti_clock(CLOCK_MONOTONIC) - begun - (run->choosing - chosen);
  run->measured += (size_t)outcome.summary.measured;
  note_cheap(run);
}

/* ---- prior times ---- */

static void show_prior(double share)
{
  patience_at("simulate prior times", share);
}

static void open_simulated(const struct bench_options *options, tutti_experiment *experiment, struct budget *budget)
{
  tutti_platform platform;
  struct simulation_request request = {.tolerance = TUTTI_FLOW_TOLERANCE,
                                       .all = true,
                                       .most_messages = 100000,
                                       .model_large = true,
                                       .progress = show_prior};
  must(platform_load(options->budget.prior, &platform, &failure));
  request.platform_path = platform.path;
  must(tutti_budget_open(budget, experiment, &(struct budget_prior){.simulated = &request}, &failure));
  patience_at(NULL, 1);
  tutti_platform_free(&platform);
}

/* What a store has, of the platform that is named or of its only one. */
static void open_measured(const struct bench_options *options, tutti_experiment *experiment, struct budget *budget)
{
  tutti_measurement *all = NULL;
  size_t count = 0;
  tutti_store *store = store_open_existing(options->budget.prior_store);
  for (int s = 0; s < experiment->sweep_count; s++) {
    tutti_measurement *some = NULL;
    size_t more = 0;
    const tutti_selection selection = {
        .platform = options->budget.prior, .collective = experiment->sweeps[s].collective, .scheme = -1};
    must(tutti_store_read(store, &selection, &some, &more, &failure));
    all = tutti_xrealloc(all, (count + more + 1) * sizeof *all);
    memcpy(&all[count], some, more * sizeof *all);
    count += more;
    free(some);
  }
  store_close(store);
  if (count == 0)
    die("%s: nothing is measured of these collectives%s%s", options->budget.prior_store,
        options->budget.prior ? " on " : "", options->budget.prior ? options->budget.prior : "");
  must(tutti_budget_open(budget, experiment, &(struct budget_prior){.measured = all, .count = count}, &failure));
  free(all);
}

static void open_budget(const struct bench_options *options, tutti_experiment *experiment, struct budget *budget)
{
  if (options->budget.prior_store)
    open_measured(options, experiment, budget);
  else if (options->budget.prior)
    open_simulated(options, experiment, budget);
  else
    must(tutti_budget_open(budget, experiment, &(struct budget_prior){.count = 0}, &failure));
}

/* ---- all ---- */

int bench_run_budget(const struct bench_options *options, tutti_experiment *experiment)
{
  struct budget budget = {.most_points = options->budget.points,
                          .most_seconds = options->budget.seconds,
                          .worth = options->budget.worth / 100,
                          .confidence = EVIDENCE_CONFIDENCE,
                          .rounds_apart = options->budget.rounds_apart || options->words.methods,
                          .reproducible = options->budget.reproducible};
  double *weights = NULL;
  check_experiment(experiment);
  if (options->budget.rules)
    must(tutti_output_test(options->budget.rules, &failure));
  open_budget(options, experiment, &budget);
  if (options->budget.profile)
    budget.weights = weights = read_weights(options->budget.profile, &budget);
  if (budget.apart > 0)
    tutti_say(stderr, "tutti: note: %zu point%s left out of methods of which " ROUNDS_APART ": --rounds-apart\n",
              budget.apart, tutti_plural(budget.apart));
  struct bench_budget_run run = {.options = options, .budget = &budget};
  for (tutti_point_choice choice = {.choose = choose, .context = &run}; budget.end == BUDGET_GOES_ON;
       choice.follows = true)
    measure_some(&run, experiment, choice);
  if (tutti_reproducible_of_choice(budget.reproducible) != budget.reproducible)
    tutti_budget_keep_trees(&budget);
  bench_report_budget(options, &budget);
  tutti_budget_close(&budget);
  free(weights);
  return EXIT_DONE;
}
