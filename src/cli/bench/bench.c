/* tutti bench: measure what experiment files ask for and the store does not have yet, and compare with what was
   published. */
#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/words.h"
#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/options/selection.h"
#include "cli/output/output.h"

/* ---- one experiment: its points, its steps, its claims ---- */

/* Check the name of an experiment on a real machine: nothing simulated may have it. */
static tutti_status check_real(const struct bench_options *options, const tutti_experiment *experiment,
                               tutti_error *error)
{
  tutti_error reason;
  if (experiment->platform_line == 0 || selection_check_real(options->launch.database, experiment->platform_name,
                                                             experiment->flavor, &reason) == TUTTI_OK)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%.200s:%d: %s", experiment->path, experiment->platform_line,
                    reason.message);
}

tutti_status bench_measure(const struct bench_options *options, tutti_point_choice choice, double seconds,
                           struct bench_outcome *outcome, tutti_error *error)
{
  const tutti_run_options run = {.launch = options->place,
                                 .chunk_points = options->chunk,
                                 .choice = choice,
                                 .most_messages = program_most_messages(&options->launch, outcome->experiment->flavor),
                                 .seconds = seconds,
                                 .quiet = options->launch.quiet,
                                 .unproven = options->unverified,
                                 .keep = options->keep,
                                 .keep_going = options->keep_going};
  return program_run(&options->launch, outcome->experiment, run, &outcome->summary, error);
}

tutti_status bench_evaluate(const char *database, struct bench_outcome *outcome, tutti_error *error)
{
  const tutti_experiment *experiment = outcome->experiment;
  tutti_store *store = NULL;
  if (!outcome->claims)
    outcome->claims = tutti_xcalloc((size_t)experiment->claim_count + 1, sizeof *outcome->claims);
  /* Opened to write, it gets the tables that a store of an older version lacks. */
  tutti_status status = access(database, F_OK) != 0   ? TUTTI_OK
                        : access(database, W_OK) == 0 ? tutti_store_open(database, &store, error)
                                                      : tutti_store_open_existing(database, &store, error);
  if (status == TUTTI_OK)
    status = tutti_claims_evaluate(experiment, store, outcome->claims, &outcome->verdict, error);
  tutti_store_close(store);
  outcome->unexplained = status == TUTTI_OK ? tutti_claims_unexplained(experiment, outcome->claims) : 0;
  return status;
}

void bench_free_outcome(struct bench_outcome *outcome)
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

int bench_report_claims(const struct bench_outcome *outcome)
{
  const tutti_experiment *experiment = outcome->experiment;
  int found = outcome->unexplained;
  for (int i = 0; outcome->complete && i < experiment->claim_count; i++)
    if (outcome->claims[i].verdict == TUTTI_VERDICT_NOT_MEASURED) {
      tutti_say(stderr,
                "tutti: %s:%d: claim '%s' was not checked: all is measured, and its query finds nothing in the store\n",
                experiment->path, experiment->claims[i].line, experiment->claims[i].what);
      found++;
    }
  return found > 0 ? EXIT_FOUND : EXIT_DONE;
}

/* Measure what is missing, run the steps if that changed something, or a claim was not measured, and evaluate the
   claims. */
static tutti_status measure_and_evaluate(const struct bench_options *options, struct bench_outcome *outcome,
                                         tutti_error *error)
{
  const tutti_experiment *experiment = outcome->experiment;
  tutti_status status = check_real(options, experiment, error);
  if (status == TUTTI_OK && tutti_experiment_measures(experiment))
    status = bench_measure(options, (tutti_point_choice){.choose = NULL}, 0, outcome, error);
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

tutti_status bench_run_one(const struct bench_options *options, struct bench_outcome *outcome, tutti_error *error)
{
  double begin = tutti_clock(CLOCK_MONOTONIC);
  tutti_status status = measure_and_evaluate(options, outcome, error);
  outcome->ran = true;
  outcome->complete = status == TUTTI_OK && outcome->summary.queued == 0;
  outcome->seconds = tutti_clock(CLOCK_MONOTONIC) - begin;
  return status;
}

static void begin(void *values)
{
  ((struct bench_options *)values)->within = INFINITY;
}

/* Does the command line say anything of a sweep? */
static bool has_words(const struct bench_options *options)
{
  const tutti_experiment_words *words = &options->words;
  return words->platform || words->flavor || words->scheme || words->arrival || words->noise || words->repetitions ||
         words->launches || words->root || words->methods || words->implementation || words->segments ||
         options->ranks.count || options->sizes.count || options->written;
}

static void take_lists(struct bench_options *options)
{
  options->words.ranks_count = options->ranks.count;
  options->words.ranks = options->ranks.items;
  options->words.size_count = options->sizes.count;
  options->words.sizes = options->sizes.items;
}

static void check(void *values)
{
  struct bench_options *options = values;
  take_lists(options);
  bench_check_budget(options);
  if (options->together.jobs || options->together.groups || options->together.placements) {
    bench_check_together(options);
    return;
  }
  if (!options->all && !options->experiment)
    die("which experiment? Name an XML file or a collective, or use --all");
  const tutti_status status =
      options->all ? TUTTI_OK : collectives_parse(options->experiment, &options->words.collectives, &failure);
  bool file = options->all || (status != TUTTI_OK && access(options->experiment, F_OK) == 0);
  if (file && has_words(options))
    die("--platform, -P, -s and what else says a sweep go with collectives (bcast,allreduce), not with a file");
  if (has_words(options))
    must(status);
  const tutti_experiment_words *words = &options->words;
  if (words->flavor && words->platform && !words->engine)
    must(selection_check_real(options->launch.database, words->platform, words->flavor, &failure));
  if (options->all && options->words.orders && !options->words.engine)
    die("--orders goes with one experiment, or with --all --engine %s", TUTTI_FLAVOR_FAST);
  if (!options->all && (options->list || isfinite(options->within)))
    die("--list and --within go with --all");
}

static void read_library(void *member, const char *text)
{
  static const char *const libraries[] = {"openmpi", "mpich", "smpi"};
  char plain[TUTTI_LIBRARY_WORD];
  int library = 0;
  must(tutti_word_parse(libraries, 3, "library", tutti_library_plain(text, plain), &library, &failure));
  *(const char **)member = libraries[library];
}

/* A number of jobs, or the name of a file of them. */
static void read_jobs(void *values, const char *text)
{
  static const struct option_row number = OPTION_JOBS(struct bench_options, launch.jobs);
  struct bench_options *options = values;
  if (text[strspn(text, "+-0123456789")] == '\0')
    option_read(&number, values, text);
  else if (access(text, F_OK) == 0)
    options->together.jobs = text;
  else
    die("'%.200s' is neither a number of jobs, from 1 to 4096, nor a file of jobs: %s", text, strerror(errno));
}

static const struct option_row option_table[] = {
    OPTION_BEGIN(begin),
    OPTION_PARSE_ALL("jobs", "N|FILE", read_jobs,
                     "N: run N jobs at once; on a real machine always 1, under Slurm as many as it likes. FILE: see "
                     "below",
                     .letter = 'j', .otherwise = "processors online"),
    OPTION_ENGINE(struct bench_options, words.engine, ENGINE_OF_EXPERIMENT),
    OPTION_ORDERS(struct bench_options, words.orders),
    OPTION_TABLE(struct bench_options, launch, measuring_table),
    OPTION_MOST_MESSAGES(struct bench_options, launch),
    OPTION_FORMAT(struct bench_options, format),
    OPTION_UNVERIFIED(struct bench_options, unverified),
    OPTION_FLAG("trust", struct bench_options, trust,
                "steps may run any subcommand with any option, also those that write files and start programs"),
    OPTION_FLAG("again", struct bench_options, again,
                "run the steps of an experiment although all its claims were measured"),
    OPTION_NUMBER("chunk", "N", struct bench_options, chunk, "give a job at most N points", .min = 1, .max = 1000000000,
                  .otherwise = "250"),
    OPTION_FLAG("keep-going", struct bench_options, keep_going, "after a job that failed at a point measure the others",
                .letter = 'k'),
    OPTION_FLAG("keep-files", struct bench_options, keep, "keep the files of the jobs in FILE.work until the next run",
                .aliases = "keep"),
    OPTION_HEADING("A sweep of collectives, instead of a file:"),
    OPTION_STRING("platform", "NAME|FILE", struct bench_options, words.platform,
                  "the platform; with --flavor the name of the real machine"),
    OPTION_PARSE("flavor", "mpich|openmpi", struct bench_options, words.flavor, option_flavor,
                 "on this real machine, by this library", .otherwise = "simulated"),
    OPTION_NUMBERS("ranks", struct bench_options, ranks, tutti_experiment_parse_rank_count, "numbers of ranks",
                   .letter = 'P'),
    OPTION_NUMBERS("size", struct bench_options, sizes, tutti_size_parse,
                   "bytes of the message, or of one rank's block: 4..1MB*4", .letter = 's'),
    OPTION_TABLE(struct bench_options, words, sweep_table),
    OPTION_PARSE("of", "openmpi|mpich|smpi", struct bench_options, words.implementation, read_library,
                 "all algorithms that this library can be told to run, and what it chooses itself"),
    OPTION_NUMBER("root", "RANK", struct bench_options, words.root, "root of the operations that have one"),
    OPTION_STRING("arrival", "PATTERNS", struct bench_options, words.arrival, "arrival patterns, separated by blanks"),
    OPTION_STRING("noise", "NOISES", struct bench_options, words.noise, "noises, likewise"),
    OPTION_NUMBER("repetitions", "N", struct bench_options, words.repetitions,
                  "most repetitions of a point on a real machine", .min = 1, .max = 1000000, .otherwise = "200"),
    OPTION_NUMBER("launches", "N", struct bench_options, words.launches,
                  "measure each point in N launches on a real machine: times differ more between launches than within "
                  "one",
                  .min = 1, .max = 1000, .otherwise = "1"),
    OPTION_STRING("write", "FILE.xml", struct bench_options, written,
                  "measure nothing: write the experiment file that says the same", .writes = WRITES_TEXT),
    OPTION_HEADING("A part of the points (docs/how-to/budget.md):"),
    OPTION_PARSE("budget", "TIME|POINTS", struct bench_options, budget, bench_read_budget,
                 "measure only the points from which decisions gain most, for 10min or 500 of them, and decide"),
    OPTION_STRING("prior", "NAME|FILE", struct bench_options, budget.prior,
                  "what is expected before is simulated on this platform",
                  .otherwise = "Hockney's model of the platform, or of some cluster"),
    OPTION_STRING("prior-db", "FILE", struct bench_options, budget.prior_store,
                  "what is expected before is what this store has, of another machine; --prior names it if there are "
                  "several"),
    OPTION_REAL("worth", "PERCENT", struct bench_options, budget.worth,
                "end when all that is left of the budget would save less of the mean time of the calls",
                .initial = "0.1", .high = 100),
    OPTION_STRING("profile", "FILE", struct bench_options, budget.profile,
                  "calls count by the time that a program spends in them: what the interposer wrote",
                  .otherwise = "all the same"),
    OPTION_FLAG("rounds-apart", struct bench_options, budget.rounds_apart,
                "methods whose ranks may get sums that differ in their last bits can be chosen, too; those that "
                "--method names always"),
    OPTION_PARSE("reproducible", "CLASS", struct bench_options, budget.reproducible, option_reproducible,
                 "of reductions only methods with this class, or several with commas, can be chosen, and not what the "
                 "library does by itself: ranks, arrival, nodes, size, aligned"),
    OPTION_STRING("rules", "FILE", struct bench_options, budget.rules,
                  "write what is decided as rules, for TUTTI_DECISION and tutti export", .writes = WRITES_TEXT),
    OPTION_STRING("output-db", "FILE", struct bench_options, budget.store,
                  "put the times of all points, measured or expected, into a store, of the flavor \"model\": for tutti "
                  "map, learn and what else reads maps",
                  .writes = WRITES_STORE),
    OPTION_HEADING("Several things at once, simulated: --groups, or --jobs FILE (docs/how-to/interference.md):"),
    OPTION_PARSE("groups", "GxN", struct bench_options, together, bench_read_groups,
                 "G groups of N ranks each call at the same time, alone and together; nothing is stored"),
    OPTION_STRING("placement", "LIST", struct bench_options, together.placements,
                  "where the groups are, or the jobs of --jobs FILE: packed, round-robin, random/seed=1; one after the "
                  "other",
                  .otherwise = "packed, or as the file says"),
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
    ARGUMENT_STRING("EXPERIMENT|COLLECTIVE,...", struct bench_options, experiment, .optional = true),
    OPTION_CHECK(check),
    OPTION_END};

/* Why all is measured anew, where the platform file was edited. */
static void note_older(const char *database, const tutti_experiment *experiment)
{
  struct selection_options selected = {.database = database};
  if (experiment->platform_path && experiment->sweep_count > 0 &&
      selection_read_platform(&selected, experiment->platform_path, NULL) == TUTTI_OK)
    selection_note_older(&selected, TUTTI_ENTRY_MEASUREMENTS,
                         experiment->sweep_count == 1 ? experiment->sweeps[0].collective : TUTTI_COLL_COUNT);
}

/* Who did not ask for SMPI may not know that there is another way, and waits for many ranks. */
static void note_engine(const struct bench_options *options, const tutti_experiment *experiment)
{
  enum { MANY_RANKS = 1024 };
  const tutti_experiment_words *words = &options->words;
  if (words->platform && !words->flavor && !words->engine && !options->launch.quiet && words->ranks_count > 0 &&
      words->ranks[words->ranks_count - 1] >= MANY_RANKS &&
      tutti_experiment_suits_engine(experiment, TUTTI_FLAVOR_FAST))
    tutti_say(stderr,
              "tutti: simulated by SMPI; --engine %s takes a small part of the time (docs/explanation/engine.md)\n",
              TUTTI_FLAVOR_FAST);
}

static void run_experiment(const struct bench_options *options, struct bench_outcome *outcome)
{
  const tutti_experiment *experiment = outcome->experiment;
  const tutti_run_summary *summary = &outcome->summary;
  const tutti_status status = bench_run_one(options, outcome, &failure);
  bool measures = tutti_experiment_measures(experiment) && options->format == TUTTI_FORMAT_TEXT;
  if (measures && (status == TUTTI_OK || summary->measured || summary->recovered || summary->queued))
    bench_print_summary(experiment, options->launch.database, summary);
  if (measures && !options->words.scheme && tutti_experiment_words_scheme(&options->words))
    tutti_say(stdout, "%s: scheme window, as with more than %d ranks by --engine %s; --scheme occ takes longer\n",
              experiment->name, TUTTI_OCC_RANKS_MAX, options->words.engine);
  if (summary->measured && !options->launch.quiet)
    note_older(options->launch.database, experiment);
  failure_signal = summary->signal;
  must(status);
  bench_print_claims(outcome, options->format);
}

static int write_words(const struct bench_options *options)
{
  struct tutti_output output;
  output_begin(options->written, &output);
  must(tutti_experiment_write_words(&options->words, output.stream, &failure));
  output_end(&output);
  return EXIT_DONE;
}

static int run(void *values)
{
  const struct bench_options *options = values;
  if (options->together.groups || options->together.jobs)
    return bench_run_together(options);
  if (options->all)
    return bench_run_folder(options);
  tutti_experiment experiment;
  if (options->written)
    return write_words(options);
  experiment_argument_read(options->experiment, &options->words, &experiment);
  struct bench_outcome outcome = {.experiment = &experiment};
  note_engine(options, &experiment);
  const bool part = bench_has_budget(options);
  if (!part)
    run_experiment(options, &outcome);
  const int code = part ? bench_run_budget(options, &experiment) : bench_report_claims(&outcome);
  bench_free_outcome(&outcome);
  tutti_experiment_free(&experiment);
  return code;
}

DEFINE_COMMAND(bench, "bench", option_table, struct bench_options, run);
