/* What was won and what was lost, as tables and sentences. */
#include <math.h>

#include "cli/compare/compare.h"
#include "cli/output/output.h"

/* ---- collectives, and all of it ---- */

struct summary {
  const char *collective;
  tutti_compared_summary sum;
};

#define SUMMARY(member) TUTTI_FIELD(struct summary, sum.member)

static const tutti_column summary_columns[] = {
    {"collective", "collective", TUTTI_FIELD(struct summary, collective)},
    {"points", "points", SUMMARY(points)},
    {"won", "won", SUMMARY(won)},
    {"lost", "lost", SUMMARY(lost)},
    {"unclear", "unclear", SUMMARY(unclear)},
    {NULL, "missing", SUMMARY(unmeasured)},
    {"mean", "mean_percent", SUMMARY(mean), .unit = "%", .decimals = 1},
    {"worst", "max_percent", SUMMARY(worst), .unit = "%", .decimals = 1},
    {"best", "min_percent", SUMMARY(best), .unit = "%", .decimals = 1},
};

static tutti_compared_summary summarize(const tutti_tuning_comparison *found, tutti_collective collective, int outcome)
{
  return tutti_compared_sum(found->points, found->count, collective, outcome);
}

static int summarize_collectives(const tutti_tuning_comparison *found, struct summary summaries[TUTTI_COLL_COUNT])
{
  int count = 0;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    summaries[count].sum = summarize(found, (tutti_collective)c, -1);
    summaries[count].collective = tutti_collective_name((tutti_collective)c);
    count += summaries[count].sum.points > 0;
  }
  return count;
}

/* ---- text ---- */

static void print_outcome(const struct compare_report *report, tutti_outcome outcome, bool worst)
{
  const tutti_compared_summary summary = summarize(report->found, TUTTI_COLL_COUNT, (int)outcome);
  tutti_say(stdout, "%s: %d of %zu point%s", tutti_outcome_name(outcome), summary.points, report->found->count,
            tutti_plural(report->found->count));
  if (isfinite(summary.mean))
    tutti_say(stdout, ", mean %+.1f %%, %s %+.1f %%", summary.mean, worst ? "worst" : "best",
              worst ? summary.worst : summary.best);
  printf("\n");
}

static const char test_name[] = "signed rank test of Wilcoxon on log(after / before), two-sided, exact";

static void print_head(const struct compare_report *report)
{
  const struct compare_options *options = report->options;
  print_sentence(0, "%s against %s on %s, %s%s%s, scheme %s", options->names[0], options->names[1],
                 report->experiment->platform_name, report->experiment->flavor, *report->found->library ? ", " : "",
                 report->found->library, tutti_scheme_name(options->measure.scheme));
  print_sentence(0, "%s; %zu point%s corrected after Holm; level %g %%; %d round%s, seed %llu", test_name,
                 report->found->count, tutti_plural(report->found->count), 100 * options->level, report->found->rounds,
                 tutti_plural((uint64_t)report->found->rounds), (unsigned long long)options->seed);
  printf("\n");
}

/* True if the medians of both sides differ visibly from the change, which is estimated from pairs. */
static bool differs_from_medians(const tutti_compared_point *point)
{
  const double medians = point->after / point->before, difference = fabs(medians / point->ratio - 1);
  return difference > 0.01 || (difference > 0.001 && (medians > 1) != (point->ratio > 1));
}

void compare_explain_medians(const tutti_tuning_comparison *found)
{
  size_t differing = 0;
  for (size_t i = 0; i < found->count; i++)
    differing += found->points[i].pairs > 0 && differs_from_medians(&found->points[i]);
  if (differing > 0)
    print_sentence(0,
                   "At %zu point%s after / before differs from the change by more than 1 %%, or in its sign: before "
                   "and after are medians of all launches, each side by itself; the change is of the pairs, whose two "
                   "launches follow each other, and is the one that counts",
                   differing, tutti_plural(differing));
}

static void print_outcomes(const void *about)
{
  const struct compare_report *report = about;
  const tutti_compared_summary all = summarize(report->found, TUTTI_COLL_COUNT, -1);
  print_outcome(report, TUTTI_WON, false);
  print_outcome(report, TUTTI_LOST, true);
  print_outcome(report, TUTTI_UNCLEAR, true);
  printf("all: mean %+.1f %%, worst %+.1f %%", all.mean, all.worst);
  if (all.unmeasured > 0)
    tutti_say(stdout, "; %d point%s without a pair of positive times", all.unmeasured,
              tutti_plural((uint64_t)all.unmeasured));
  printf("\n");
}

static void print_sentences(const struct compare_report *report)
{
  const size_t unchanged = report->found->unchanged;
  if (report->found->count > 0) {
    printf("\n");
    print_outcomes(report);
    compare_explain_medians(report->found);
  }
  if (unchanged > 0)
    print_sentence(0, "%zu point%s at which the file changes nothing %s not measured (--unchanged measures %s)",
                   unchanged, tutti_plural(unchanged), unchanged == 1 ? "is" : "are", unchanged == 1 ? "it" : "them");
}

static void print_text(const struct compare_report *report, const tutti_table *tables, int count)
{
  print_head(report);
  verdict_first(report->found->count, print_outcomes, report);
  for (int i = 0; i < count && report->found->count > 0; i++) {
    if (i > 0)
      printf("\n");
    must(tutti_table_print(&tables[i], stdout, &failure));
  }
  print_sentences(report);
}

/* ---- all ---- */

struct facts {
  const char *before, *after, *platform, *flavor, *library, *scheme, *test, *correction;
  double level;
  int rounds;
  uint64_t seed, unchanged;
};

#define FACT(member) TUTTI_FIELD(struct facts, member)

static const tutti_column facts[] = {
    {NULL, "before", FACT(before)},       {NULL, "after", FACT(after)},
    {NULL, "platform", FACT(platform)},   {NULL, "flavor", FACT(flavor)},
    {NULL, "library", FACT(library)},     {NULL, "scheme", FACT(scheme)},
    {NULL, "test", FACT(test)},           {NULL, "correction", FACT(correction)},
    {NULL, "level_percent", FACT(level)}, {NULL, "rounds", FACT(rounds)},
    {NULL, "seed", FACT(seed)},           {NULL, "unchanged", FACT(unchanged)},
};

void compare_print(const struct compare_report *report)
{
  const tutti_tuning_comparison *found = report->found;
  const struct compare_options *options = report->options;
  struct summary summaries[TUTTI_COLL_COUNT];
  int summary_count = summarize_collectives(found, summaries);
  const tutti_column *launches = compare_launch_columns();
  const tutti_table tables[] = {
      {.key = "compared",
       .columns = compare_point_columns,
       .column_count = COMPARE_POINT_COLUMNS,
       TUTTI_ROWS(found->points, found->count)},
      {.key = "summary", TUTTI_COLUMNS(summary_columns), TUTTI_ROWS(summaries, summary_count)},
      {.key = "launches",
       .columns = launches,
       .column_count = COMPARE_LAUNCH_COLUMNS,
       TUTTI_ROWS(found->pairs, found->pair_count)},
  };
  const struct facts about = {options->names[0],
                              options->names[1],
                              report->experiment->platform_name,
                              report->experiment->flavor,
                              *found->library ? found->library : NULL,
                              tutti_scheme_name(options->measure.scheme),
                              test_name,
                              "Holm",
                              100 * options->level,
                              found->rounds,
                              options->seed,
                              found->unchanged};
  const tutti_document document = {TUTTI_FACTS(facts, &about), .tables = tables, .table_count = options->pairs ? 3 : 2};
  if (options->format == TUTTI_FORMAT_TEXT)
    print_text(report, tables, document.table_count);
  else
    must(tutti_document_print(&document, options->format, stdout, &failure));
  free((void *)launches);
}
