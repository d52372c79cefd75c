/* What a comparison could not compare, and how to mend that. */
#include <stdlib.h>

#include "regression/private.h"

const char *tutti_baseline_gap_title(tutti_baseline_gap_kind kind)
{
  static const char *const titles[] = {[TUTTI_GAP_LIBRARY] = "another simulator",
                                       [TUTTI_GAP_PLATFORM] = "another platform",
                                       [TUTTI_GAP_MISSING] = "points are missing",
                                       [TUTTI_GAP_UNVALUED] = "points without values"};
  return titles[kind];
}

static void append(tutti_baseline_comparison *comparison, tutti_baseline_gap gap)
{
  size_t size = (comparison->gap_count + 1) * sizeof *comparison->gaps;
  comparison->gaps = tutti_xrealloc(comparison->gaps, size);
  comparison->gaps[comparison->gap_count++] = gap;
}

/* The sections have other libraries. */
static tutti_baseline_gap library_gap(const tutti_baseline *baseline, const tutti_baseline_section *before,
                                      const tutti_baseline_section *after)
{
  return (tutti_baseline_gap){
      .kind = TUTTI_GAP_LIBRARY,
      .section = before,
      .what = tutti_xprintf("times are not compared, only what schedules count: simulated by %s, the baseline by %s",
                            after->library, before->library),
      .mend = tutti_xprintf("check with %s, or write the values of %s with --update --baseline %s", before->library,
                            after->library, baseline->path)};
}

/* The sections have other platforms. */
static tutti_baseline_gap platform_gap(const tutti_baseline *baseline, const tutti_baseline_section *before,
                                       const tutti_baseline_section *after)
{
  return (tutti_baseline_gap){
      .kind = TUTTI_GAP_PLATFORM,
      .section = before,
      .what = tutti_xprintf("the platform is not that of the baseline, times may differ for that reason: %s %.12s..., "
                            "was %s %.12s...",
                            after->platform, after->platform_hash, before->platform, before->platform_hash),
      .mend = tutti_xprintf("restore the platform file, or write the values of this one with --update --baseline %s",
                            baseline->path)};
}

/* The points of a section that are missing; the section is NULL if there are none. */
static tutti_baseline_gap missing_gap(const tutti_baseline_comparison *comparison,
                                      const tutti_baseline_section *section)
{
  const tutti_baseline_entry *first = NULL;
  size_t count = 0;
  for (size_t i = 0; i < comparison->counts[TUTTI_BASELINE_MISSING]; i++)
    if (comparison->differences[i].section == section && ++count == 1)
      first = comparison->differences[i].entry;
  if (count == 0)
    return (tutti_baseline_gap){.section = NULL};
  return (tutti_baseline_gap){
      .kind = TUTTI_GAP_MISSING,
      .section = section,
      .what = tutti_xprintf("%zu of %zu points of the baseline are not measured any more, the first is %s", count,
                            section->count, first->key),
      .mend = tutti_xprintf("put them back into %s, or leave them out of the baseline with --update --baseline %s",
                            section->name, comparison->before->path)};
}

/* Likewise the points that somebody has added by hand, and nobody has measured. */
static tutti_baseline_gap unvalued_gap(const tutti_baseline *baseline, const tutti_baseline_section *section)
{
  const tutti_baseline_entry *first = NULL;
  size_t count = 0;
  for (size_t i = 0; i < section->count; i++)
    if (!tutti_baseline_has_values(&section->entries[i]) && ++count == 1)
      first = &section->entries[i];
  if (count == 0)
    return (tutti_baseline_gap){.section = NULL};
  return (tutti_baseline_gap){
      .kind = TUTTI_GAP_UNVALUED,
      .section = section,
      .what = tutti_xprintf("%zu of %zu points have no values in the baseline, the first is %s in line %d", count,
                            section->count, first->key, first->line),
      .mend = tutti_xprintf("write them with --update --baseline %s", baseline->path)};
}

void tutti_baseline_find_gaps(tutti_baseline_comparison *comparison)
{
  for (size_t i = 0; i < comparison->before->count; i++) {
    const tutti_baseline_section *before = &comparison->before->sections[i], *after = &comparison->after->sections[i];
    if (tutti_baseline_other_library(before, after))
      append(comparison, library_gap(comparison->before, before, after));
    if (tutti_baseline_other_platform(before, after))
      append(comparison, platform_gap(comparison->before, before, after));
    const tutti_baseline_gap others[] = {missing_gap(comparison, before), unvalued_gap(comparison->before, before)};
    for (size_t o = 0; o < sizeof others / sizeof *others; o++)
      if (others[o].section)
        append(comparison, others[o]);
  }
}

void tutti_baseline_free_gaps(tutti_baseline_comparison *comparison)
{
  for (size_t i = 0; i < comparison->gap_count; i++) {
    free(comparison->gaps[i].what);
    free(comparison->gaps[i].mend);
  }
  free(comparison->gaps);
}
