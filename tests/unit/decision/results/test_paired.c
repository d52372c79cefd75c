/* Statistics of pairs against published examples, against all signs written out, and at their ends. */
#include "base/splitmix64.h"
#include "decision/results/paired.h"
#include "unit/test.h"

static void assert_near(double value, double expected, double tolerance)
{
  if (!(fabs(value - expected) <= tolerance))
    fail_msg("%.12g is not %.12g", value, expected);
}

/* Pairs whose logarithms differ by these numbers. */
static struct paired_test test_of(const double *differences, int count)
{
  double before[PAIRED_MAX], after[PAIRED_MAX];
  struct paired_test test;
  for (int i = 0; i < count; i++) {
    before[i] = 1;
    after[i] = exp(differences[i]);
  }
  assert_ok(tutti_paired_test(before, after, count, 0.05, &test, &error), error);
  return test;
}

/* Hollander and Wolfe 1973, p. 29: a depression scale at two visits of nine patients. They give T+ = 5 of the second
   less the first, 0.0391 on both sides, the estimate -0.46 and, at 96.1 %, the interval from -0.786 to -0.010. */
TEST(test_hollander_and_wolfe)
{
  static const double first[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
  static const double second[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
  double differences[9];
  for (int i = 0; i < 9; i++)
    differences[i] = second[i] - first[i];
  struct paired_test test = test_of(differences, 9);
  assert_int_equal(test.pairs, 9);
  assert_near(test.p, 20.0 / 512, 1e-12);
  assert_near(log(test.ratio), -0.46, 1e-9);
  assert_near(log(test.low), -0.786, 1e-9);
  assert_near(log(test.high), -0.010, 1e-9);
}

/* Darwin's crossed and self-fertilized maize (Fisher 1935, section 17), in eighths of an inch: two of 14 have one rank;
   0.0413 on both sides. Estimate and interval are those of R's wilcox.test(). */
TEST(test_darwin)
{
  static const double eighths[] = {49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48};
  double differences[15];
  for (int i = 0; i < 15; i++)
    differences[i] = eighths[i] / 8;
  struct paired_test test = test_of(differences, 15);
  assert_near(test.p, 0.04125977, 1e-8);
  assert_near(8 * log(test.ratio), 25, 1e-9);
  assert_near(8 * log(test.low), 4, 1e-9);
  assert_near(8 * log(test.high), 41.5, 1e-9);
}

/* The share of all possible signs of these sizes whose sum of ranks is as far from the middle as the given one, or
   more. */
static double p_of_all_signs(const double *differences, int count)
{
  double ranks[16], sum = 0, middle = 0;
  int extreme = 0, used = 0;
  for (int i = 0; i < count; i++) {
    int smaller = 0, equal = 0;
    if (differences[i] == 0)
      continue;
    for (int j = 0; j < count; j++) {
      smaller += differences[j] != 0 && fabs(differences[j]) < fabs(differences[i]);
      equal += fabs(differences[j]) == fabs(differences[i]);
    }
    ranks[used] = smaller + 0.5 * (equal + 1);
    middle += ranks[used] / 2;
    sum += differences[i] > 0 ? ranks[used] : 0;
    used++;
  }
  for (int signs = 0; signs < 1 << used; signs++) {
    double other = 0;
    for (int i = 0; i < used; i++)
      other += signs >> i & 1 ? ranks[i] : 0;
    extreme += fabs(other - middle) >= fabs(sum - middle);
  }
  return (double)extreme / (1 << used);
}

/* Small whole numbers are often equal, and often 0. */
TEST(test_equal_differences)
{
  uint64_t random = 7;
  for (int trial = 0; trial < 300; trial++) {
    double differences[12];
    int count = 1 + (int)(tutti_splitmix64_next(&random) % 12);
    for (int i = 0; i < count; i++)
      differences[i] = (double)(tutti_splitmix64_next(&random) % 9) / 4 - 0.75;
    double expected = p_of_all_signs(differences, count);
    assert_near(test_of(differences, count).p, expected < 1 ? expected : 1, 1e-12);
  }
}

TEST(test_nothing_differs)
{
  static const double none[8] = {0};
  struct paired_test test = test_of(none, 8);
  assert_true(test.p == 1 && test.ratio == 1 && test.low == 1 && test.high == 1);
}

/* Six pairs are the fewest with an interval of 95 %. */
TEST(test_few_pairs)
{
  static const double all_slower[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  struct paired_test five = test_of(all_slower, 5), six = test_of(all_slower, 6);
  assert_near(five.p, 0.0625, 1e-12);
  assert_true(isnan(five.low) && isnan(five.high));
  assert_near(six.p, 0.03125, 1e-12);
  assert_near(log(six.low), 0.1, 1e-11);
  assert_near(log(six.high), 0.6, 1e-11);
}

TEST(test_medians_and_ratio)
{
  static const double before[] = {1e-6, 3e-6, 2e-6}, after[] = {2e-6, 6e-6, 4e-6};
  struct paired_test test;
  assert_int_equal(tutti_paired_test(before, after, 3, 0.05, &test, NULL), TUTTI_OK);
  assert_near(test.before, 2e-6, 1e-18);
  assert_near(test.after, 4e-6, 1e-18);
  assert_near(test.ratio, 2, 1e-11);
}

TEST(test_times_that_are_none)
{
  static const double before[] = {1e-6, 1e-6}, after[] = {1e-6, -1e-9};
  struct paired_test test;
  assert_int_equal(tutti_paired_test(before, after, 2, 0.05, &test, &error), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message, "pair 2, 1e-06 s and -1e-09 s, is not one of positive times");
  assert_int_equal(tutti_paired_test(before, after, 0, 0.05, &test, &error), TUTTI_ERR_ARGUMENT);
}

/* By R's p.adjust(p, "holm"). */
TEST(test_correction)
{
  double some[] = {0.01, 0.04, 0.03, 0.005}, large[] = {0.5, 0.9};
  static const double expected[] = {0.03, 0.06, 0.06, 0.02};
  tutti_paired_correct(some, 4);
  for (int i = 0; i < 4; i++)
    assert_near(some[i], expected[i], 1e-15);
  tutti_paired_correct(large, 2);
  assert_true(large[0] == 1 && large[1] == 1);
  tutti_paired_correct(NULL, 0);
}

/* With one pair less no point can be significant, with that many one whose pairs all agree is. */
TEST(test_least_pairs)
{
  double differences[PAIRED_MAX];
  assert_int_equal(tutti_paired_least(1, 0.05), 6);
  assert_int_equal(tutti_paired_least(60, 0.05), 12);
  for (int i = 0; i < PAIRED_MAX; i++)
    differences[i] = 0.1 + i;
  for (int points = 1; points < 1000; points += 37) {
    int least = tutti_paired_least(points, 0.05);
    assert_true(points * test_of(differences, least).p <= 0.05);
    assert_true(points * test_of(differences, least - 1).p > 0.05);
  }
}

/* The largest number of pairs is still exact enough: p of the middle, and of the end. */
TEST(test_many_pairs)
{
  double differences[PAIRED_MAX];
  for (int i = 0; i < PAIRED_MAX; i++)
    differences[i] = i % 2 ? 1 + i : -1 - i;
  assert_true(test_of(differences, PAIRED_MAX).p > 0.5);
  for (int i = 0; i < PAIRED_MAX; i++)
    differences[i] = 1 + i;
  assert_true(test_of(differences, PAIRED_MAX).p < 1e-50);
}
