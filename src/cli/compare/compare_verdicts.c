/* Verdicts: slower, faster, equal within some percent, not measured, after a control; as tables and sentences. */
#include <math.h>

#include "base/numbers.h"
#include "cli/compare/compare.h"
#include "cli/output/output.h"

static bool differs(tutti_pair_verdict verdict)
{
  return verdict == TUTTI_SLOWER || verdict == TUTTI_FASTER;
}

/* Both have the same points in the same order. */
void compare_hold_back(const tutti_tuning_comparison *control, tutti_tuning_comparison *found)
{
  for (size_t i = 0; i < found->count && i < control->count; i++)
    if (differs(control->points[i].verdict)) {
      found->points[i].verdict = TUTTI_NOT_MEASURED;
      found->points[i].outcome = TUTTI_UNCLEAR;
    }
}

const char *compare_side_name(const struct compare_report *report, int side)
{
  const char *name = report->installations[side].name;
  return name ? name : report->options->names[side];
}

/* ---- counts ---- */

struct counts {
  const char *collective;
  int points, of[TUTTI_PAIR_VERDICTS];
};

static void count_points(const tutti_tuning_comparison *found, int collective, struct counts *counts)
{
  for (size_t i = 0; i < found->count; i++)
    if (collective < 0 || (int)found->points[i].collective == collective) {
      counts->points++;
      counts->of[found->points[i].verdict]++;
    }
}

#define COUNT(member) TUTTI_FIELD(struct counts, member)

static const tutti_column summary_columns[] = {
    {"collective", "collective", COUNT(collective)}, {"points", "points", COUNT(points)},
    {"slower", "slower", COUNT(of[TUTTI_SLOWER])},   {"faster", "faster", COUNT(of[TUTTI_FASTER])},
    {"equal", "equal", COUNT(of[TUTTI_EQUAL])},      {"not measured", "not_measured", COUNT(of[TUTTI_NOT_MEASURED])},
};

static int summarize(const tutti_tuning_comparison *found, struct counts summaries[TUTTI_COLL_COUNT])
{
  int count = 0;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    summaries[count] = (struct counts){.collective = tutti_collective_name((tutti_collective)c)};
    count_points(found, c, &summaries[count]);
    count += summaries[count].points > 0;
  }
  return count;
}

/* ---- sentences ---- */

static const char test_name[] = "signed rank tests of Wilcoxon on log(after / before), exact: of no difference, "
                                "two-sided; of a ratio outside of the margin, two one-sided";

/* "new, OpenMPI-5.0.7". */
static void name_side(const struct compare_report *report, int side, char *text, size_t length)
{
  const char *word = report->found->digests[side], *at = strrchr(word, '@');
  snprintf(text, length, "%s", compare_side_name(report, side));
  if (report->installations[side].name && at)
    text_append(text, length, " (%.*s)", (int)(at - word), word);
}

/* What follows its name in --library; NULL: no installation was named. */
static const char *words_of(const struct compare_report *report, int side)
{
  const char *name = report->installations[side].name;
  const char *text = name ? report->options->libraries.items[side] : NULL;
  const size_t length = name ? strlen(name) : 0;
  return text && strncmp(text, name, length) == 0 && text[length] == '=' ? text + length + 1 : text;
}

static void print_head(const struct compare_report *report)
{
  const struct compare_options *options = report->options;
  char sides[2][200];
  name_side(report, 0, sides[0], sizeof sides[0]);
  name_side(report, 1, sides[1], sizeof sides[1]);
  print_sentence(0, "%s against %s on %s, %s, scheme %s", sides[0], sides[1], report->experiment->platform_name,
                 *report->found->library ? report->found->library : report->experiment->flavor,
                 tutti_scheme_name(options->measure.scheme));
  for (int side = 0; side < 2 && report->installations[side].name; side++)
    print_sentence(0, "%s: %s", compare_side_name(report, side), words_of(report, side));
  print_sentence(0,
                 "%s; equal is a ratio within %g %%; %zu point%s, each family corrected after Benjamini and Hochberg; "
                 "level %g %%; %d round%s, seed %llu",
                 test_name, 100 * options->margin, report->found->count, tutti_plural(report->found->count),
                 100 * options->level, report->found->rounds, tutti_plural((uint64_t)report->found->rounds),
                 (unsigned long long)options->seed);
}

/* The median of what all points could find, in percent; NaN: some could find nothing. */
static double median_find(const tutti_tuning_comparison *found)
{
  double *finds = tutti_xcalloc(found->count + 1, sizeof *finds);
  size_t count = 0;
  for (size_t i = 0; i < found->count; i++)
    if (isfinite(found->points[i].finds))
      finds[count++] = 100 * found->points[i].finds;
  tutti_doubles_sort(finds, count);
  const double median = count > 0 && 2 * count > found->count ? tutti_doubles_median(finds, count) : NAN;
  free(finds);
  return median;
}

static void print_control(const struct compare_report *report)
{
  const char *name = compare_side_name(report, 0);
  const double find = median_find(report->control);
  struct counts counts = {.points = 0};
  char power[120] = "";
  count_points(report->control, -1, &counts);
  if (isfinite(find))
    snprintf(power, sizeof power, "; half of the points would show a slow-down of %.1f %%", find);
  print_sentence(0, "control, %s against %s: slower %d, faster %d, equal %d, not measured %d of %d point%s%s", name,
                 name, counts.of[TUTTI_SLOWER], counts.of[TUTTI_FASTER], counts.of[TUTTI_EQUAL],
                 counts.of[TUTTI_NOT_MEASURED], counts.points, tutti_plural((uint64_t)counts.points), power);
  const int held = counts.of[TUTTI_SLOWER] + counts.of[TUTTI_FASTER];
  if (held > 0)
    print_sentence(0, "Where the control finds a difference between launches of the same, nothing is said: %d point%s",
                   held, tutti_plural((uint64_t)held));
}

/* "slower: 3 of 60 points, by 12.0 % (median), 45.2 % at most". */
static void print_verdict(const tutti_tuning_comparison *found, tutti_pair_verdict verdict)
{
  double *changes = tutti_xcalloc(found->count + 1, sizeof *changes);
  size_t count = 0;
  for (size_t i = 0; i < found->count; i++)
    if (found->points[i].verdict == verdict)
      changes[count++] = 100 * fabs(found->points[i].ratio - 1);
  tutti_doubles_sort(changes, count);
  tutti_say(stdout, "%s: %zu of %zu point%s", tutti_pair_verdict_name(verdict), count, found->count,
            tutti_plural(found->count));
  if (count > 0)
    tutti_say(stdout, ", by %.1f %% in the median, %.1f %% at most", tutti_doubles_median(changes, count),
              changes[count - 1]);
  printf("\n");
  free(changes);
}

/* How many rounds would tell of half of the points without a verdict that they are equal. */
static void print_unmeasured(const tutti_tuning_comparison *found)
{
  double *rounds = tutti_xcalloc(found->count + 1, sizeof *rounds);
  size_t count = 0, all = 0;
  for (size_t i = 0; i < found->count; i++) {
    const tutti_compared_point *point = &found->points[i];
    all += point->verdict == TUTTI_NOT_MEASURED;
    if (point->verdict == TUTTI_NOT_MEASURED && point->enough > 0)
      rounds[count++] = point->enough;
  }
  tutti_doubles_sort(rounds, count);
  tutti_say(stdout, "%s: %zu of %zu point%s", tutti_pair_verdict_name(TUTTI_NOT_MEASURED), all, found->count,
            tutti_plural(found->count));
  if (count > 0)
    tutti_say(stdout, "; if they are equal, half of them need %.0f rounds or more to show it",
              tutti_doubles_median(rounds, count));
  printf("\n");
  free(rounds);
}

static void print_all_verdicts(const void *about)
{
  const struct compare_report *report = about;
  struct counts counts = {.points = 0};
  count_points(report->found, -1, &counts);
  print_verdict(report->found, TUTTI_SLOWER);
  print_verdict(report->found, TUTTI_FASTER);
  tutti_say(stdout, "equal within %g %%: %d of %d point%s\n", 100 * report->options->margin, counts.of[TUTTI_EQUAL],
            counts.points, tutti_plural((uint64_t)counts.points));
  print_unmeasured(report->found);
}

static void print_text(const struct compare_report *report, const tutti_table *tables, int count)
{
  print_head(report);
  print_control(report);
  printf("\n");
  verdict_first(report->found->count, print_all_verdicts, report);
  for (int i = 0; i < count; i++)
    if (strcmp(tables[i].key, "control") != 0) {
      must(tutti_table_print(&tables[i], stdout, &failure));
      printf("\n");
    }
  print_all_verdicts(report);
  compare_explain_medians(report->found);
}

/* ---- all ---- */

struct facts {
  const char *before, *after, *before_library, *after_library, *before_words, *after_words, *platform, *flavor, *scheme,
      *test, *correction;
  double level, within;
  int rounds;
  uint64_t seed;
};

#define FACT(member) TUTTI_FIELD(struct facts, member)

static const tutti_column facts[] = {
    {NULL, "before", FACT(before)},
    {NULL, "after", FACT(after)},
    {NULL, "before_library", FACT(before_library)},
    {NULL, "after_library", FACT(after_library)},
    {NULL, "before_words", FACT(before_words)},
    {NULL, "after_words", FACT(after_words)},
    {NULL, "platform", FACT(platform)},
    {NULL, "flavor", FACT(flavor)},
    {NULL, "scheme", FACT(scheme)},
    {NULL, "test", FACT(test)},
    {NULL, "correction", FACT(correction)},
    {NULL, "level_percent", FACT(level)},
    {NULL, "within_percent", FACT(within)},
    {NULL, "rounds", FACT(rounds)},
    {NULL, "seed", FACT(seed)},
};

void compare_print_verdicts(const struct compare_report *report)
{
  const tutti_tuning_comparison *found = report->found, *control = report->control;
  const struct compare_options *options = report->options;
  struct counts summaries[TUTTI_COLL_COUNT];
  const int summary_count = summarize(found, summaries);
  const tutti_column *launches = compare_launch_columns();
  const tutti_table tables[] = {
      {.key = "compared", TUTTI_COLUMNS(compare_verdict_columns), TUTTI_ROWS(found->points, found->count)},
      {.key = "control", TUTTI_COLUMNS(compare_verdict_columns), TUTTI_ROWS(control->points, control->count)},
      {.key = "summary", TUTTI_COLUMNS(summary_columns), TUTTI_ROWS(summaries, summary_count)},
      {.key = "launches",
       .columns = launches,
       .column_count = COMPARE_LAUNCH_COLUMNS,
       TUTTI_ROWS(found->pairs, found->pair_count)},
  };
  const struct facts about = {compare_side_name(report, 0),
                              compare_side_name(report, 1),
                              found->digests[0],
                              found->digests[1],
                              words_of(report, 0),
                              words_of(report, 1),
                              report->experiment->platform_name,
                              report->experiment->flavor,
                              tutti_scheme_name(options->measure.scheme),
                              test_name,
                              "Benjamini and Hochberg",
                              100 * options->level,
                              100 * options->margin,
                              found->rounds,
                              options->seed};
  const tutti_document document = {TUTTI_FACTS(facts, &about), .tables = tables, .table_count = options->pairs ? 4 : 3};
  if (options->format == TUTTI_FORMAT_TEXT)
    print_text(report, tables, document.table_count);
  else
    must(tutti_document_print(&document, options->format, stdout, &failure));
  free((void *)launches);
}
