/* The steps of a tuning. */
#include <limits.h>
#include <math.h>

#include "base/clock.h"
#include "cli/tune/tune.h"
#include "decision/results/paired.h"

/* ---- running a step ---- */

static void announce(struct tuning *tuning, const char *what, const struct subcommand *command)
{
  char *text = subcommand_text(command);
  tuning->step++;
  if (!tuning->options->quiet)
    tutti_say(stderr, "tutti tune: step %d, %s: %s%s\n", tuning->step, what, tuning->environment, text);
  free(text);
}

/* The rest of a budget. */
static double left(const struct tuning *tuning)
{
  return tuning->options->budget - (tutti_clock(CLOCK_MONOTONIC) - tuning->started);
}

/* What both ways to launch are told. */
static const char *const launch_names[] = {"build-dir",      "program",       "job-timeout",
                                           "launcher-args",  "hostfile",      "work-dir",
                                           "ranks-per-node", "oversubscribe", NULL};

static void add_launch(struct subcommand *command, const struct tuning *tuning)
{
  subcommand_add_given(command, launch_names);
  subcommand_add_option(command, "--launcher-args", tuning->binds);
  if (tuning->options->quiet)
    subcommand_add(command, "--quiet");
}

static void add_points(struct subcommand *command, const struct tuning *tuning)
{
  subcommand_add(command, "-P");
  subcommand_add(command, tuning->ranks);
  subcommand_add(command, "-s");
  subcommand_add(command, tuning->sizes);
  subcommand_add_option(command, "--platform", tuning->platform);
  subcommand_add_option(command, "--flavor", tuning->flavor);
}

/* FOLDER/NAME as the value of an option. */
static void add_path(struct subcommand *command, const struct tuning *tuning, const char *option, const char *name)
{
  char *path = tune_path(tuning, name);
  subcommand_add_option(command, option, path);
  free(path);
}

/* ---- measure and decide ---- */

/* The part of the budget that goes to methods: the choice among them, and the proof that it wins, need about the same.
 */
static const double MEASURING = 0.5;

static const char *text_of(const struct json *object, const char *key)
{
  const struct json *value = tutti_json_member_of(object, key);
  return value && value->text ? value->text : "";
}

static double real_of(const struct json *object, const char *key)
{
  double real;
  return tutti_parse_real(text_of(object, key), &real) ? real : NAN;
}

static int count_of(const struct json *object, const char *key)
{
  const double real = real_of(object, key);
  return isnan(real) ? 0 : (int)real;
}

static void count_decided(const char *path, struct tune_result *result)
{
  struct json document;
  document_read(path, &document);
  const struct json *decisions = tutti_json_member_of(&document, "decisions");
  const struct json *budget = tutti_json_member_of(&document, "budget");
  result->calls = decisions ? (int)decisions->count : 0;
  if (budget && budget->count > 0) {
    result->decided = count_of(&budget->items[0], "decided_calls");
    result->end = tutti_xstrdup(text_of(&budget->items[0], "end"));
  }
  tutti_json_free(&document);
}

static void measure(struct tuning *tuning, struct tune_result *result)
{
  static const char *const queue[] = {"launcher", "slurm-args", "profile", "reproducible", NULL};
  char *decided = tune_path(tuning, "decided.rules"), *table = tune_path(tuning, "decided.json");
  struct subcommand bench = subcommand("bench");
  struct tutti_output output;
  subcommand_add(&bench, tuning->collectives);
  add_points(&bench, tuning);
  subcommand_add_option(&bench, "--of", tuning->flavor);
  subcommand_add_format(&bench, "--budget=%.0fs", fmax(1, MEASURING * tuning->options->budget));
  add_path(&bench, tuning, "--db", "measured.db");
  add_path(&bench, tuning, "--rules", "decided.rules");
  add_path(&bench, tuning, "--output-db", "expected.db");
  subcommand_add_given(&bench, queue);
  add_launch(&bench, tuning);
  subcommand_add(&bench, "--json");
  if (!tune_has(tuning, decided)) {
    announce(tuning, "measure the library's algorithms where that gains most", &bench);
    output_begin(table, &output);
    const int code = subcommand_run_into(&bench, output.stream);
    if (code != EXIT_DONE)
      failure_end(code);
    output_end(&output);
    tune_seal(tuning, decided);
  }
  count_decided(table, result);
  subcommand_free(&bench);
  free(table);
  free(decided);
}

/* The file as what was measured promises it. */
static char *write_candidate(struct tuning *tuning)
{
  char *file = tune_file(tuning, "candidate");
  struct subcommand export = subcommand("export");
  add_path(&export, tuning, "--db", "expected.db");
  subcommand_add_option(&export, "--platform", tuning->platform);
  subcommand_add_option(&export, "--format", tuning->target->name);
  subcommand_add(&export, "--force"); /* what the file is worth the comparison says, not what is expected */
  subcommand_add_given(&export, (const char *const[]){"reproducible", NULL});
  subcommand_add_option(&export, "--output", file);
  char *decided = tune_path(tuning, "decided.rules");
  subcommand_add(&export, decided);
  if (!tune_has(tuning, file)) {
    announce(tuning, "write what the library can be told of it", &export);
    subcommand_run_silently(&export);
    tune_seal(tuning, file);
  }
  subcommand_free(&export);
  free(decided);
  return file;
}

static bool decides_anything(const char *file)
{
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (tuning_file_decides(file, (tutti_collective)c))
      return true;
  return false;
}

/* ---- compare ---- */

/* Under the queue of Slurm all rounds of a comparison need the same nodes: one allocation. */
static void add_allocation(struct subcommand *compare, const struct tuning *tuning)
{
  const tutti_launch_options *place = &tuning->options->place;
  subcommand_under(compare, "salloc");
  subcommand_under_format(compare, "--ntasks=%d", tuning->max_ranks);
  subcommand_under_format(compare, "--ntasks-per-node=%d", place->ranks_per_node ? place->ranks_per_node : 1);
  char *words = tutti_xstrdup(place->slurm_options ? place->slurm_options : ""), *rest = words, *word;
  while ((word = strsep(&rest, " ")))
    if (*word)
      subcommand_under(compare, word);
  free(words);
  subcommand_add_option(compare, "--launcher", place->command);
}

/* How often a comparison measures: so many times in a launch, in so many pairs of launches. */
struct effort {
  int repetitions, rounds;
};

static struct subcommand make_comparison(const struct tuning *tuning, const char *file, struct effort effort)
{
  static const char *const launcher[] = {"launcher", NULL};
  struct subcommand compare = subcommand("compare");
  subcommand_add(&compare, "untuned");
  subcommand_add(&compare, file);
  subcommand_add(&compare, "--between");
  add_points(&compare, tuning);
  add_path(&compare, tuning, "--db", "measured.db");
  subcommand_add_format(&compare, "--seed=%llu", (unsigned long long)tuning->options->seed);
  subcommand_add_format(&compare, "--repetitions=%d", effort.repetitions);
  subcommand_add_format(&compare, "--rounds=%d", effort.rounds);
  if (tuning->options->place.slurm)
    add_allocation(&compare, tuning);
  else
    subcommand_add_given(&compare, launcher);
  add_launch(&compare, tuning);
  return compare;
}

static void add_row(struct tune_verdict *verdict, const struct json *item)
{
  const struct tune_row row = {.collective = tutti_xstrdup(text_of(item, "collective")),
                               .points = count_of(item, "points"),
                               .won = count_of(item, "won"),
                               .lost = count_of(item, "lost"),
                               .unclear = count_of(item, "unclear"),
                               .mean = real_of(item, "mean_percent"),
                               .best = real_of(item, "min_percent"),
                               .worst = real_of(item, "max_percent")};
  tutti_xpush(verdict, row);
  verdict->points += row.points;
  verdict->won += row.won;
  verdict->lost += row.lost;
  verdict->unclear += row.unclear;
}

static void add_point(struct tune_verdict *verdict, const struct json *item)
{
  const struct tune_point point = {.collective = tutti_xstrdup(text_of(item, "collective")),
                                   .outcome = tutti_xstrdup(text_of(item, "outcome")),
                                   .ranks = count_of(item, "ranks"),
                                   .size = (uint64_t)count_of(item, "size_B"),
                                   .before = real_of(item, "before_s"),
                                   .after = real_of(item, "after_s"),
                                   .change = real_of(item, "change_percent")};
  tutti_xpush(&verdict->compared, point);
}

static struct tune_verdict read_verdict(const struct subcommand *compare, bool silent)
{
  struct tune_verdict verdict = {.points = 0};
  struct json document;
  subcommand_read(compare, silent, &document);
  const struct json *summary = tutti_json_member_of(&document, "summary");
  for (size_t i = 0; summary && i < summary->count; i++)
    add_row(&verdict, &summary->items[i]);
  const struct json *compared = tutti_json_member_of(&document, "compared");
  for (size_t i = 0; compared && i < compared->count; i++)
    add_point(&verdict, &compared->items[i]);
  tutti_json_free(&document);
  return verdict;
}

void tune_verdict_free(struct tune_verdict *verdict)
{
  for (size_t i = 0; i < verdict->count; i++)
    free(verdict->items[i].collective);
  for (size_t i = 0; i < verdict->compared.count; i++) {
    free(verdict->compared.items[i].collective);
    free(verdict->compared.items[i].outcome);
  }
  tutti_vector_free(&verdict->compared);
  tutti_vector_free(verdict);
}

static const char repetitions_name[] = "repetitions", rounds_name[] = "rounds";

enum { MOST_REPETITIONS = 200, LEAST_REPETITIONS = 20, SPARE_ROUNDS = 4, MOST_ROUNDS = 60 };

/* One round says how long the others take. Times differ more between launches than within one: where the part of the
   budget that is left for them has room, there are more rounds, and where it has not even that for the least that the
   level of the test needs, points are repeated less often within a launch. Of two comparisons, of the candidate and of
   the mended file, the first has more points. */
static struct effort choose_effort(struct tuning *tuning, const char *file)
{
  static const double FIRST = 0.6;
  struct effort effort = {tune_recall(tuning, repetitions_name), tune_recall(tuning, rounds_name)};
  if (effort.repetitions && effort.rounds)
    return effort;
  struct subcommand pilot = make_comparison(tuning, file, (struct effort){MOST_REPETITIONS, 1});
  subcommand_add(&pilot, "--json");
  const double begun = tutti_clock(CLOCK_MONOTONIC);
  struct tune_verdict verdict = read_verdict(&pilot, true);
  const double seconds = tutti_clock(CLOCK_MONOTONIC) - begun;
  const int least = verdict.points > 0 ? tutti_paired_least(verdict.points, 0.05) + SPARE_ROUNDS : 1;
  const double share = FIRST * fmax(left(tuning), 0) / fmax(least * seconds, 1e-9);
  effort.repetitions = (int)fmin(MOST_REPETITIONS, fmax(LEAST_REPETITIONS, MOST_REPETITIONS * share));
  effort.rounds = (int)fmin(MOST_ROUNDS, fmax(least, least * share));
  tune_note(tuning, repetitions_name, effort.repetitions);
  tune_note(tuning, rounds_name, effort.rounds);
  if (!tuning->options->quiet && least * seconds > fmax(60, left(tuning)))
    tutti_say(stderr, "tutti tune: %d points in %d rounds take about %.0f minutes\n", verdict.points, effort.rounds,
              ceil(least * seconds * effort.repetitions / MOST_REPETITIONS / 60));
  tune_verdict_free(&verdict);
  subcommand_free(&pilot);
  return effort;
}

/* Compare the library left alone with a file. */
static struct tune_verdict compare(struct tuning *tuning, const char *file)
{
  struct subcommand command = make_comparison(tuning, file, choose_effort(tuning, file));
  announce(tuning, "before and after in turns", &command);
  subcommand_add(&command, "--json");
  struct tune_verdict verdict = read_verdict(&command, false);
  subcommand_free(&command);
  if (!tuning->options->quiet)
    tutti_say(stderr, "tutti tune: of %d point%s %d won, %d lost, %d unclear\n", verdict.points,
              tutti_plural((uint64_t)verdict.points), verdict.won, verdict.lost, verdict.unclear);
  return verdict;
}

/* Write the file that has only what the comparison has found to be won; launches nothing. */
static void mend(struct tuning *tuning, const char *file, const char *mended)
{
  struct subcommand command = make_comparison(tuning, file, choose_effort(tuning, file));
  subcommand_add(&command, "--stored");
  subcommand_add_option(&command, "--output", mended);
  subcommand_run_silently(&command);
  subcommand_free(&command);
}

/* ---- all ---- */

enum { MENDINGS = 3 };

static void keep(const struct tuning *tuning, const char *file, struct tune_result *result)
{
  struct tutti_output output;
  char *text, *own = tune_file(tuning, "tuned");
  size_t length;
  const char *path = tuning->options->file ? tuning->options->file : own;
  must(tutti_input_read(file, TUTTI_INPUT_TEXT, &text, &length, &failure));
  output_begin(path, &output);
  fwrite(text, 1, length, output.stream);
  output_end(&output);
  result->file = realpath(path, NULL);
  result->outcome = "tuned";
  free(own);
  free(text);
}

static void leave_alone(struct tune_result *result, const char *why)
{
  result->outcome = "left alone";
  result->why = why;
}

/* The file is proven, or the library is left alone; neither: the file is to be mended. */
static void judge(const struct tuning *tuning, const char *file, struct tune_result *result)
{
  const struct tune_verdict *verdict = &result->verdict;
  if (tuning->options->reproducible)
    keep(tuning, file, result);
  else if (verdict->won == 0)
    leave_alone(result, "no other choice was found that is faster beyond the noise");
  else if (verdict->lost == 0 && (result->mended > 0 || verdict->unclear == 0))
    keep(tuning, file, result);
  else if (result->mended == MENDINGS)
    leave_alone(result, "what is faster in some launches is slower in others: no file was found that loses nothing");
}

/* Where a comparison has found points that are not won, they are taken out, and what is left is compared in new
   launches: the points that won were chosen by the first ones, luck included. */
static void prove(struct tuning *tuning, char *file, struct tune_result *result)
{
  for (;;) {
    result->verdict = compare(tuning, file);
    judge(tuning, file, result);
    if (result->outcome)
      break;
    tune_verdict_free(&result->verdict);
    char *name = tutti_xprintf("mended-%d", ++result->mended), *mended = tune_file(tuning, name);
    mend(tuning, file, mended);
    free(name);
    free(file);
    file = mended;
  }
  free(file);
}

void tune_run_steps(struct tuning *tuning, struct tune_result *result)
{
  measure(tuning, result);
  char *file = write_candidate(tuning);
  if (decides_anything(file)) {
    prove(tuning, file, result);
    return;
  }
  free(file);
  leave_alone(result, "by what was measured its own choice is the fastest everywhere, or as fast as any other");
}
