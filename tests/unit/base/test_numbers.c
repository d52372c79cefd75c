/* Sorting and summing up numbers. */
#include "base/numbers.h"
#include "unit/test.h"

TEST(numbers_are_sorted_and_once)
{
  uint64_t numbers[] = {7, UINT64_MAX, 0, 7, 3, UINT64_MAX};
  assert_int_equal(tutti_numbers_unique(numbers, 6), 4);
  assert_true(numbers[0] == 0 && numbers[1] == 3 && numbers[2] == 7 && numbers[3] == UINT64_MAX);
  assert_int_equal(tutti_numbers_unique(NULL, 0), 0);
}

TEST(doubles_keep_their_repetitions)
{
  double values[] = {0.5, -2, 1e300, 0.5};
  tutti_doubles_sort(values, 4);
  const double sorted[] = {-2, 0.5, 0.5, 1e300};
  for (int i = 0; i < 4; i++)
    assert_true(values[i] == sorted[i]);
  tutti_doubles_sort(NULL, 0);
}

TEST(the_median_is_in_the_middle)
{
  const double sorted[] = {1, 2, 4, 9};
  assert_true(tutti_doubles_median(sorted, 1) == 1);
  assert_true(tutti_doubles_median(sorted, 2) == 1.5);
  assert_true(tutti_doubles_median(sorted, 3) == 2);
  assert_true(tutti_doubles_median(sorted, 4) == 3);
}
