/* What kinds of points got worse: the algorithms. */
#include <string.h>

#include "cli/check/check.h"

const tutti_difference *check_differences(const tutti_baseline_comparison *comparison, tutti_baseline_verdict verdict)
{
  size_t first = 0;
  for (int v = 0; v < (int)verdict; v++)
    first += comparison->counts[v];
  return comparison->count > 0 ? comparison->differences + first : NULL;
}

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

/* Is it the first difference of its line, or of its family? */
static bool is_first(const tutti_difference *worse, size_t index, bool same_line)
{
  for (size_t i = 0; i < index; i++)
    if (same_line ? worse[i].entry == worse[index].entry : same_family(worse[i].entry, worse[index].entry))
      return false;
  return true;
}

/* Points of the baseline of this family, and how many of them are worse in any value. */
static void count_points(const tutti_baseline_comparison *comparison, const tutti_difference *worse,
                         struct check_family *family)
{
  const tutti_baseline_entry *entry = family->worst->entry;
  for (size_t s = 0; s < comparison->before->count; s++)
    for (size_t i = 0; i < comparison->before->sections[s].count; i++)
      family->points += same_family(entry, &comparison->before->sections[s].entries[i]);
  for (size_t i = 0; i < comparison->counts[TUTTI_BASELINE_WORSE]; i++)
    family->worse += same_family(entry, worse[i].entry) && is_first(worse, i, true);
}

bool check_next_family(const tutti_baseline_comparison *comparison, size_t *next, struct check_family *family)
{
  const tutti_difference *worse = check_differences(comparison, TUTTI_BASELINE_WORSE);
  while (*next < comparison->counts[TUTTI_BASELINE_WORSE]) {
    size_t index = (*next)++;
    if (!is_first(worse, index, false))
      continue;
    *family = (struct check_family){.worst = &worse[index], .length = family_length(worse[index].entry)};
    count_points(comparison, worse, family);
    return true;
  }
  return false;
}
