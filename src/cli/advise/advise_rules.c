/* The few rules that win most of the gain. */
#include <stdlib.h>

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
        !tutti_vector_push(&rules, (struct advise_rule){sorted[i], sorted[i]->size, sorted[i]->size, sorted[i]->gain}))
      tutti_out_of_memory();
  }
  free(sorted);
  tutti_vector_sort(&rules, by_point);
  return rules;
}

void advise_rule_print(FILE *stream, const struct advise_rule *rule)
{
  char method[TUTTI_METHOD_LENGTH];
  fprintf(stream, "%s ranks=%d", tutti_method_format(&rule->calls->best, method), rule->calls->ranks);
  if (rule->calls->collective != TUTTI_COLL_BARRIER)
    fprintf(stream, " bytes=%llu..%llu", (unsigned long long)rule->first, (unsigned long long)rule->last);
  fputc('\n', stream);
}
