#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "decision/tuning/tuning.h"

static int by_gain(const void *left, const void *right)
{
  const struct profile_calls *a = *(const struct profile_calls *const *)left,
                             *b = *(const struct profile_calls *const *)right;
  return a->gain != b->gain ? THREE_WAY(b->gain, a->gain) : THREE_WAY(a, b);
}

static bool is_of(const struct tuning_rule *rule, const struct profile_calls *calls)
{
  return rule->calls->collective == calls->collective && rule->calls->ranks == calls->ranks;
}

/* Whether there are calls at or between the sizes for which another method is best, or none is known. */
static bool has_others(const struct program_profile *profile, const struct tuning_rule *rule, uint64_t first,
                       uint64_t last)
{
  for (size_t i = 0; i < profile->items.count; i++) {
    const struct profile_calls *calls = &profile->items.items[i];
    if (is_of(rule, calls) && calls->size >= first && calls->size <= last &&
        (!calls->known || tutti_method_compare(&calls->best, &rule->calls->best) != 0))
      return true;
  }
  return false;
}

/* Put the calls into a rule of their method that is there already, if nothing else lies between. */
static bool join(struct tuning_rules *rules, const struct program_profile *profile, const struct profile_calls *calls)
{
  for (size_t r = 0; r < rules->count; r++) {
    struct tuning_rule *rule = &rules->items[r];
    const uint64_t first = calls->size < rule->first ? calls->size : rule->first,
                   last = calls->size > rule->last ? calls->size : rule->last;
    if (!is_of(rule, calls) || tutti_method_compare(&rule->calls->best, &calls->best) != 0 ||
        has_others(profile, rule, first, last))
      continue;
    rule->first = first;
    rule->last = last;
    rule->gain += calls->gain;
    return true;
  }
  return false;
}

/* By collective and ranks. */
static int compare_ranks(const struct profile_calls *a, const struct profile_calls *b)
{
  return a->collective != b->collective ? THREE_WAY(a->collective, b->collective) : THREE_WAY(a->ranks, b->ranks);
}

static int by_point(const void *left, const void *right)
{
  const struct tuning_rule *a = left, *b = right;
  const int order = compare_ranks(a->calls, b->calls);
  return order ? order : THREE_WAY(a->first, b->first);
}

/* ---- what stays as it was ---- */

static int by_place(const void *left, const void *right)
{
  const struct profile_calls *a = *(const struct profile_calls *const *)left,
                             *b = *(const struct profile_calls *const *)right;
  const int order = compare_ranks(a, b);
  return order ? order : THREE_WAY(a->size, b->size);
}

static bool has_better(const struct tuning_rules *rules, const struct profile_calls *calls)
{
  for (size_t r = 0; r < rules->better; r++)
    if (is_of(&rules->items[r], calls) && calls->size >= rules->items[r].first && calls->size <= rules->items[r].last)
      return true;
  return false;
}

/* Did the library serve all of these calls, of one place, itself? */
static bool are_native(const struct profile_calls *const *calls, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (strcmp(calls[i]->method, "native") != 0)
      return false;
  return true;
}

/* Put the place into the last rule, if that goes on, or into a new one. */
static void keep(struct tuning_rules *rules, const struct profile_calls *calls, bool goes_on)
{
  const tutti_method native = {.algorithm = tutti_algorithm_find(calls->collective, "native")};
  struct tuning_rule *last = goes_on ? &rules->items[rules->count - 1] : NULL;
  if (last && is_of(last, calls))
    last->last = calls->size;
  else
    tutti_xpush(rules, ((struct tuning_rule){calls, native, calls->size, calls->size, 0}));
}

/* Without a rule the interposer would run a built-in one. Calls of other forms than blocking have none. */
static void keep_native(struct tuning_rules *rules, const struct program_profile *profile)
{
  const struct profile_calls **sorted = tutti_xcalloc(profile->items.count + 1, sizeof(*sorted));
  size_t count = 0, next;
  bool goes_on = false;
  for (size_t i = 0; i < profile->items.count; i++)
    if (tutti_calls_are_blocking(&profile->items.items[i]))
      sorted[count++] = &profile->items.items[i];
  qsort(sorted, count, sizeof(*sorted), by_place);
  for (size_t i = 0; i < count; i = next) {
    for (next = i + 1; next < count && by_place(&sorted[i], &sorted[next]) == 0;)
      next++;
    const bool stays = are_native(sorted + i, next - i) && !has_better(rules, sorted[i]);
    if (stays)
      keep(rules, sorted[i], goes_on);
    goes_on = stays;
  }
  free(sorted);
}

/* ---- all of them ---- */

struct tuning_rules tutti_tuning_rules(const struct program_profile *profile, double share)
{
  struct tuning_rules rules = {.count = 0};
  const struct profile_calls **sorted = tutti_xcalloc(profile->items.count + 1, sizeof(*sorted));
  size_t count = 0;
  for (size_t i = 0; i < profile->items.count; i++)
    if (profile->items.items[i].known && profile->items.items[i].gain > 0) {
      sorted[count++] = &profile->items.items[i];
      rules.all += profile->items.items[i].gain;
    }
  qsort(sorted, count, sizeof(*sorted), by_gain);
  for (size_t i = 0; i < count && rules.gain < share / 100 * rules.all; i++) {
    rules.gain += sorted[i]->gain;
    if (!join(&rules, profile, sorted[i]))
      tutti_xpush(&rules, ((struct tuning_rule){sorted[i], sorted[i]->best, sorted[i]->size, sorted[i]->size,
                                                sorted[i]->gain}));
  }
  free(sorted);
  tutti_vector_sort(&rules, by_point);
  rules.better = rules.count;
  keep_native(&rules, profile);
  return rules;
}

void tutti_tuning_rule_print(FILE *stream, const struct tuning_rule *rule)
{
  char method[TUTTI_METHOD_LENGTH];
  fprintf(stream, "%s ranks=%d", tutti_method_format(&rule->method, method), rule->calls->ranks);
  if (rule->calls->collective != TUTTI_COLL_BARRIER &&
      !(tutti_collective_traits(rule->calls->collective) & TUTTI_COUNTS_ARE_LOCAL))
    fprintf(stream, " bytes=%llu..%llu", (unsigned long long)rule->first, (unsigned long long)rule->last);
  fputc('\n', stream);
}
