/* tutti check --engines: experiments by SMPI and by the fast engine, and how far their times are apart. */
#include <unistd.h>

#include "cli/check/check.h"
#include "cli/command.h"
#include "cli/output/output.h"
#include "decision/results/row.h"

/* The second is compared with the first. */
static const char *const *engines_of(const struct check_options *options)
{
  static const char *const exact[] = {"smpi", TUTTI_FLAVOR_FAST}, *const flow[] = {TUTTI_FLAVOR_FAST,
                                                                                   TUTTI_FLAVOR_FLOW};
  return options->engine && strcmp(options->engine, TUTTI_FLAVOR_FLOW) == 0 ? flow : exact;
}

/* ---- measuring ---- */

/* An experiment by both. */
struct both {
  char *name, *platform; /* of the experiment; owned */
  tutti_run_summary summaries[2];
  tutti_run_comparison comparison;
  tutti_engine_tally tally;
};

/* In percent of the time, as for baselines, but for the default: a simulated clock does not tell less, and of flow
   the rule of sharing is another one. */
static double tolerance_of(const struct check_options *options)
{
  if (options->tolerance_given)
    return options->tolerance.percent[TUTTI_ASPECT_TIME] / 100;
  return options->engine && strcmp(options->engine, TUTTI_FLAVOR_FLOW) == 0 ? 0.01 : 1e-6;
}

/* A file, a name or collectives; one order of start, that of SMPI. */
static void read_experiment(const struct check_options *options, const char *name, const char *engine,
                            tutti_experiment *experiment)
{
  tutti_experiment_words words = options->words;
  words.platform = options->subjects.platform;
  words.ranks = options->subjects.ranks.items;
  words.ranks_count = options->subjects.ranks.count;
  words.sizes = options->sizes.items;
  words.size_count = options->sizes.count;
  words.engine = engine;
  if (access(name, F_OK) != 0)
    (void)collectives_parse(name, &words.collectives, NULL); /* it is the name of an experiment */
  experiment_argument_read(name, &words, experiment);
  experiment->measure.orders = 1;
  if (!tutti_experiment_measures(experiment))
    die("%s: has nothing to measure", experiment->path);
}

/* Under SMPI a point changes the order in which the ranks start in the next one of its launch: each gets its own. */
static void run_engine(const struct check_options *options, const char *database, const tutti_experiment *experiment,
                       tutti_run_summary *summary)
{
  const tutti_run_options run = {
      .database = database, .transient = true, .chunk_points = tutti_flavor_is_engine(experiment->flavor) ? 0 : 1};
  program_measure(&options->launch, experiment, run, summary);
}

static void measure_both(const struct check_options *options, const char *database, const char *name, struct both *both)
{
  tutti_experiment experiments[2] = {{0}};
  for (int i = 0; i < 2; i++)
    read_experiment(options, name, engines_of(options)[i], &experiments[i]);
  for (int i = 0; i < 2; i++)
    run_engine(options, database, &experiments[i], &both->summaries[i]);
  must(tutti_run_comparison_read(database, experiments, both->summaries, true, &both->comparison, &failure));
  both->name = tutti_xstrdup(experiments[0].name);
  both->platform = tutti_xstrdup(experiments[0].platform_name);
  for (size_t i = 0; i < both->comparison.count; i++)
    tutti_engine_tally_add(&both->tally, tutti_run_comparison_time(&both->comparison, 0, i),
                           tutti_run_comparison_time(&both->comparison, 1, i), tolerance_of(options));
  tutti_experiment_free(&experiments[0]);
  tutti_experiment_free(&experiments[1]);
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

static struct experiment_row row_of(const struct both *checked)
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
    {"before", "before_s", CELL_MICROSECONDS(struct difference_row, before), .width = 13},
    {"after", "after_s", CELL_MICROSECONDS(struct difference_row, after), .width = 13},
    {"change", "change_percent", TUTTI_FIELD(struct difference_row, percent), .suffix = " %", .significant = 3,
     .width = 10},
    {"point", "point", TUTTI_FIELD(struct difference_row, point), .whole = true},
};

static void add_differences(const struct both *checked, double tolerance, tutti_table *table)
{
  for (size_t i = 0; i < checked->comparison.count; i++) {
    struct difference_row row = {.experiment = checked->name,
                                 .before = tutti_run_comparison_time(&checked->comparison, 0, i),
                                 .after = tutti_run_comparison_time(&checked->comparison, 1, i)};
    if (tutti_engine_difference(row.before, row.after) <= tolerance)
      continue;
    row.percent = 100 * (row.after - row.before) / row.before;
    tutti_run_comparison_format_point(&checked->comparison, i, row.point);
    must(tutti_table_add(table, &row, &failure));
  }
}

/* ---- printing ---- */

static void print_alone(const struct both *checked, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (checked[i].comparison.alone[0] > 0)
      tutti_say(stdout, "\n  %s: %zu point%s of methods of the library, which SMPI alone can run, are not compared.\n",
                checked[i].name, checked[i].comparison.alone[0], tutti_plural(checked[i].comparison.alone[0]));
}

static void print_text(const struct both *checked, size_t count, double tolerance, const tutti_table tables[2])
{
  tutti_say(stdout, "%s and %s: share of the points whose times are equal to\n\n", checked->summaries[0].library,
            checked->summaries[1].library);
  must(tutti_table_print(&tables[0], stdout, &failure));
  print_alone(checked, count);
  if (tables[1].row_count == 0)
    return;
  printf("\n  Differ by more than %g %%:\n", 100 * tolerance);
  must(tutti_table_print(&tables[1], stdout, &failure));
}

static void print_engines(const struct both *checked, size_t count, double tolerance, tutti_format format)
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
  for (size_t i = 0; i < count; i++) {
    rows[i] = row_of(&checked[i]);
    add_differences(&checked[i], tolerance, &tables[1]);
  }
  const tutti_document document = {TUTTI_FACTS(facts, &percent), TUTTI_TABLES(tables)};
  if (format == TUTTI_FORMAT_TEXT)
    print_text(checked, count, tolerance, tables);
  else
    must(tutti_document_print(&document, format, stdout, &failure));
  tutti_table_free(&tables[1]);
  free(rows);
}

int check_engines_run(const struct check_options *options)
{
  const size_t count = options->experiments.count;
  struct both *all = tutti_xcalloc(count, sizeof *all);
  struct check_scratch scratch;
  int code = EXIT_DONE;
  check_scratch_open(options->keep, &scratch);
  for (size_t i = 0; i < count; i++)
    measure_both(options, scratch.database, options->experiments.items[i], &all[i]);
  check_scratch_close(&scratch, options->keep);
  print_engines(all, count, tolerance_of(options), options->format);
  for (size_t i = 0; i < count; i++) {
    if (all[i].tally.beyond > 0)
      code = EXIT_FOUND;
    free(all[i].name);
    free(all[i].platform);
    tutti_run_comparison_free(&all[i].comparison);
  }
  free(all);
  return failure_signal ? 128 + failure_signal : code;
}
