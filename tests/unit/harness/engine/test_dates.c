/* The heap of dates against a search through all of them. */
#include "harness/engine/core/dates.h"
#include "unit/base/random.h"
#include "unit/test.h"

enum { ACTIONS = 60 };

/* Dates that are set and set anew come out by date, and of equal ones the one set first. */
static void run(uint64_t seed)
{
  FREED_BY(tutti_dates_free) struct engine_dates dates = {0};
  double wanted[ACTIONS];
  uint64_t set[ACTIONS], random = seed, sets = 0;
  for (int a = 0; a < ACTIONS; a++)
    wanted[a] = -1;
  for (int step = 0; step < 3000; step++) {
    uint32_t action = (uint32_t)random_below(&random, ACTIONS);
    if (random_below(&random, 3)) {
      wanted[action] = (double)random_below(&random, 8);
      set[action] = sets++;
      tutti_dates_set(&dates, action, wanted[action]);
      continue;
    }
    int first = -1;
    for (int a = 0; a < ACTIONS; a++)
      if (wanted[a] >= 0 &&
          (first < 0 || wanted[a] < wanted[first] || (wanted[a] == wanted[first] && set[a] < set[first])))
        first = a;
    if (first < 0) {
      assert_true(isinf(engine_dates_next(&dates, 0)));
      continue;
    }
    assert_true(engine_dates_next(&dates, 1) == wanted[first] - 1);
    assert_int_equal(tutti_dates_pop(&dates), first);
    wanted[first] = -1;
  }
}

TEST(test_order)
{
  for (uint64_t seed = 1; seed <= 50; seed++)
    run(seed);
}
