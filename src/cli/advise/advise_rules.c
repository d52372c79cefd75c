/* The few rules that win most of the gain, and those that leave to the library what it did itself. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/advise/advise.h"

static int by_gain(const void *left, const void *right)
{
  const struct advise_calls *a = *(const struct advise_calls *const *)left,
                            *b = *(const struct advise_calls *const *)right;
  return a->gain != b->gain ? (a->gain < b->gain) - (a->gain > b->gain) : (a > b) - (a < b);
}

static bool is_of(const struct advise_rule *rule, const struct advise_calls *calls)
{
  return rule->calls->collective == calls->collective && rule->calls->ranks == calls->ranks;
}

/* Whether there are calls at or between the sizes for which another method is best, or none is known. */
static bool has_others(const struct advise_profile *profile, const struct advise_rule *rule, uint64_t first,
                       uint64_t last)
{
  for (size_t i = 0; i < profile->items.count; i++) {
    const struct advise_calls *calls = &profile->items.items[i];
    if (is_of(rule, calls) && calls->size >= first && calls->size <= last &&
        (!calls->known || tutti_method_compare(&calls->best, &rule->calls->best) != 0))
      return true;
  }
  return false;
}

/* Put the calls into a rule of their method that is there already, if nothing else lies between. */
static bool join(struct advise_rules *rules, const struct advise_profile *profile, const struct advise_calls *calls)
{
  for (size_t r = 0; r < rules->count; r++) {
    struct advise_rule *rule = &rules->items[r];
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

static int by_point(const void *left, const void *right)
{
  const struct advise_rule *a = left, *b = right;
  if (a->calls->collective != b->calls->collective)
    return (int)a->calls->collective - (int)b->calls->collective;
  if (a->calls->ranks != b->calls->ranks)
    return a->calls->ranks - b->calls->ranks;
  return (a->first > b->first) - (a->first < b->first);
}

/* ---- what stays as it was ---- */

static int by_place(const void *left, const void *right)
{
  const struct advise_calls *a = *(const struct advise_calls *const *)left,
                            *b = *(const struct advise_calls *const *)right;
  if (a->collective != b->collective)
    return (int)a->collective - (int)b->collective;
  if (a->ranks != b->ranks)
    return a->ranks - b->ranks;
  return (a->size > b->size) - (a->size < b->size);
}

static bool has_better(const struct advise_rules *rules, const struct advise_calls *calls)
{
  for (size_t r = 0; r < rules->better; r++)
    if (is_of(&rules->items[r], calls) && calls->size >= rules->items[r].first && calls->size <= rules->items[r].last)
      return true;
  return false;
}

/* Did the library serve all of these calls, of one place, itself? */
static bool are_native(const struct advise_calls *const *calls, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (strcmp(calls[i]->method, "native") != 0)
      return false;
  return true;
}

/* Put the place into the last rule, if that goes on, or into a new one. */
static void keep(struct advise_rules *rules, const struct advise_calls *calls, bool goes_on)
{
  const tutti_method native = {.algorithm = tutti_algorithm_find(calls->collective, "native")};
  struct advise_rule *last = goes_on ? &rules->items[rules->count - 1] : NULL;
  if (last && is_of(last, calls))
    last->last = calls->size;
  else
    tutti_xpush(rules, ((struct advise_rule){calls, native, calls->size, calls->size, 0}));
}

/* Without a rule the interposer would run a built-in one. Calls of other forms than blocking have none. */
static void keep_native(struct advise_rules *rules, const struct advise_profile *profile)
{
  const struct advise_calls **sorted = tutti_xcalloc(profile->items.count + 1, sizeof(*sorted));
  size_t count = 0, next;
  bool goes_on = false;
  for (size_t i = 0; i < profile->items.count; i++)
    if (advise_is_blocking(&profile->items.items[i]))
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

struct advise_rules advise_make_rules(const struct advise_profile *profile, double share)
{
  struct advise_rules rules = {.count = 0};
  const struct advise_calls **sorted = tutti_xcalloc(profile->items.count + 1, sizeof(*sorted));
  size_t count = 0;
  for (size_t i = 0; i < profile->items.count; i++)
    if (profile->items.items[i].known && profile->items.items[i].gain > 0) {
      sorted[count++] = &profile->items.items[i];
      rules.all += profile->items.items[i].gain;
    }
  qsort(sorted, count, sizeof(*sorted), by_gain);
  for (size_t i = 0; i < count && rules.gain < share / 100 * rules.all; i++) {
    rules.gain += sorted[i]->gain;
    if (!join(&rules, profile, sorted[i]) &&
        !tutti_vector_push(&rules, (struct advise_rule){sorted[i], sorted[i]->best, sorted[i]->size, sorted[i]->size,
                                                        sorted[i]->gain}))
      tutti_out_of_memory();
  }
  free(sorted);
  tutti_vector_sort(&rules, by_point);
  rules.better = rules.count;
  keep_native(&rules, profile);
  return rules;
}

void advise_rule_print(FILE *stream, const struct advise_rule *rule)
{
  char method[TUTTI_METHOD_LENGTH];
  fprintf(stream, "%s ranks=%d", tutti_method_format(&rule->method, method), rule->calls->ranks);
  if (rule->calls->collective != TUTTI_COLL_BARRIER &&
      !(tutti_collective_traits(rule->calls->collective) & TUTTI_COUNTS_ARE_LOCAL))
    fprintf(stream, " bytes=%llu..%llu", (unsigned long long)rule->first, (unsigned long long)rule->last);
  fputc('\n', stream);
}
