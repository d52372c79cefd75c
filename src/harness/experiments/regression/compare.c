/* Comparing what was measured with a baseline. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiments/regression/private.h"

static bool differ(const char *left, const char *right)
{
  return left && right && strcmp(left, right) != 0;
}

bool tutti_baseline_other_library(const tutti_baseline_section *before, const tutti_baseline_section *after)
{
  return differ(before->library, after->library);
}

bool tutti_baseline_other_platform(const tutti_baseline_section *before, const tutti_baseline_section *after)
{
  return differ(before->platform_hash, after->platform_hash) || differ(before->platform, after->platform);
}

static void append(tutti_baseline_comparison *comparison, const tutti_difference *difference)
{
  comparison->differences = tutti_xroom(comparison->differences, comparison->count, sizeof *comparison->differences);
  comparison->differences[comparison->count++] = *difference;
  comparison->counts[difference->verdict]++;
}

/* Time is what matters most; then the largest change. */
static int compare_changes(const tutti_difference *a, const tutti_difference *b)
{
  if ((a->metric == TUTTI_METRIC_TIME) != (b->metric == TUTTI_METRIC_TIME))
    return a->metric == TUTTI_METRIC_TIME ? -1 : 1;
  return (fabs(a->change) < fabs(b->change)) - (fabs(a->change) > fabs(b->change));
}

/* ---- values ---- */

/* Penalties are percent already; a decision that answers at fewer points can hide a loss, so more is better. */
static double change_of(tutti_metric metric, double before, double after)
{
  if (metric == TUTTI_METRIC_MEAN || metric == TUTTI_METRIC_WORST)
    return after - before;
  if (before == 0)
    return copysign(INFINITY, after);
  return 100 * (after - before) / fabs(before);
}

static bool is_worse(tutti_metric metric, double change)
{
  return metric == TUTTI_METRIC_POINTS ? change < 0 : change > 0;
}

/* Counts of a run may depend on the order in which another simulator delivers messages; schedules do not. */
static bool is_comparable(const tutti_baseline_entry *entry, tutti_metric metric, bool other_library)
{
  return !other_library || (entry->kind == TUTTI_BASELINE_COLLECTIVE && metric != TUTTI_METRIC_TIME);
}

static void count_within(tutti_within *within, const tutti_difference *difference)
{
  if (within->values++ == 0 || compare_changes(difference, &within->most) < 0)
    within->most = *difference;
}

static void compare_value(tutti_difference difference, double before, double after,
                          tutti_baseline_comparison *comparison)
{
  double slack = comparison->tolerance.percent[tutti_metric_aspect(difference.metric)];
  if (isnan(before) || isnan(after) || tutti_baseline_same_value(difference.metric, before, after))
    return;
  difference.before = before;
  difference.after = after;
  difference.change = change_of(difference.metric, before, after);
  difference.verdict = is_worse(difference.metric, difference.change) ? TUTTI_BASELINE_WORSE : TUTTI_BASELINE_BETTER;
  if (fabs(difference.change) <= slack)
    count_within(&comparison->within[difference.verdict], &difference);
  else
    append(comparison, &difference);
}

/* ---- points ---- */

static void compare_entry(const tutti_baseline_section *section, const tutti_baseline_entry *before,
                          const tutti_baseline_entry *after, bool other_library, tutti_baseline_comparison *comparison)
{
  tutti_difference difference = {.section = section, .entry = before};
  if (!after || !tutti_baseline_has_values(before)) {
    difference.verdict = after ? TUTTI_BASELINE_NEW : TUTTI_BASELINE_MISSING;
    append(comparison, &difference);
    return;
  }
  const size_t worse = comparison->counts[TUTTI_BASELINE_WORSE], better = comparison->counts[TUTTI_BASELINE_BETTER];
  for (int m = 0; m < TUTTI_METRICS; m++) {
    difference.metric = (tutti_metric)m;
    if (is_comparable(before, difference.metric, other_library))
      compare_value(difference, before->values[m], after->values[m], comparison);
  }
  comparison->points[TUTTI_BASELINE_WORSE] += comparison->counts[TUTTI_BASELINE_WORSE] > worse;
  comparison->points[TUTTI_BASELINE_BETTER] += comparison->counts[TUTTI_BASELINE_BETTER] > better;
}

/* Both are in canonical order. */
static void compare_section(const tutti_baseline_section *before, const tutti_baseline_section *after,
                            tutti_baseline_comparison *comparison)
{
  bool other = tutti_baseline_other_library(before, after);
  for (size_t b = 0, a = 0; b < before->count || a < after->count;) {
    const tutti_baseline_entry *old = b < before->count ? &before->entries[b] : NULL;
    const tutti_baseline_entry *fresh = a < after->count ? &after->entries[a] : NULL;
    int order = !old ? 1 : !fresh ? -1 : tutti_baseline_entry_compare(old, fresh);
    if (order <= 0)
      compare_entry(before, old, order == 0 ? fresh : NULL, other, comparison);
    else
      append(comparison, &(tutti_difference){.verdict = TUTTI_BASELINE_NEW, .section = before, .entry = fresh});
    b += order <= 0;
    a += order >= 0;
  }
}

/* ---- all ---- */

static bool has_time(const tutti_baseline_section *section)
{
  for (size_t i = 0; i < section->count; i++)
    if (!isnan(section->entries[i].values[TUTTI_METRIC_TIME]))
      return true;
  return false;
}

/* Times of other arguments, or of other collectives, are times of something else. */
static tutti_status check_program(const tutti_baseline *baseline, const tutti_baseline_section *before,
                                  const tutti_baseline_section *after, tutti_error *error)
{
  const char *was = before->program.arguments ? before->program.arguments : "";
  const char *is = after->program.arguments ? after->program.arguments : "";
  if (strcmp(was, is) != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s:%d: the baseline is of '%s%s%s', not of '%s%s%s': --subject with the arguments of the "
                      "baseline, or --update",
                      baseline->path, before->line, before->name, *was ? " " : "", was, after->name, *is ? " " : "",
                      is);
  if (differ(before->program.selector, after->program.selector))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s:%d: the baseline of %s ran under SMPI's collectives '%s', not '%s': leave --selector out, or "
                      "--update",
                      baseline->path, before->line, before->name, before->program.selector, after->program.selector);
  return TUTTI_OK;
}

tutti_status tutti_baseline_check_times(const tutti_baseline *before, const tutti_baseline *after, tutti_error *error)
{
  for (size_t i = 0; i < before->count; i++)
    if (check_program(before, &before->sections[i], &after->sections[i], error) != TUTTI_OK)
      return TUTTI_ERR_ARGUMENT;
  bool compared = false, found = false;
  for (size_t i = 0; i < before->count; i++)
    if (!tutti_baseline_other_library(&before->sections[i], &after->sections[i]) && has_time(&after->sections[i])) {
      compared = true;
      found = found || has_time(&before->sections[i]);
    }
  if (!compared || found)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "%s: no point has a time, so nothing that was measured can be compared; --update writes the times",
                    before->path);
}

static int compare_differences(const void *left, const void *right)
{
  const tutti_difference *a = left, *b = right;
  if (a->verdict != b->verdict)
    return a->verdict < b->verdict ? -1 : 1;
  bool changed = a->verdict == TUTTI_BASELINE_WORSE || a->verdict == TUTTI_BASELINE_BETTER;
  int order = changed ? compare_changes(a, b) : 0;
  if (order)
    return order;
  if (a->section != b->section)
    return a->section < b->section ? -1 : 1;
  order = tutti_baseline_entry_compare(a->entry, b->entry);
  return order ? order : (a->metric > b->metric) - (a->metric < b->metric);
}

void tutti_baseline_compare(const tutti_baseline *before, const tutti_baseline *after, const tutti_tolerance *tolerance,
                            tutti_baseline_comparison *comparison)
{
  *comparison = (tutti_baseline_comparison){.before = before, .after = after, .tolerance = *tolerance};
  for (size_t i = 0; i < before->count; i++)
    compare_section(&before->sections[i], &after->sections[i], comparison);
  if (comparison->count)
    qsort(comparison->differences, comparison->count, sizeof *comparison->differences, compare_differences);
  tutti_baseline_find_gaps(comparison);
}

void tutti_baseline_comparison_free(tutti_baseline_comparison *comparison)
{
  free(comparison->differences);
  tutti_baseline_free_gaps(comparison);
  *comparison = (tutti_baseline_comparison){0};
}

bool tutti_baseline_comparison_failed(const tutti_baseline_comparison *comparison)
{
  return comparison->counts[TUTTI_BASELINE_WORSE] + comparison->counts[TUTTI_BASELINE_MISSING] > 0 ||
         (comparison->strict && comparison->gap_count > 0);
}

/* ---- updating ---- */

static void move_text(char **target, char **source)
{
  free(*target);
  *target = *source;
  *source = NULL;
}

/* True if simulator and platform are the same: then values that differ by no more than the clock stay. */
static bool has_same_clock(const tutti_baseline_section *before, const tutti_baseline_section *after)
{
  return !tutti_baseline_other_library(before, after) && !tutti_baseline_other_platform(before, after);
}

static bool is_rewritten(tutti_metric metric, double old, double fresh, bool same_clock)
{
  char was[BASELINE_VALUE_LENGTH], is[BASELINE_VALUE_LENGTH];
  if (isnan(old) || (same_clock && tutti_baseline_same_value(metric, old, fresh)))
    return false;
  return strcmp(tutti_baseline_format_value(metric, old, was), tutti_baseline_format_value(metric, fresh, is)) != 0;
}

size_t tutti_baseline_rewritten(const tutti_baseline *after, const tutti_baseline *before)
{
  size_t count = 0;
  for (size_t s = 0; s < after->count; s++) {
    const tutti_baseline_section *section = &after->sections[s];
    bool same = has_same_clock(&before->sections[s], section);
    for (size_t i = 0; i < section->count; i++) {
      const tutti_baseline_entry *fresh = &section->entries[i], *old = tutti_baseline_find(&before->sections[s], fresh);
      for (int m = 0; old && m < TUTTI_METRICS; m++)
        count += is_rewritten((tutti_metric)m, old->values[m], fresh->values[m], same);
    }
  }
  return count;
}

static void adopt_section(tutti_baseline_section *after, tutti_baseline_section *before)
{
  bool same = has_same_clock(before, after);
  move_text(&after->comment, &before->comment);
  for (size_t i = 0; i < after->count; i++) {
    tutti_baseline_entry *fresh = &after->entries[i], *old = tutti_baseline_find(before, fresh);
    if (!old)
      continue;
    move_text(&fresh->comment, &old->comment);
    for (int m = 0; m < TUTTI_METRICS; m++)
      if (same && tutti_baseline_same_value((tutti_metric)m, old->values[m], fresh->values[m]))
        fresh->values[m] = old->values[m];
  }
}

void tutti_baseline_adopt(tutti_baseline *after, tutti_baseline *before)
{
  move_text(&after->ending, &before->ending);
  for (size_t i = 0; i < after->count; i++)
    adopt_section(&after->sections[i], &before->sections[i]);
}
