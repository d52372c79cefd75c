/* Verdicts on pairs: false discoveries after R, equality against all signs written out, the four words, and what the
   power promises. */
#include "base/splitmix64.h"
#include "decision/results/verdict.h"
#include "unit/test.h"

static void assert_near(double value, double expected, double tolerance)
{
  if (!(fabs(value - expected) <= tolerance))
    fail_msg("%.12g is not %.12g", value, expected);
}

/* A normal deviate (Box, Muller 1958). */
static double draw(uint64_t *random)
{
  const double u = (double)((tutti_splitmix64_next(random) >> 11) + 1) * 0x1p-53;
  const double v = (double)(tutti_splitmix64_next(random) >> 11) * 0x1p-53;
  return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* A point of pairs with this ratio, and noise of this size in each of the two times. */
static struct verdict point_of(double ratio, double noise, int pairs, uint64_t *random)
{
  double before[PAIRED_MAX], after[PAIRED_MAX];
  struct verdict point;
  for (int i = 0; i < pairs; i++) {
    before[i] = 1e-5 * exp(noise * draw(random));
    after[i] = 1e-5 * ratio * exp(noise * draw(random));
  }
  assert_ok(tutti_verdict_test(before, after, pairs, 0.05, 0.05, &point, &error), error);
  return point;
}

/* By R's p.adjust(p, "BH"). */
TEST(test_false_discoveries)
{
  double some[] = {0.01, 0.04, 0.03, 0.005, 0.9};
  static const double expected[] = {0.025, 0.05, 0.05, 0.025, 0.9};
  tutti_paired_discover(some, 5);
  for (int i = 0; i < 5; i++)
    assert_near(some[i], expected[i], 1e-15);
  tutti_paired_discover(NULL, 0);
}

/* The share of all signs of these sizes with a sum of positive ranks that is at most theirs. */
static double p_below(const double *differences, int count)
{
  double ranks[12], sum = 0;
  int below = 0;
  for (int i = 0; i < count; i++) {
    ranks[i] = 0.5;
    for (int j = 0; j < count; j++)
      ranks[i] += (fabs(differences[j]) < fabs(differences[i])) + 0.5 * (fabs(differences[j]) == fabs(differences[i]));
    sum += differences[i] > 0 ? ranks[i] : 0;
  }
  for (int signs = 0; signs < 1 << count; signs++) {
    double other = 0;
    for (int i = 0; i < count; i++)
      other += signs >> i & 1 ? ranks[i] : 0;
    below += other <= sum;
  }
  return (double)below / (1 << count);
}

TEST(test_within_margin)
{
  uint64_t random = 3;
  for (int trial = 0; trial < 100; trial++) {
    const int count = 1 + (int)(tutti_splitmix64_next(&random) % 10);
    double before[12], after[12], low[12], high[12];
    for (int i = 0; i < count; i++) {
      const double difference = 0.05 * draw(&random);
      before[i] = 1;
      after[i] = exp(difference);
      high[i] = difference - log(1.05);
      low[i] = -difference - log(1.05);
    }
    assert_near(tutti_paired_within(before, after, count, 0.05), fmax(p_below(high, count), p_below(low, count)),
                1e-12);
  }
}

TEST(test_four_words)
{
  uint64_t random = 5;
  struct verdict points[6];
  static const double ratios[] = {1.2, 0.8, 1, 1.03, 1.02}, noises[] = {0.02, 0.02, 0.01, 0.004, 0.2};
  static const tutti_pair_verdict expected[] = {TUTTI_SLOWER, TUTTI_FASTER,       TUTTI_EQUAL,
                                                TUTTI_EQUAL,  TUTTI_NOT_MEASURED, TUTTI_NOT_MEASURED};
  for (int i = 0; i < 5; i++)
    points[i] = point_of(ratios[i], noises[i], 16, &random);
  points[5] = point_of(1, 0, 0, &random); /* without a pair */
  tutti_verdict_decide(points, 6, 0.05, 0.05);
  for (int i = 0; i < 6; i++)
    assert_string_equal(tutti_pair_verdict_name(points[i].verdict), tutti_pair_verdict_name(expected[i]));
  assert_true(points[3].corrected <= 0.05); /* it differs, but by less than the margin */
  assert_true(isnan(points[5].finds) && points[5].enough == 0 && isnan(points[5].test.ratio));
}

/* Five pairs prove nothing at 5 %, however large the difference; nor do seven, of 20 points. */
TEST(test_too_few_pairs)
{
  uint64_t random = 9;
  struct verdict points[20];
  for (int pairs = 0; pairs < 5; pairs++) {
    points[0] = point_of(3, 0.01, pairs, &random);
    tutti_verdict_decide(points, 1, 0.05, 0.05);
    assert_int_equal(points[0].verdict, TUTTI_NOT_MEASURED);
    assert_true(isnan(points[0].finds));
  }
  for (int i = 0; i < 20; i++)
    points[i] = point_of(i == 0 ? 3 : 1, 0.01, 7, &random);
  for (int i = 1; i < 20; i++)
    points[i].test.p = points[i].outside = 1;
  tutti_verdict_decide(points, 20, 0.05, 0.05);
  assert_int_equal(points[0].verdict, TUTTI_NOT_MEASURED);
}

/* What is said to be found is found as often as promised, and so is equality with the pairs that are said to be enough.
 */
TEST(test_power)
{
  enum { TRIALS = 400, PAIRS = 20 };
  uint64_t random = 11;
  double finds = 0, enough = 0;
  int found = 0, equal = 0;
  for (int i = 0; i < TRIALS; i++) {
    struct verdict point = point_of(1, 0.05, PAIRS, &random);
    tutti_verdict_decide(&point, 1, 0.05, 0.05);
    finds += point.finds / TRIALS;
    enough += (double)point.enough / TRIALS;
  }
  for (int i = 0; i < TRIALS; i++) {
    struct verdict slower = point_of(1 + finds, 0.05, PAIRS, &random);
    struct verdict same = point_of(1, 0.05, (int)enough, &random);
    tutti_verdict_decide(&slower, 1, 1e-9, 0.05);
    tutti_verdict_decide(&same, 1, 0.05, 0.05);
    found += slower.verdict == TUTTI_SLOWER;
    equal += same.verdict == TUTTI_EQUAL;
  }
  assert_in_range(found, TRIALS * 72 / 100, TRIALS * 90 / 100);
  assert_in_range(equal, TRIALS * 72 / 100, TRIALS * 90 / 100);
}

/* Without a difference any point of many is called slower or faster in at most 5 % of the comparisons. */
TEST(test_nothing_differs)
{
  enum { TRIALS = 300, POINTS = 20 };
  uint64_t random = 13;
  int false_calls = 0;
  for (int trial = 0; trial < TRIALS; trial++) {
    struct verdict points[POINTS];
    bool any = false;
    for (int i = 0; i < POINTS; i++)
      points[i] = point_of(1, 0.1, 14, &random);
    tutti_verdict_decide(points, POINTS, 0.05, 0.05);
    for (int i = 0; i < POINTS; i++)
      any = any || points[i].verdict == TUTTI_SLOWER || points[i].verdict == TUTTI_FASTER;
    false_calls += any;
  }
  assert_true(false_calls <= TRIALS * 5 / 100 + 11); /* three standard deviations */
}
