/* Statistics of repetitions against counting, sorting and the exact binomial distribution. */
#include "harness/measure/statistics.h"
#include "unit/base/random.h"
#include "unit/test.h"

enum { MOST = 400 };

static double random_value(uint64_t *seed, int distinct)
{
  return ((double)random_below(seed, (uint64_t)distinct) - distinct / 3) * 1e-10;
}

/* The value of which exactly `rank` (from 1) are not larger, ties in any order: no sorting needed. */
static double of_rank(const double *values, int count, int rank)
{
  for (int i = 0; i < count; i++) {
    int less = 0, equal = 0;
    for (int j = 0; j < count; j++) {
      less += values[j] < values[i];
      equal += values[j] == values[i];
    }
    if (less < rank && rank <= less + equal)
      return values[i];
  }
  fail_msg("no value has rank %d of %d", rank, count);
  return 0;
}

static double median_by_rank(const double *values, int count)
{
  return 0.5 * (of_rank(values, count, (count + 1) / 2) + of_rank(values, count, count / 2 + 1));
}

static double mean_of(const double *values, int count)
{
  long double sum = 0;
  for (int i = 0; i < count; i++)
    sum += values[i];
  return (double)(sum / count);
}

TEST(same_as_by_counting)
{
  uint64_t seed = 1;
  for (int round = 0; round < 300; round++) {
    double values[MOST], original[MOST];
    int count = 1 + (int)random_below(&seed, round < 200 ? 12 : 120);
    for (int i = 0; i < count; i++)
      values[i] = random_value(&seed, round % 3 ? 1000000 : 5);
    memcpy(original, values, sizeof original);
    struct statistics s = tutti_statistics_of(values, count);
    assert_int_equal(s.count, count);
    assert_true(s.minimum == of_rank(original, count, 1));
    assert_true(s.maximum == of_rank(original, count, count));
    assert_true(s.median == median_by_rank(original, count));
    assert_true(fabs(s.mean - mean_of(original, count)) <= 1e-17);
    for (int i = 0; i < count; i++)
      assert_true(values[i] == of_rank(original, count, i + 1));
  }
}

/* Probability that the median lies between the values of rank low and high (from 1): the number of values below it is
   binomial with one half. */
static double coverage(int count, int low, int high)
{
  long double sum = 0;
  for (int below = low; below < high; below++)
    sum += expl(lgammal(count + 1.0L) - lgammal(below + 1.0L) - lgammal(count - below + 1.0L) - count * logl(2.0L));
  return (double)sum;
}

/* For the values 1..n the ends of the interval are their ranks. */
static void interval_of(int count, int *low, int *high)
{
  double values[MOST];
  for (int i = 0; i < count; i++)
    values[i] = (i * 7919L % 997) * 1000 + i; /* shuffled */
  double sorted[MOST];
  memcpy(sorted, values, (size_t)count * sizeof *sorted);
  struct statistics s = tutti_statistics_of(sorted, count);
  for (int i = 0; i < count; i++) {
    if (sorted[i] == s.low)
      *low = i + 1;
    if (sorted[i] == s.high)
      *high = i + 1;
  }
}

/* The interval has 95 %, is symmetric, and is at most one rank wider on each side than it must be. */
TEST(interval_has_95_percent)
{
  for (int count = 6; count <= MOST; count++) {
    int low = 0, high = 0;
    interval_of(count, &low, &high);
    assert_int_equal(low + high, count + 1);
    assert_true(coverage(count, low, high) >= 0.95);
    assert_true(coverage(count, low + 2, high - 2) < 0.95);
  }
}

TEST(few_values_have_their_extremes)
{
  for (int count = 1; count < 6; count++) {
    double values[] = {5, 1, 4, 2, 3};
    struct statistics s = tutti_statistics_of(values, count);
    assert_true(s.low == s.minimum);
    assert_true(s.high == s.maximum);
  }
}

TEST(one_value_is_exact)
{
  double value = 0.1 + 0.2;
  struct statistics s = tutti_statistics_of(&value, 1);
  assert_true(s.minimum == value && s.median == value && s.mean == value && s.maximum == value);
  assert_false(tutti_statistics_are_stable(&s, 1e9));
}

static struct statistics interval(int count, double median, double low, double high)
{
  return (struct statistics){.count = count, .median = median, .low = low, .high = high};
}

TEST(settled_within_the_bound)
{
  struct statistics exact = interval(6, 8, 7.5, 8.5), wide = interval(6, 8, 7.5, 8.5000001);
  struct statistics few = interval(5, 8, 8, 8), none = interval(100, 0, 0, 0);
  struct statistics negative = interval(6, -8, -8.5, -7.5), flat = interval(6, 8, 8, 8);
  assert_true(tutti_statistics_are_stable(&exact, 0.0625));
  assert_false(tutti_statistics_are_stable(&wide, 0.0625));
  assert_true(tutti_statistics_are_stable(&negative, 0.0625));
  assert_false(tutti_statistics_are_stable(&negative, 0.06));
  assert_true(tutti_statistics_are_stable(&flat, 0.0));
  assert_true(tutti_statistics_are_stable(&none, 0.05));
  assert_false(tutti_statistics_are_stable(&few, 1));
}

/* Times of 4 calls and a barrier, and of the barrier alone; intervals of 3 and 4, and of 6 and 8. */
TEST(difference_is_of_one_call)
{
  const struct statistics with = {
      .count = 9, .minimum = 90, .median = 120, .mean = 124, .maximum = 200, .low = 117, .high = 128};
  const struct statistics without = {
      .count = 7, .minimum = 10, .median = 20, .mean = 30, .maximum = 90, .low = 14, .high = 24};
  struct statistics d = tutti_statistics_of_difference(&with, &without, 4);
  assert_true(d.count == 9 && d.calls == 4);
  assert_true(d.minimum == 20 && d.median == 25 && d.mean == 26 && d.maximum == 45);
  assert_true(d.low == 25 - 1.25 && d.high == 25 + 2.5);
  assert_true(tutti_statistics_spread(&d) == 1.875);
}

/* The interval of a difference of medians has 95 % of them, and is not much wider than it must be. */
TEST(difference_is_inside_its_interval)
{
  enum { ROUNDS = 4000, COUNT = 40 };
  uint64_t seed = 5;
  int inside = 0;
  for (int round = 0; round < ROUNDS; round++) {
    double with[COUNT], without[COUNT];
    for (int i = 0; i < COUNT; i++) {
      double noise = -log((double)(random_below(&seed, 1000000) + 1) * 1e-6); /* exponential: its median is ln 2 */
      with[i] = 10 + noise;
      without[i] = 3 - log((double)(random_below(&seed, 1000000) + 1) * 1e-6);
    }
    struct statistics a = tutti_statistics_of(with, COUNT), b = tutti_statistics_of(without, COUNT);
    struct statistics d = tutti_statistics_of_difference(&a, &b, 1);
    inside += d.low <= 7 && 7 <= d.high;
  }
  assert_true(inside >= 0.945 * ROUNDS && inside <= 0.995 * ROUNDS);
}
