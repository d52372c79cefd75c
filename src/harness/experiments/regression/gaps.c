/* Points that a comparison could not compare, and how to fix that. */
#include <stdlib.h>
#include <string.h>

#include "harness/experiments/regression/private.h"
#include "tutti/plugin.h"

const char *tutti_baseline_gap_title(tutti_baseline_gap_kind kind)
{
  static const char *const titles[] = {
      [TUTTI_GAP_LIBRARY] = "another simulator",  [TUTTI_GAP_PLATFORM] = "another platform",
      [TUTTI_GAP_MISSING] = "points are missing", [TUTTI_GAP_UNVALUED] = "points without values",
      [TUTTI_GAP_UNSEALED] = "an older baseline", [TUTTI_GAP_NEW] = "not in the baseline"};
  return titles[kind];
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
  bool own = strncmp(library, TUTTI_FAST_LIBRARY, strcspn(TUTTI_FAST_LIBRARY, "-") + 1) == 0;
  if (own && strchr(library, '+'))
    return "--engine " TUTTI_FLAVOR_FLOW;
  return own ? "--engine " TUTTI_FLAVOR_FAST : "--engine smpi";
}

/* Takes over @p what, and @p how to fix it: by writing the section anew, with @p option. */
static void append(tutti_baseline_comparison *comparison, tutti_baseline_gap_kind kind,
                   const tutti_baseline_section *section, char *what, char *how, const char *option)
{
  char *update = update_words(comparison->before, section);
  comparison->gaps = tutti_xroom(comparison->gaps, comparison->gap_count, sizeof *comparison->gaps);
  comparison->gaps[comparison->gap_count++] = (tutti_baseline_gap){
      kind, section, what, tutti_xprintf("%s with %s%s%s", how, update, *option ? " " : "", option)};
  free(how);
  free(update);
}

static void append_library(tutti_baseline_comparison *comparison, const tutti_baseline_section *before,
                           const tutti_baseline_section *after)
{
  const char *engine = engine_of(before->library), *now = engine_of(after->library);
  const bool same = strcmp(engine, now) == 0;
  append(comparison, TUTTI_GAP_LIBRARY, before,
         tutti_xprintf("times are not compared, only what schedules count: simulated by %s, the baseline by %s",
                       after->library, before->library),
         tutti_xprintf("check with %s, or write the values of %s", same ? before->library : engine, after->library),
         same ? "" : now);
}

static void append_platform(tutti_baseline_comparison *comparison, const tutti_baseline_section *before,
                            const tutti_baseline_section *after)
{
  append(comparison, TUTTI_GAP_PLATFORM, before,
         tutti_xprintf("the platform is not that of the baseline, times may differ for that reason: %s %.12s..., "
                       "was %s %.12s...",
                       after->platform, after->platform_hash, before->platform, before->platform_hash),
         tutti_xstrdup("restore the platform file, or write the values of this one"), "");
}

static void append_missing(tutti_baseline_comparison *comparison, const tutti_baseline_section *section)
{
  const tutti_baseline_entry *first;
  const size_t count = tutti_baseline_count(comparison, section, TUTTI_BASELINE_MISSING, &first);
  if (count > 0)
    append(comparison, TUTTI_GAP_MISSING, section,
           tutti_xprintf("%zu of %zu points of the baseline are not measured any more, the first is %s", count,
                         section->count, first->key),
           tutti_xprintf("put them back into %s, or leave them out of the baseline", section->name), "");
}

/* Points that were added by hand and not measured. */
static void append_unvalued(tutti_baseline_comparison *comparison, const tutti_baseline_section *section)
{
  const tutti_baseline_entry *first = NULL;
  size_t count = 0;
  for (size_t i = 0; i < section->count; i++)
    if (!tutti_baseline_has_values(&section->entries[i]) && ++count == 1)
      first = &section->entries[i];
  if (count > 0)
    append(comparison, TUTTI_GAP_UNVALUED, section,
           tutti_xprintf("%zu of %zu points have no values in the baseline, the first is %s in line %d", count,
                         section->count, first->key, first->line),
           tutti_xstrdup("write them"), "");
}

/* Points that were added to an experiment. A baseline does not cover the output of programs. */
static void append_new(tutti_baseline_comparison *comparison, const tutti_baseline_section *section)
{
  const tutti_baseline_entry *first;
  const size_t count = tutti_baseline_count(comparison, section, TUTTI_BASELINE_NEW, &first);
  if (count > 0 && section->kind == TUTTI_SECTION_EXPERIMENT)
    append(comparison, TUTTI_GAP_NEW, section,
           tutti_xprintf("%zu point%s measured and not in the baseline, the first is %s", count,
                         count == 1 ? " is" : "s are", first->key),
           tutti_xstrdup("add what is new"), "");
}

void tutti_baseline_find_gaps(tutti_baseline_comparison *comparison)
{
  for (size_t i = 0; i < comparison->before->count; i++) {
    const tutti_baseline_section *before = &comparison->before->sections[i], *after = &comparison->after->sections[i];
    if (tutti_baseline_other_library(before, after))
      append_library(comparison, before, after);
    if (tutti_baseline_other_platform(before, after))
      append_platform(comparison, before, after);
    append_missing(comparison, before);
    append_unvalued(comparison, before);
    append_new(comparison, before);
  }
  if (comparison->before->unsealed && comparison->before->count > 0)
    append(comparison, TUTTI_GAP_UNSEALED, &comparison->before->sections[0],
           tutti_xstrdup("the baseline is of version 1, which has no digest: a cut or edited one is not found"),
           tutti_xstrdup("write version 2"), "");
}

void tutti_baseline_free_gaps(tutti_baseline_comparison *comparison)
{
  for (size_t i = 0; i < comparison->gap_count; i++) {
    free(comparison->gaps[i].what);
    free(comparison->gaps[i].mend);
  }
  free(comparison->gaps);
}
