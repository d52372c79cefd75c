/* Points that a comparison could not compare, and how to fix that. */
#include <stdlib.h>
#include <string.h>

#include "harness/regression/private.h"
#include "tutti/plugin.h"

const char *tutti_baseline_gap_title(tutti_baseline_gap_kind kind)
{
  static const char *const titles[] = {
      [TUTTI_GAP_LIBRARY] = "another simulator",  [TUTTI_GAP_PLATFORM] = "another platform",
      [TUTTI_GAP_MISSING] = "points are missing", [TUTTI_GAP_UNVALUED] = "points without values",
      [TUTTI_GAP_UNSEALED] = "an older baseline", [TUTTI_GAP_NEW] = "not in the baseline"};
  return titles[kind];
}

static void append(tutti_baseline_comparison *comparison, tutti_baseline_gap gap)
{
  comparison->gaps = tutti_xroom(comparison->gaps, comparison->gap_count, sizeof *comparison->gaps);
  comparison->gaps[comparison->gap_count++] = gap;
}

/* How to write the values of a section anew. */
static char *update_words(const tutti_baseline *baseline, const tutti_baseline_section *section)
{
  bool plugin = false;
  for (size_t i = 0; i < section->count; i++)
    plugin |= section->entries[i].kind == TUTTI_BASELINE_COLLECTIVE &&
              tutti_algorithm_is_plugin(section->entries[i].method.algorithm);
  char *file = tutti_xshell_word(baseline->path), *subject = tutti_xprintf("%s=PATH ARGUMENTS", section->name);
  char *quoted = section->kind == TUTTI_SECTION_PROGRAM ? tutti_xshell_quoted(subject) : NULL;
  char *words = tutti_xprintf("--update --baseline %s%s%s%s", file, plugin ? " --plugin FILE.so" : "",
                              quoted ? " --subject " : "", quoted ? quoted : "");
  free(file);
  free(subject);
  free(quoted);
  return words;
}

/* As an option: the engine of a simulator. */
static const char *engine_of(const char *library)
{
  bool fast = strncmp(library, TUTTI_FAST_LIBRARY, strcspn(TUTTI_FAST_LIBRARY, "-") + 1) == 0;
  return fast ? "--engine " TUTTI_FLAVOR_FAST : "--engine smpi";
}

/* The sections have other libraries. */
static tutti_baseline_gap library_gap(const tutti_baseline *baseline, const tutti_baseline_section *before,
                                      const tutti_baseline_section *after)
{
  const char *engine = engine_of(before->library);
  bool same = strcmp(engine, engine_of(after->library)) == 0;
  char *update = update_words(baseline, before);
  tutti_baseline_gap gap = {
      .kind = TUTTI_GAP_LIBRARY,
      .section = before,
      .what = tutti_xprintf("times are not compared, only what schedules count: simulated by %s, the baseline by %s",
                            after->library, before->library),
      .mend = tutti_xprintf("check with %s, or write the values of %s with %s%s%s", same ? before->library : engine,
                            after->library, update, same ? "" : " ", same ? "" : engine_of(after->library))};
  free(update);
  return gap;
}

/* The sections have other platforms. */
static tutti_baseline_gap platform_gap(const tutti_baseline *baseline, const tutti_baseline_section *before,
                                       const tutti_baseline_section *after)
{
  char *update = update_words(baseline, before);
  tutti_baseline_gap gap = {
      .kind = TUTTI_GAP_PLATFORM,
      .section = before,
      .what = tutti_xprintf("the platform is not that of the baseline, times may differ for that reason: %s %.12s..., "
                            "was %s %.12s...",
                            after->platform, after->platform_hash, before->platform, before->platform_hash),
      .mend = tutti_xprintf("restore the platform file, or write the values of this one with %s", update)};
  free(update);
  return gap;
}

/* The missing points of a section; the section is NULL without any. */
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
  char *update = update_words(comparison->before, section);
  tutti_baseline_gap gap = {
      .kind = TUTTI_GAP_MISSING,
      .section = section,
      .what = tutti_xprintf("%zu of %zu points of the baseline are not measured any more, the first is %s", count,
                            section->count, first->key),
      .mend = tutti_xprintf("put them back into %s, or leave them out of the baseline with %s", section->name, update)};
  free(update);
  return gap;
}

/* The same for points that were added by hand and not measured. */
static tutti_baseline_gap unvalued_gap(const tutti_baseline *baseline, const tutti_baseline_section *section)
{
  const tutti_baseline_entry *first = NULL;
  size_t count = 0;
  for (size_t i = 0; i < section->count; i++)
    if (!tutti_baseline_has_values(&section->entries[i]) && ++count == 1)
      first = &section->entries[i];
  if (count == 0)
    return (tutti_baseline_gap){.section = NULL};
  char *update = update_words(baseline, section);
  tutti_baseline_gap gap = {
      .kind = TUTTI_GAP_UNVALUED,
      .section = section,
      .what = tutti_xprintf("%zu of %zu points have no values in the baseline, the first is %s in line %d", count,
                            section->count, first->key, first->line),
      .mend = tutti_xprintf("write them with %s", update)};
  free(update);
  return gap;
}

static tutti_baseline_gap unsealed_gap(const tutti_baseline *baseline)
{
  char *update = update_words(baseline, &baseline->sections[0]);
  tutti_baseline_gap gap = {
      .kind = TUTTI_GAP_UNSEALED,
      .section = &baseline->sections[0],
      .what = tutti_xstrdup("the baseline is of version 1, which has no digest: a cut or edited one is not found"),
      .mend = tutti_xprintf("write version 2 with %s", update)};
  free(update);
  return gap;
}

/* The same for points that were added to an experiment. A baseline does not cover the output of programs. */
static tutti_baseline_gap new_gap(const tutti_baseline_comparison *comparison, const tutti_baseline_section *section)
{
  const tutti_baseline_entry *first = NULL;
  size_t count = 0;
  for (size_t i = comparison->count - comparison->counts[TUTTI_BASELINE_NEW]; i < comparison->count; i++) {
    const tutti_difference *difference = &comparison->differences[i];
    if (difference->section == section && difference->entry->line == 0 && ++count == 1)
      first = difference->entry;
  }
  if (count == 0 || section->kind != TUTTI_SECTION_EXPERIMENT)
    return (tutti_baseline_gap){.section = NULL};
  char *update = update_words(comparison->before, section);
  tutti_baseline_gap gap = {.kind = TUTTI_GAP_NEW,
                            .section = section,
                            .what = tutti_xprintf("%zu point%s measured and not in the baseline, the first is %s",
                                                  count, count == 1 ? " is" : "s are", first->key),
                            .mend = tutti_xprintf("add what is new with %s", update)};
  free(update);
  return gap;
}

void tutti_baseline_find_gaps(tutti_baseline_comparison *comparison)
{
  for (size_t i = 0; i < comparison->before->count; i++) {
    const tutti_baseline_section *before = &comparison->before->sections[i], *after = &comparison->after->sections[i];
    if (tutti_baseline_other_library(before, after))
      append(comparison, library_gap(comparison->before, before, after));
    if (tutti_baseline_other_platform(before, after))
      append(comparison, platform_gap(comparison->before, before, after));
    const tutti_baseline_gap others[] = {missing_gap(comparison, before), unvalued_gap(comparison->before, before),
                                         new_gap(comparison, before)};
    for (size_t o = 0; o < sizeof others / sizeof *others; o++)
      if (others[o].section)
        append(comparison, others[o]);
  }
  if (comparison->before->unsealed && comparison->before->count > 0)
    append(comparison, unsealed_gap(comparison->before));
}

void tutti_baseline_free_gaps(tutti_baseline_comparison *comparison)
{
  for (size_t i = 0; i < comparison->gap_count; i++) {
    free(comparison->gaps[i].what);
    free(comparison->gaps[i].mend);
  }
  free(comparison->gaps);
}
