/* Differences by verdict, and what got worse by algorithm. */
#include <string.h>

#include "harness/experiments/regression/private.h"

const tutti_difference *tutti_baseline_differences(const tutti_baseline_comparison *comparison,
                                                   tutti_baseline_verdict verdict)
{
  size_t first = 0;
  for (int v = 0; v < (int)verdict; v++)
    first += comparison->counts[v];
  return comparison->count > 0 ? comparison->differences + first : NULL;
}

size_t tutti_baseline_count(const tutti_baseline_comparison *comparison, const tutti_baseline_section *section,
                            tutti_baseline_verdict verdict, const tutti_baseline_entry **first)
{
  const tutti_difference *differences = tutti_baseline_differences(comparison, verdict);
  size_t count = 0;
  for (size_t i = 0; i < comparison->counts[verdict]; i++)
    if (differences[i].section == section && (verdict != TUTTI_BASELINE_NEW || differences[i].entry->line == 0) &&
        ++count == 1)
      *first = differences[i].entry;
  return count;
}

/* The algorithm, or what stands for it: of lines that are no operations their first two words. */
static int family_length(const tutti_baseline_entry *entry)
{
  const char *key = entry->key;
  size_t length = strcspn(key, "/ ") + 1;
  return (int)(length + strcspn(key + length, entry->kind == TUTTI_BASELINE_COLLECTIVE ? "/ " : " "));
}

/* Programs may print times of the same name. */
static bool same_family(const tutti_difference *left, const tutti_baseline_section *section,
                        const tutti_baseline_entry *entry)
{
  int length = family_length(left->entry);
  return left->entry->kind == entry->kind && length == family_length(entry) &&
         memcmp(left->entry->key, entry->key, (size_t)length) == 0 &&
         (entry->kind != TUTTI_BASELINE_TIME || strcmp(left->section->name, section->name) == 0);
}

/* True for the first difference of a line, or of a family. */
static bool is_first(const tutti_difference *worse, size_t index, bool same_line)
{
  for (size_t i = 0; i < index; i++)
    if (same_line ? worse[i].entry == worse[index].entry
                  : same_family(&worse[i], worse[index].section, worse[index].entry))
      return false;
  return true;
}

/* Points of the baseline of this family, and how many of them are worse in any value. */
static void count_points(const tutti_baseline_comparison *comparison, const tutti_difference *worse,
                         tutti_baseline_family *family)
{
  for (size_t s = 0; s < comparison->before->count; s++) {
    const tutti_baseline_section *section = &comparison->before->sections[s];
    for (size_t i = 0; i < section->count; i++)
      family->points += same_family(family->worst, section, &section->entries[i]);
  }
  for (size_t i = 0; i < comparison->counts[TUTTI_BASELINE_WORSE]; i++)
    family->worse += same_family(family->worst, worse[i].section, worse[i].entry) && is_first(worse, i, true);
}

bool tutti_baseline_next_family(const tutti_baseline_comparison *comparison, size_t *next,
                                tutti_baseline_family *family)
{
  const tutti_difference *worse = tutti_baseline_differences(comparison, TUTTI_BASELINE_WORSE);
  while (*next < comparison->counts[TUTTI_BASELINE_WORSE]) {
    size_t index = (*next)++;
    if (!is_first(worse, index, false))
      continue;
    *family = (tutti_baseline_family){.worst = &worse[index]};
    count_points(comparison, worse, family);
    return true;
  }
  return false;
}

char *tutti_baseline_family_name(const tutti_baseline_family *family)
{
  const tutti_difference *worst = family->worst;
  bool program = worst->entry->kind == TUTTI_BASELINE_TIME;
  return tutti_xprintf("%s%s%.*s", program ? worst->section->name : "", program ? ": " : "",
                       family_length(worst->entry), worst->entry->key);
}
