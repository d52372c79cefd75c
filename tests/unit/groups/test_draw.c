/* Draws: exact numbers, fractions that come out, colors that are shared out evenly, and what is refused. */
#include "tutti/group_run.h"
#include "unit/test.h"

static tutti_group_sample sample_of(int size, double fraction, int members, uint64_t seed)
{
  return (tutti_group_sample){.size = size, .fraction = fraction, .members = members, .colors = 1, .seed = seed};
}

static int count_members(const tutti_group_sample *sample)
{
  int members = 0;
  for (int i = 0; i < sample->size; i++)
    members += tutti_group_sample_color(sample, i) >= 0;
  return members;
}

static uint64_t fingerprint(const tutti_group_sample *sample)
{
  uint64_t sum = 0;
  for (int i = 0; i < sample->size; i++)
    if (tutti_group_sample_color(sample, i) >= 0)
      sum += tutti_group_sample_mark(i, tutti_group_sample_color(sample, i));
  return sum;
}

TEST(test_exactly_so_many)
{
  for (int size = 1; size <= 70; size++)
    for (int members = 0; members <= size; members++)
      for (uint64_t seed = 0; seed < 3; seed++) {
        tutti_group_sample sample = sample_of(size, -1, members, seed);
        assert_int_equal(tutti_group_sample_check(&sample, NULL), TUTTI_OK);
        assert_int_equal(count_members(&sample), members);
      }
  tutti_group_sample large = sample_of(1 << 17, -1, 39322, 7);
  assert_int_equal(count_members(&large), 39322);
}

/* Every process is among one of 100 a hundred times in 10,000 draws, give or take five standard deviations. */
TEST(test_exact_draws_are_fair)
{
  int hits[100] = {0};
  for (uint64_t seed = 0; seed < 10000; seed++) {
    tutti_group_sample sample = sample_of(100, -1, 1, seed);
    for (int i = 0; i < 100; i++)
      hits[i] += tutti_group_sample_color(&sample, i) >= 0;
  }
  for (int i = 0; i < 100; i++)
    assert_uint_in_range(hits[i], 50, 150);
}

TEST(test_fractions)
{
  static const double fractions[] = {0, 0.001, 0.01, 0.1, 0.3, 0.6, 0.9, 0.99, 1};
  const int size = 100000;
  for (size_t f = 0; f < sizeof fractions / sizeof *fractions; f++)
    for (uint64_t seed = 1; seed < 4; seed++) {
      tutti_group_sample sample = sample_of(size, fractions[f], -1, seed);
      double expected = size * fractions[f], deviation = sqrt(expected * (1 - fractions[f]));
      assert_true(fabs(count_members(&sample) - expected) <= 5 * deviation);
    }
}

/* A larger fraction keeps the members of a smaller one, and more processes those of fewer: sweeps compare alike. */
TEST(test_fractions_nest)
{
  tutti_group_sample few = sample_of(1000, 0.1, -1, 7), more = sample_of(5000, 0.3, -1, 7);
  for (int i = 0; i < few.size; i++)
    assert_true(tutti_group_sample_color(&few, i) < 0 || tutti_group_sample_color(&more, i) == 0);
}

TEST(test_seeds_differ)
{
  tutti_group_sample one = sample_of(1000, 0.5, -1, 1), other = sample_of(1000, 0.5, -1, 2);
  assert_true(fingerprint(&one) == fingerprint(&one));
  assert_true(fingerprint(&one) != fingerprint(&other));
}

TEST(test_colors)
{
  tutti_group_sample sample = sample_of(80000, 0.5, -1, 3), one = sample;
  int members[8] = {0};
  sample.colors = 8;
  for (int i = 0; i < sample.size; i++) {
    int color = tutti_group_sample_color(&sample, i);
    assert_uint_in_range(color + 1, 0, 8);
    assert_int_equal(color >= 0, tutti_group_sample_color(&one, i) >= 0);
    if (color >= 0)
      members[color]++;
  }
  for (int c = 0; c < 8; c++)
    assert_uint_in_range(members[c], 4700, 5300);
  assert_true(fingerprint(&sample) != fingerprint(&one));
}

/* The numbers are the same everywhere and for ever: what was published with a seed can be had again. */
TEST(test_known_values)
{
  tutti_group_sample sample = sample_of(2048, 0.3, -1, 7), exact = sample_of(2048, -1, 614, 7);
  assert_int_equal(count_members(&sample), 608);
  assert_true(fingerprint(&sample) == UINT64_C(0xc7c6e74cdd74f47f));
  assert_true(fingerprint(&exact) == UINT64_C(0x2c21b54aaa5054bd));
}

static void assert_refused(tutti_group_sample sample, const char *named)
{
  assert_fails(tutti_group_sample_check(&sample, &error), TUTTI_ERR_ARGUMENT, error, named);
}

TEST(test_refuses_what_is_out_of_range)
{
  assert_refused(sample_of(0, 0.5, -1, 1), "0 processes");
  assert_refused(sample_of(10, 1.5, -1, 1), "fraction 1.5");
  assert_refused(sample_of(10, -0.5, -1, 1), "fraction -0.5");
  assert_refused(sample_of(10, NAN, -1, 1), "fraction");
  assert_refused(sample_of(10, 0, 11, 1), "11 members");
  tutti_group_sample colorless = sample_of(10, 0.5, -1, 1);
  colorless.colors = 0;
  assert_refused(colorless, "0 colours");
}

static void assert_text(tutti_group_sample sample, const char *expected)
{
  char text[TUTTI_GROUP_SAMPLE_LENGTH];
  assert_string_equal(tutti_group_sample_format(&sample, text), expected);
}

TEST(test_text)
{
  assert_text(sample_of(10, 0.3, -1, 1), "fraction=0.3");
  assert_text(sample_of(10, 0, -1, 1), "fraction=0");
  assert_text(sample_of(10, 1, -1, 1), "fraction=1");
  assert_text(sample_of(10, 1.0 / 3, -1, 1), "fraction=0.3333333333333333");
  assert_text(sample_of(10, 0.3, 4, 1), "members=4");
}
