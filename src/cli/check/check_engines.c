/* tutti check --engines: experiments by SMPI and by the fast engine, and how far their times are apart. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/say.h"
#include "base/text.h"
#include "cli/check/check.h"
#include "cli/command.h"
#include "cli/output/output.h"
#include "decision/results/row.h"
#include "harness/experiments/job.h"

static const char *const engines[2] = {"smpi", TUTTI_FLAVOR_FAST};

/* ---- measuring ---- */

/* One order of start: that of SMPI. */
static tutti_status read_experiment(const struct check_engines_request *request, const char *name, const char *engine,
                                    tutti_experiment *experiment, tutti_error *error)
{
  tutti_experiment_words words = *request->words;
  words.engine = engine;
  if (access(name, F_OK) != 0)
    (void)option_collectives(&words.collectives, name, &(tutti_error){0}); /* it is the name of an experiment */
  tutti_status status = experiment_argument_read(name, &words, experiment, error);
  if (status != TUTTI_OK)
    return status;
  experiment->measure.orders = 1;
  return tutti_experiment_measures(experiment)
             ? TUTTI_OK
             : tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: has nothing to measure", experiment->path);
}

/* Under SMPI a point changes the order in which the ranks start in the next one of its launch: each gets its own. */
static tutti_status run(const struct check_engines_request *request, const tutti_experiment *experiment,
                        tutti_run_summary *summary, tutti_error *error)
{
  const tutti_run_options run = {.database = request->database,
                                 .transient = true,
                                 .chunk_points = strcmp(experiment->flavor, TUTTI_FLAVOR_FAST) == 0 ? 0 : 1};
  return program_run(request->launch, experiment, run, summary, error);
}

static void tally(const struct check_engines_request *request, struct check_engines *checked)
{
  for (size_t i = 0; i < checked->comparison.count; i++)
    tutti_engine_tally_add(&checked->tally, tutti_run_comparison_time(&checked->comparison, 0, i),
                           tutti_run_comparison_time(&checked->comparison, 1, i), request->tolerance);
}

tutti_status check_engines_measure(const struct check_engines_request *request, const char *name,
                                   struct check_engines *checked, int *signal, tutti_error *error)
{
  tutti_experiment experiments[2] = {{0}};
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < 2 && status == TUTTI_OK; i++)
    status = read_experiment(request, name, engines[i], &experiments[i], error);
  for (int i = 0; i < 2 && status == TUTTI_OK; i++) {
    status = run(request, &experiments[i], &checked->summaries[i], error);
    *signal = checked->summaries[i].signal;
  }
  if (status == TUTTI_OK) {
    const tutti_finished_run runs[2] = {{&experiments[0], &checked->summaries[0]},
                                        {&experiments[1], &checked->summaries[1]}};
    status = tutti_run_comparison_read(request->database, runs, true, &checked->comparison, error);
  }
  if (status == TUTTI_OK) {
    checked->name = tutti_xstrdup(experiments[0].name);
    checked->platform = tutti_xstrdup(experiments[0].platform_name);
    tally(request, checked);
  }
  tutti_experiment_free(&experiments[0]);
  tutti_experiment_free(&experiments[1]);
  return status;
}

void check_engines_free(struct check_engines *checked)
{
  free(checked->name);
  free(checked->platform);
  tutti_run_comparison_free(&checked->comparison);
}

/* ---- tables ---- */

struct experiment_row {
  const char *name, *platform;
  const char *libraries[2];
  size_t points, alone[2], beyond;
  double shares[TUTTI_ENGINE_LEVELS], percents[TUTTI_ENGINE_LEVELS];
  double largest; /* percent */
  char point[TUTTI_ROW_POINT];
};

static const tutti_column experiment_columns[] = {
    {"experiment", "experiment", TUTTI_FIELD(struct experiment_row, name)},
    {"platform", "platform", TUTTI_FIELD(struct experiment_row, platform)},
    {NULL, "before", TUTTI_FIELD(struct experiment_row, libraries[0])},
    {NULL, "after", TUTTI_FIELD(struct experiment_row, libraries[1])},
    {"points", "points", TUTTI_FIELD(struct experiment_row, points), .width = 7},
    {NULL, "only_before", TUTTI_FIELD(struct experiment_row, alone[0])},
    {NULL, "only_after", TUTTI_FIELD(struct experiment_row, alone[1])},
    {NULL, "within_1e_12_share", TUTTI_FIELD(struct experiment_row, shares[0])},
    {NULL, "within_1e_9_share", TUTTI_FIELD(struct experiment_row, shares[1])},
    {NULL, "within_1e_6_share", TUTTI_FIELD(struct experiment_row, shares[2])},
    {NULL, "within_1e_2_share", TUTTI_FIELD(struct experiment_row, shares[3])},
    {"1e-12", NULL, TUTTI_FIELD(struct experiment_row, percents[0]), .suffix = " %", .decimals = 2, .width = 8},
    {"1e-9", NULL, TUTTI_FIELD(struct experiment_row, percents[1]), .suffix = " %", .decimals = 2, .width = 8},
    {"1e-6", NULL, TUTTI_FIELD(struct experiment_row, percents[2]), .suffix = " %", .decimals = 2, .width = 8},
    {"1 %", NULL, TUTTI_FIELD(struct experiment_row, percents[3]), .suffix = " %", .decimals = 2, .width = 8},
    {"largest", "max_percent", TUTTI_FIELD(struct experiment_row, largest), .suffix = " %", .significant = 3,
     .width = 9},
    {"at", "point", TUTTI_FIELD(struct experiment_row, point), .whole = true},
    {NULL, "differing", TUTTI_FIELD(struct experiment_row, beyond)},
};

static struct experiment_row row_of(const struct check_engines *checked)
{
  const tutti_engine_tally *tally = &checked->tally;
  struct experiment_row row = {.name = checked->name,
                               .platform = checked->platform,
                               .libraries = {checked->summaries[0].library, checked->summaries[1].library},
                               .points = tally->points,
                               .alone = {checked->comparison.alone[0], checked->comparison.alone[1]},
                               .beyond = tally->beyond,
                               .largest = 100 * tally->largest};
  for (int level = 0; level < TUTTI_ENGINE_LEVELS; level++) {
    row.shares[level] = (double)tally->within[level] / (double)tally->points;
    row.percents[level] = 100 * row.shares[level];
  }
  tutti_run_comparison_format_point(&checked->comparison, tally->largest_at, row.point);
  return row;
}

struct difference_row {
  const char *experiment;
  double before, after, percent;
  char point[TUTTI_ROW_POINT];
};

static const tutti_column difference_columns[] = {
    {NULL, "experiment", TUTTI_FIELD(struct difference_row, experiment)},
    {"smpi", "before_s", CELL_MICROSECONDS(struct difference_row, before), .width = 13},
    {TUTTI_FLAVOR_FAST, "after_s", CELL_MICROSECONDS(struct difference_row, after), .width = 13},
    {"change", "change_percent", TUTTI_FIELD(struct difference_row, percent), .suffix = " %", .significant = 3,
     .width = 10},
    {"point", "point", TUTTI_FIELD(struct difference_row, point), .whole = true},
};

static tutti_status add_differences(const struct check_engines *checked, double tolerance, tutti_table *table,
                                    tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < checked->comparison.count && status == TUTTI_OK; i++) {
    struct difference_row row = {.experiment = checked->name,
                                 .before = tutti_run_comparison_time(&checked->comparison, 0, i),
                                 .after = tutti_run_comparison_time(&checked->comparison, 1, i)};
    if (tutti_engine_difference(row.before, row.after) <= tolerance)
      continue;
    row.percent = 100 * (row.after - row.before) / row.before;
    tutti_run_comparison_format_point(&checked->comparison, i, row.point);
    status = tutti_table_add(table, &row, error);
  }
  return status;
}

/* ---- printing ---- */

static void print_alone(const struct check_engines *checked, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (checked[i].comparison.alone[0] > 0)
      tutti_say(stdout, "\n  %s: %zu point%s of methods of the library, which SMPI alone can run, are not compared.\n",
                checked[i].name, checked[i].comparison.alone[0], tutti_plural(checked[i].comparison.alone[0]));
}

static tutti_status print_text(const struct check_engines *checked, size_t count, double tolerance,
                               const tutti_table tables[2], tutti_error *error)
{
  tutti_say(stdout, "%s and %s: share of the points whose times are equal to\n\n", checked->summaries[0].library,
            checked->summaries[1].library);
  tutti_status status = tutti_table_print(&tables[0], stdout, error);
  print_alone(checked, count);
  if (status != TUTTI_OK || tables[1].row_count == 0)
    return status;
  printf("\n  Differ by more than %g %%:\n", 100 * tolerance);
  return tutti_table_print(&tables[1], stdout, error);
}

tutti_status check_engines_print(const struct check_engines *checked, size_t count, double tolerance,
                                 tutti_format format, tutti_error *error)
{
  const double percent = 100 * tolerance;
  const tutti_column facts[] = {{NULL, "tolerance_percent", .type = TUTTI_COLUMN_REAL}};
  struct experiment_row *rows = tutti_xcalloc(count, sizeof *rows);
  tutti_table tables[] = {
      {.key = "experiments", TUTTI_COLUMNS(experiment_columns), TUTTI_ROWS(rows, count), .indent = 2},
      {.key = "differences",
       TUTTI_COLUMNS(difference_columns),
       .row_size = sizeof(struct difference_row),
       .indent = 2}};
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < count && status == TUTTI_OK; i++) {
    rows[i] = row_of(&checked[i]);
    status = add_differences(&checked[i], tolerance, &tables[1], error);
  }
  const tutti_document document = {TUTTI_FACTS(facts, &percent), TUTTI_TABLES(tables)};
  if (status == TUTTI_OK)
    status = format == TUTTI_FORMAT_TEXT ? print_text(checked, count, tolerance, tables, error)
                                         : tutti_document_print(&document, format, stdout, error);
  tutti_table_free(&tables[1]);
  free(rows);
  return status;
}

/* ---- the command ---- */

/* In percent of the time, as for baselines, but for the default: a simulated clock does not tell less. */
static double engines_tolerance(const struct check_options *options)
{
  return options->tolerance_given ? options->tolerance.percent[TUTTI_ASPECT_TIME] / 100 : 1e-6;
}

static tutti_status measure_engines(const struct check_options *options, struct check_engines *checked, int *signal,
                                    tutti_error *error)
{
  struct check_scratch scratch;
  struct signals signals;
  tutti_signals_block(&signals); /* as measure_all() */
  tutti_status status = check_scratch_open(options->keep, &scratch, error);
  if (status == TUTTI_OK) {
    tutti_experiment_words words = options->words;
    words.platform = options->subjects.platform;
    words.ranks = options->subjects.ranks.items;
    words.ranks_count = options->subjects.ranks.count;
    words.sizes = options->sizes.items;
    words.size_count = options->sizes.count;
    const struct check_engines_request request = {.database = scratch.database,
                                                  .launch = &options->launch,
                                                  .words = &words,
                                                  .tolerance = engines_tolerance(options)};
    for (size_t i = 0; i < options->experiments.count && status == TUTTI_OK; i++)
      status = check_engines_measure(&request, options->experiments.items[i], &checked[i], signal, error);
    status = check_scratch_close(&scratch, options->keep, status, error);
  }
  tutti_signals_restore(&signals);
  return status;
}

int check_engines_run(const struct check_options *options)
{
  const size_t count = options->experiments.count;
  struct check_engines *checked = tutti_xcalloc(count, sizeof *checked);
  tutti_error error = {0};
  int signal = 0, code = EXIT_DONE;
  tutti_status status = measure_engines(options, checked, &signal, &error);
  if (status == TUTTI_OK)
    status = check_engines_print(checked, count, engines_tolerance(options), options->format, &error);
  if (status != TUTTI_OK)
    code = complain(&error);
  for (size_t i = 0; i < count; i++) {
    if (status == TUTTI_OK && checked[i].tally.beyond > 0)
      code = EXIT_FOUND;
    check_engines_free(&checked[i]);
  }
  free(checked);
  return signal ? 128 + signal : code;
}
