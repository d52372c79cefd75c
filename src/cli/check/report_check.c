/* The regression gate: a summary, what got worse, most of all first, and the rest. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cli/check/check.h"
#include "cli/output/progress.h"

/* ---- numbers ---- */

static const char *value_name(tutti_metric metric)
{
  static const char *const names[TUTTI_METRICS] = {"time",         "messages",      "bytes sent",     "memory",
                                                   "mean penalty", "worst penalty", "points answered"};
  return names[metric];
}

/* A number with its unit; @p index is 0 for the baseline, 1 for now. */
static void get_value(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_difference *difference = row;
  double value = column->index ? difference->after : difference->before;
  switch (difference->metric) {
  case TUTTI_METRIC_TIME:
    tutti_cell_format(cell, "%.3f us", 1e6 * value);
    break;
  case TUTTI_METRIC_SENT:
  case TUTTI_METRIC_MEMORY:
    tutti_cell_format(cell, "%.0f B", value);
    break;
  case TUTTI_METRIC_MEAN:
  case TUTTI_METRIC_WORST:
    tutti_cell_format(cell, "%.2f %%", value);
    break;
  default:
    tutti_cell_format(cell, "%.0f", value);
  }
}

static void get_change(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_difference *difference = row;
  bool points = difference->metric == TUTTI_METRIC_MEAN || difference->metric == TUTTI_METRIC_WORST;
  (void)column;
  if (isinf(difference->change))
    tutti_cell_format(cell, "from none");
  else
    tutti_cell_format(cell, fabs(difference->change) < 0.01 ? "%+.1g %s" : "%+.2f %s", difference->change,
                      points ? "points" : "%");
}

static void get_metric(tutti_cell *cell, const void *row, const tutti_column *column)
{
  (void)column;
  cell->type = TUTTI_CELL_TEXT;
  cell->text = value_name(((const tutti_difference *)row)->metric);
}

/* ---- tables ---- */

static size_t first_of(const tutti_baseline_comparison *comparison, tutti_baseline_verdict verdict)
{
  size_t first = 0;
  for (int v = 0; v < (int)verdict; v++)
    first += comparison->counts[v];
  return first;
}

/* The point, and where there are several sections its section. */
static void get_point(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_difference *difference = row;
  const tutti_baseline_comparison *comparison = column->context;
  if (comparison->before->count > 1)
    tutti_cell_format(cell, "%s  [%s]", difference->entry->key, difference->section->name);
  else {
    cell->type = TUTTI_CELL_TEXT;
    cell->text = difference->entry->key;
  }
}

/* What is missing or new has no values. */
static tutti_status print_verdict(const tutti_baseline_comparison *comparison, tutti_baseline_verdict verdict,
                                  const char *title, tutti_error *error)
{
  const bool valued = verdict == TUTTI_BASELINE_WORSE || verdict == TUTTI_BASELINE_BETTER;
  const tutti_column columns[] = {
      {"point", NULL, .get = get_point, .context = comparison},
      {"change", NULL, .get = get_change, .width = 14, .alignment = TUTTI_ALIGN_RIGHT},
      {"value", NULL, .get = get_metric, .width = 15},
      {"baseline", NULL, .get = get_value, .width = 16, .gap = 1, .alignment = TUTTI_ALIGN_RIGHT},
      {"now", NULL, .get = get_value, .index = 1, .width = 16, .gap = 1, .alignment = TUTTI_ALIGN_RIGHT},
      {"point", NULL, .get = get_point, .context = comparison},
  };
  tutti_table table = {.columns = valued ? columns + 1 : columns,
                       .column_count = valued ? 5 : 1,
                       TUTTI_ROWS(comparison->differences + first_of(comparison, verdict), comparison->counts[verdict]),
                       .indent = 2,
                       .bare = !valued};
  if (comparison->counts[verdict] == 0)
    return TUTTI_OK;
  printf("\n  %s\n", title);
  return tutti_table_print(&table, stdout, error);
}

/* ---- what kinds of points are worse ---- */

/* The algorithm, or what stands for it: of lines that are no operations their first two words. */
static int family_length(const tutti_baseline_entry *entry)
{
  const char *key = entry->key;
  size_t length = strcspn(key, "/ ") + 1;
  return (int)(length + strcspn(key + length, entry->kind == TUTTI_BASELINE_COLLECTIVE ? "/ " : " "));
}

static bool same_family(const tutti_baseline_entry *left, const tutti_baseline_entry *right)
{
  int length = family_length(left);
  return length == family_length(right) && memcmp(left->key, right->key, (size_t)length) == 0;
}

/* Points of the baseline of this family, and how many of them are worse in any value. */
static void count_family(const tutti_baseline_comparison *comparison, const tutti_baseline_entry *entry, size_t *points,
                         size_t *worse)
{
  size_t first = first_of(comparison, TUTTI_BASELINE_WORSE), last = first + comparison->counts[TUTTI_BASELINE_WORSE];
  *points = *worse = 0;
  for (size_t s = 0; s < comparison->before->count; s++)
    for (size_t i = 0; i < comparison->before->sections[s].count; i++)
      *points += same_family(entry, &comparison->before->sections[s].entries[i]);
  for (size_t i = first; i < last; i++) {
    const tutti_baseline_entry *point = comparison->differences[i].entry;
    bool counted = false;
    for (size_t j = first; j < i; j++)
      counted = counted || comparison->differences[j].entry == point;
    *worse += !counted && same_family(entry, point);
  }
}

static void print_families(const tutti_baseline_comparison *comparison)
{
  size_t first = first_of(comparison, TUTTI_BASELINE_WORSE), last = first + comparison->counts[TUTTI_BASELINE_WORSE];
  for (size_t i = first; i < last; i++) {
    const tutti_baseline_entry *entry = comparison->differences[i].entry;
    bool printed = false;
    for (size_t j = first; j < i; j++)
      printed = printed || same_family(entry, comparison->differences[j].entry);
    if (printed)
      continue;
    size_t points, worse;
    count_family(comparison, entry, &points, &worse);
    printf("  worse: %.*s, %zu of %zu points\n", family_length(entry), entry->key, worse, points);
  }
}

/* ---- all of it ---- */

/* What made the baseline is not what measured now. */
static void print_notes(const tutti_baseline_comparison *comparison)
{
  for (size_t i = 0; i < comparison->before->count; i++) {
    const tutti_baseline_section *before = &comparison->before->sections[i], *after = &comparison->after->sections[i];
    if (tutti_baseline_other_library(before, after))
      printf("  %s: times are not compared, only what schedules count: simulated by %s, the baseline by %s\n",
             before->name, after->library, before->library);
    if (tutti_baseline_other_platform(before, after))
      printf("  %s: the platform is not that of the baseline, times may differ for that reason: %s %.12s..., was "
             "%s %.12s...\n",
             before->name, after->platform, after->platform_hash, before->platform, before->platform_hash);
  }
}

static bool has_other_library(const tutti_baseline_comparison *comparison)
{
  for (size_t i = 0; i < comparison->before->count; i++)
    if (tutti_baseline_other_library(&comparison->before->sections[i], &comparison->after->sections[i]))
      return true;
  return false;
}

static void print_summary(const tutti_baseline_comparison *comparison)
{
  static const char *const words[TUTTI_BASELINE_VERDICTS] = {"missing", "worse", "better", "new"};
  char count[64];
  printf("%s: %s", comparison->before->path,
         progress_format_things(tutti_baseline_points(comparison->before), "point", "points", count));
  for (int v = 0; v < TUTTI_BASELINE_VERDICTS; v++)
    if (comparison->counts[v] > 0)
      printf(", %s %s", progress_format_count(comparison->counts[v], count), words[v]);
  if (comparison->count == 0)
    fputs(has_other_library(comparison) ? ", all that is compared as in the baseline" : ", all as in the baseline",
          stdout);
  putchar('\n');
}

static tutti_status print_comparison(const tutti_baseline_comparison *comparison, bool updating, tutti_error *error)
{
  print_summary(comparison);
  print_notes(comparison);
  print_families(comparison);
  tutti_status status = print_verdict(comparison, TUTTI_BASELINE_WORSE, "Worse than the tolerance allows:", error);
  if (status == TUTTI_OK)
    status = print_verdict(comparison, TUTTI_BASELINE_MISSING,
                           "Missing: in the baseline, but not measured any more:", error);
  if (status == TUTTI_OK)
    status = print_verdict(comparison, TUTTI_BASELINE_BETTER,
                           updating ? "Better:" : "Better (--update keeps it so):", error);
  if (status == TUTTI_OK && !updating)
    status = print_verdict(comparison, TUTTI_BASELINE_NEW,
                           "New: without values in the baseline (--update adds them):", error);
  return status;
}

static tutti_status print_text(const tutti_baseline_comparison *comparisons, size_t count, bool updating,
                               tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < count && status == TUTTI_OK; i++) {
    if (i > 0)
      putchar('\n');
    status = print_comparison(&comparisons[i], updating, error);
  }
  return status;
}

tutti_status report_check(const tutti_baseline_comparison *comparisons, size_t count, bool updating,
                          tutti_format format, tutti_error *error)
{
  return format == TUTTI_FORMAT_TEXT ? print_text(comparisons, count, updating, error)
                                     : report_check_data(comparisons, count, format, error);
}
