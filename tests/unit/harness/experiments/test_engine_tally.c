/* Differences of two engines: which level each is within, and the largest. */
#include "tutti/engine_tally.h"
#include "unit/test.h"

TEST(test_levels)
{
  static const double times[] = {2, 2 * (1 + 5e-13), 2 * (1 - 5e-10), 2 * (1 + 5e-7), 2 * (1 - 9e-3), 2.1, 2.1};
  static const size_t within[] = {2, 3, 4, 5};
  tutti_engine_tally tally = {0};
  for (int i = 0; i < 7; i++)
    tutti_engine_tally_add(&tally, 2, times[i], 1e-6);
  assert_int_equal(tally.points, 7);
  for (int level = 0; level < TUTTI_ENGINE_LEVELS; level++)
    assert_int_equal(tally.within[level], within[level]);
  assert_int_equal(tally.beyond, 3);
  assert_true(fabs(tally.largest - 0.05) < 1e-12 && tally.largest_at == 5);
}

/* Operations on one rank take no time. */
TEST(test_zeros)
{
  tutti_engine_tally tally = {0};
  tutti_engine_tally_add(&tally, 0, 0, 0);
  assert_true(tally.within[0] == 1 && tally.beyond == 0 && tally.largest == 0);
  tutti_engine_tally_add(&tally, 0, 1e-12, 1);
  assert_true(tally.within[3] == 1 && tally.beyond == 1 && isinf(tally.largest) && tally.largest_at == 1);
}
