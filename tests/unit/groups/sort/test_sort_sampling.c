/* Samples that processes draw without talking to each other; the cut of a pivot; and what a process does alone. */
#include "groups/sort/sampling.h"
#include "unit/base/random.h"
#include "unit/test.h"

/* However positions are shared out, all samples are somebody's. */
TEST(test_all_samples_are_drawn)
{
  for (uint64_t n = 1; n <= 300; n += 7)
    for (uint64_t samples = 1; samples <= 200; samples = 2 * samples + 1) {
      assert_int_equal(tutti_sort_samples_before(n, n, samples, 0), 0);
      assert_int_equal(tutti_sort_samples_before(n, n, samples, n), samples);
      for (uint64_t i = 0, last = 0; i <= n; i++) {
        uint64_t before = tutti_sort_samples_before(n, n, samples, i);
        assert_true(before >= last && before <= samples);
        last = before;
      }
    }
}

/* Each position has as many samples as it should, give or take five standard deviations. */
static void check_fair(uint64_t n, uint64_t samples, int rounds, uint64_t block)
{
  uint64_t blocks = n / block;
  double *hits = calloc(blocks, sizeof *hits), share = (double)block / (double)n;
  double draws = (double)samples * rounds, sigma = sqrt(draws * share * (1 - share)), square = 0;
  for (int seed = 0; seed < rounds; seed++)
    for (uint64_t b = 0; b < blocks; b++)
      hits[b] += (double)(tutti_sort_samples_before((uint64_t)seed, n, samples, (b + 1) * block) -
                          tutti_sort_samples_before((uint64_t)seed, n, samples, b * block));
  for (uint64_t b = 0; b < blocks; b++) {
    double off = (hits[b] - draws * share) / sigma;
    assert_true(fabs(off) < 5);
    square += off * off / (double)blocks;
  }
  assert_true(square > 0.5 && square < 1.6); /* neither too even nor too uneven */
  free(hits);
}

TEST(test_samples_are_fair)
{
  check_fair(101, 64, 4000, 1);
  check_fair(127, 5, 8000, 1);
  check_fair(64, 100, 4000, 1);
  check_fair(30011, 97, 3000, 300);
}

TEST(test_positions)
{
  int hits[10] = {0};
  for (uint64_t sample = 0; sample < 10000; sample++) {
    uint64_t position = tutti_sort_sample_position(3, sample, 10);
    assert_true(position < 10);
    hits[position]++;
  }
  for (int i = 0; i < 10; i++)
    assert_true(hits[i] > 850 && hits[i] < 1150);
}

TEST(test_sample_count)
{
  tutti_sort_how how = tutti_sort_how_default();
  assert_int_equal(tutti_sort_sample_count(&how, 100, 1), 16);
  assert_int_equal(tutti_sort_sample_count(&how, 100, 64), 96);
  assert_int_equal(tutti_sort_sample_count(&how, 64 * 64 * 1000, 64), 1000);
  assert_int_equal(tutti_sort_sample_count(&how, UINT64_C(1) << 50, 64), TUTTI_SORT_MAX_SAMPLES);
  how.k1 = how.k2 = how.k3 = 0;
  assert_int_equal(tutti_sort_sample_count(&how, 100, 64), 1);
}

TEST(test_cut)
{
  for (uint64_t total = 1; total <= 30; total++)
    for (uint64_t less = 0; less < total; less++)
      for (uint64_t equal = 1; less + equal <= total; equal++) {
        struct sort_cut cut = tutti_sort_cut(less, equal, total);
        assert_int_equal(cut.done, equal == total);
        assert_int_equal(cut.small, cut.with_equal ? less + equal : less);
        assert_true(cut.done || (cut.small > 0 && cut.small < total));
      }
  assert_true(tutti_sort_cut(1, 8, 20).with_equal);
  assert_false(tutti_sort_cut(8, 10, 20).with_equal);
}

enum { MOST = 60 };

static uint64_t fill(int64_t *data, uint64_t *random)
{
  uint64_t count = random_below(random, MOST), bound = random_below(random, 2) ? 1000 : 1 + random_below(random, 4);
  for (uint64_t i = 0; i < count; i++)
    data[i] = (int64_t)random_below(random, bound);
  return count;
}

TEST(test_select)
{
  tutti_sort_type type = tutti_sort_int64();
  uint64_t random = 5;
  for (int number = 0; number < 20000; number++) {
    int64_t data[MOST], sorted[MOST];
    uint64_t count = fill(data, &random), first = random_below(&random, count + 1);
    memcpy(sorted, data, sizeof data);
    tutti_sort_array(&type, sorted, count);
    tutti_sort_select(&type, data, count, first);
    for (uint64_t i = 0; i < first; i++)
      assert_true(first == count || data[i] <= sorted[first]);
    tutti_sort_array(&type, data, first);
    tutti_sort_array(&type, data + first, count - first);
    assert_memory_equal(data, sorted, count * sizeof *data);
  }
}

TEST(test_partition)
{
  tutti_sort_type type = tutti_sort_int64();
  uint64_t random = 6;
  for (int number = 0; number < 5000; number++) {
    int64_t data[MOST] = {0}, parted[MOST], pivot = 2;
    uint64_t count = fill(data, &random);
    struct sort_counts counts = tutti_sort_partition(&type, data, count, &pivot, parted);
    for (uint64_t i = 0; i < count; i++) {
      int part = (i >= counts.less) + (i >= counts.less + counts.equal);
      assert_int_equal((parted[i] >= pivot) + (parted[i] > pivot), part);
    }
    tutti_sort_array(&type, data, count);
    tutti_sort_array(&type, parted, count);
    assert_memory_equal(data, parted, count * sizeof *data);
  }
}

TEST(test_doubles)
{
  tutti_sort_type type = tutti_sort_double();
  double data[] = {NAN, 3, -INFINITY, 0., NAN, INFINITY, -1};
  tutti_sort_array(&type, data, 7);
  assert_true(data[0] == -INFINITY && data[1] == -1 && data[2] == 0 && data[3] == 3 && data[4] == INFINITY);
  assert_true(isnan(data[5]) && isnan(data[6]));
  double minus_zero = -0., zero = 0.;
  assert_int_equal(type.compare(&minus_zero, &zero, NULL), 0);
}

TEST(test_names)
{
  for (int i = 0; i < TUTTI_SORT_LAYERS; i++) {
    tutti_sort_layer layer = TUTTI_SORT_LAYERS;
    assert_int_equal(tutti_sort_layer_parse(tutti_sort_layer_name((tutti_sort_layer)i), &layer, &error), TUTTI_OK);
    assert_int_equal(layer, i);
  }
  tutti_sort_order order;
  assert_int_equal(tutti_sort_order_parse("cascade", &order, &error), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message,
                      "unknown order 'cascade' (did you mean 'cascaded'?): known are alternating, cascaded");
  assert_null(tutti_sort_assignment_name(TUTTI_SORT_ASSIGNMENTS));
}
