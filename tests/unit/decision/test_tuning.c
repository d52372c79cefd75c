/* Gains of the calls of a profile, and the fewest rules that win them. */
#include "base/memory.h"
#include "decision/tuning/tuning.h"
#include "unit/decision/map_fixture.h"

/* One second of 4 ranks in calls without waiting, sampled often. */
static void add(struct program_profile *profile, uint64_t size, const char *method)
{
  struct profile_calls calls = {
      .collective = TUTTI_COLL_BCAST, .ranks = 4, .nodes = 4, .size = size, .calls = 100, .samples = 100, .total = 1};
  strcpy(calls.method, method);
  tutti_xpush(&profile->items, calls);
}

/* Between 16 and 256 B the times follow the sizes; of 4 B none is known. */
TEST(test_gains_and_rules)
{
  const tutti_measurement points[] = {map_point("bcast/linear", 4, 15, 2),   map_point("bcast/linear", 4, 255, 8),
                                      map_point("bcast/binomial", 4, 15, 1), map_point("bcast/binomial", 4, 255, 2),
                                      map_point("bcast/linear", 4, 1023, 1), map_point("bcast/binomial", 4, 1023, 1.5)};
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(points, sizeof points / sizeof *points);
  FREED_BY(tutti_profile_free) struct program_profile profile = {.ranks = 4, .ranks_per_node = 1};
  for (int i = 0; i < 5; i++)
    add(&profile, (const uint64_t[]){15, 63, 255, 1023, 4}[i], i == 4 ? "native" : "bcast/linear");
  tutti_profile_weigh(&profile, &map, &(tutti_decision){.name = NULL}, &(struct profile_layout){.ranks_per_node = 2});
  const struct profile_calls *calls = profile.items.items;
  assert_true(fabs(calls[1].untuned_s - 4) < 1e-9 && fabs(calls[1].best_s - sqrt(2)) < 1e-9);
  assert_true(fabs(calls[0].gain - 0.5) < 1e-9 && fabs(calls[2].gain - 0.75) < 1e-9);
  assert_true(calls[3].known && calls[3].gain == 0 && !calls[4].known);
  /* Times of 2 ranks a node, and calls on 4 nodes. */
  assert_ptr_equal(profile.elsewhere.calls, &calls[0]);
  /* Two thirds of 0.5 + 0.65 + 0.75 are the longest two; all of it is one rule of three sizes. */
  struct tuning_rules rules = tutti_tuning_rules(&profile, 66);
  assert_true(rules.better == 1 && rules.items[0].first == 63 && rules.items[0].last == 255);
  tutti_vector_free(&rules);
  rules = tutti_tuning_rules(&profile, 100);
  assert_true(rules.count == 2 && rules.better == 1 && rules.items[0].first == 15 && rules.items[0].last == 255);
  assert_true(fabs(rules.gain - rules.all) < 1e-9 && rules.gain > 1.8);
  assert_string_equal(rules.items[1].method.algorithm->name, "native");
  assert_true(rules.items[1].first == 4 && rules.items[1].last == 4);
  tutti_vector_free(&rules);
}
