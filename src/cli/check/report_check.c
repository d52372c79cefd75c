/* The regression gate in words: a summary, what got worse, most of all first, and the rest. */
#include "cli/check/report_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/output/progress.h"

enum { CELL = 32 };

/* ---- numbers ---- */

static const char *value_name(tutti_metric metric)
{
  static const char *const names[TUTTI_METRICS] = {"time",         "messages",      "bytes sent",     "memory",
                                                   "mean penalty", "worst penalty", "points answered"};
  return names[metric];
}

static void format_value(tutti_metric metric, double value, char *text)
{
  switch (metric) {
  case TUTTI_METRIC_TIME:
    snprintf(text, CELL, "%.3f us", 1e6 * value);
    break;
  case TUTTI_METRIC_SENT:
  case TUTTI_METRIC_MEMORY:
    snprintf(text, CELL, "%.0f B", value);
    break;
  case TUTTI_METRIC_MEAN:
  case TUTTI_METRIC_WORST:
    snprintf(text, CELL, "%.2f %%", value);
    break;
  default:
    snprintf(text, CELL, "%.0f", value);
  }
}

static void format_change(const tutti_difference *difference, char *text)
{
  bool points = difference->metric == TUTTI_METRIC_MEAN || difference->metric == TUTTI_METRIC_WORST;
  if (isinf(difference->change))
    snprintf(text, CELL, "from none");
  else
    snprintf(text, CELL, fabs(difference->change) < 0.01 ? "%+.1g %s" : "%+.2f %s", difference->change,
             points ? "points" : "%");
}

/* ---- tables ---- */

static size_t first_of(const tutti_baseline_comparison *comparison, tutti_baseline_verdict verdict)
{
  size_t first = 0;
  for (int v = 0; v < (int)verdict; v++)
    first += comparison->counts[v];
  return first;
}

static void print_point(const tutti_baseline_comparison *comparison, const tutti_difference *difference)
{
  fputs(difference->entry->key, stdout);
  if (comparison->before->count > 1)
    printf("  [%s]", difference->section->name);
  putchar('\n');
}

static void print_changes(const tutti_baseline_comparison *comparison, tutti_baseline_verdict verdict,
                          const char *title)
{
  const tutti_difference *first = comparison->differences + first_of(comparison, verdict);
  char change[CELL], before[CELL], after[CELL];
  if (comparison->counts[verdict] == 0)
    return;
  printf("\n  %s\n  %14s  %-15s %16s %16s  %s\n", title, "change", "value", "baseline", "now", "point");
  for (size_t i = 0; i < comparison->counts[verdict]; i++) {
    const tutti_difference *difference = &first[i];
    format_change(difference, change);
    format_value(difference->metric, difference->before, before);
    format_value(difference->metric, difference->after, after);
    printf("  %14s  %-15s %16s %16s  ", change, value_name(difference->metric), before, after);
    print_point(comparison, difference);
  }
}

static void print_points(const tutti_baseline_comparison *comparison, tutti_baseline_verdict verdict, const char *title)
{
  const tutti_difference *first = comparison->differences + first_of(comparison, verdict);
  if (comparison->counts[verdict] == 0)
    return;
  printf("\n  %s\n", title);
  for (size_t i = 0; i < comparison->counts[verdict]; i++) {
    fputs("  ", stdout);
    print_point(comparison, &first[i]);
  }
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

static void print_comparison(const tutti_baseline_comparison *comparison, bool updating)
{
  print_summary(comparison);
  print_notes(comparison);
  print_families(comparison);
  print_changes(comparison, TUTTI_BASELINE_WORSE, "Worse than the tolerance allows:");
  print_points(comparison, TUTTI_BASELINE_MISSING, "Missing: in the baseline, but not measured any more:");
  print_changes(comparison, TUTTI_BASELINE_BETTER, updating ? "Better:" : "Better (--update keeps it so):");
  if (!updating)
    print_points(comparison, TUTTI_BASELINE_NEW, "New: without values in the baseline (--update adds them):");
}

void report_check_print(const tutti_baseline_comparison *comparisons, size_t count, bool updating)
{
  for (size_t i = 0; i < count; i++) {
    if (i > 0)
      putchar('\n');
    print_comparison(&comparisons[i], updating);
  }
}
