/* Decision maps as data: filling in, smoothing, restricting, folds, labels. */
#include "tutti/learners.h"
#include "unit/base/random.h"
#include "unit/decision/map_fixture.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool is_close(double a, double b)
{
  return fabs(a - b) < 1e-12;
}

/* Linear lacks one size between two, one communicator between two, and the last corner. */
TEST(test_fills_by_straight_lines)
{
  const tutti_measurement m[] = {
      map_point("bcast/linear", 2, 100, 1),   map_point("bcast/linear", 2, 400, 4),
      map_point("bcast/linear", 6, 100, 3),   map_point("bcast/binomial", 2, 100, 5),
      map_point("bcast/binomial", 2, 200, 5), map_point("bcast/binomial", 2, 400, 5),
      map_point("bcast/binomial", 3, 100, 5), map_point("bcast/binomial", 3, 400, 5),
      map_point("bcast/binomial", 6, 100, 5), map_point("bcast/binomial", 6, 400, 1),
  };
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(m, COUNT(m));
  tutti_map_filled filled;
  tutti_decision_map_fill(&map, &filled);
  assert_true(is_close(map_time(&map, "bcast/linear", 2, 200), 2));   /* 1 + 3 / 3 */
  assert_true(is_close(map_time(&map, "bcast/linear", 3, 100), 1.5)); /* 1 + 2 / 4 */
  assert_true(isnan(map_time(&map, "bcast/linear", 6, 400)));
  assert_true(isnan(map_time(&map, "bcast/linear", 3, 400)));
  assert_true(is_close(map_time(&map, "bcast/binomial", 6, 200), 5 - 4.0 / 3));
  assert_true(is_close(map_time(&map, "bcast/binomial", 3, 200), 5));
  assert_true(filled.measured == 10 && filled.between_sizes == 3 && filled.between_ranks == 1);
  assert_true(filled.substituted == 0 && filled.left == 4); /* linear at 3 and 6 ranks with 200 and 400 bytes */
  assert_int_equal(map.best[1], 0);                         /* linear at 2 ranks and 200 bytes */
}

/* Recursive doubling needs a power of two: between 4 and 8 ranks it is bruck that runs. */
TEST(test_fills_by_the_substitute)
{
  const tutti_measurement m[] = {
      map_point("allgather/bruck", 4, 8, 4),  map_point("allgather/recursive-doubling", 4, 8, 1),
      map_point("allgather/bruck", 6, 8, 5),  map_point("allgather/ring", 6, 8, 9),
      map_point("allgather/bruck", 8, 8, 6),  map_point("allgather/recursive-doubling", 8, 8, 2),
      map_point("allgather/bruck", 8, 16, 7), map_point("allgather/bruck", 4, 16, 7),
  };
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(m, COUNT(m));
  tutti_map_filled filled;
  tutti_decision_map_fill(&map, &filled);
  assert_true(map_time(&map, "allgather/recursive-doubling", 6, 8) == 5);
  assert_true(is_close(map_time(&map, "allgather/recursive-doubling", 6, 16), 7)); /* bruck is filled in itself */
  assert_true(isnan(map_time(&map, "allgather/recursive-doubling", 8, 16)));       /* within its domain */
  assert_true(isnan(map_time(&map, "allgather/ring", 4, 8)));
  assert_true(filled.substituted == 2 && filled.between_ranks == 1 && filled.between_sizes == 0);
  assert_true(filled.measured == 8 && filled.left == 7); /* 18 times in all */
}

/* What is filled in (100 s at 3 ranks and 2 bytes) is not a base for more: each line has measured ends. */
TEST(test_lines_end_at_measurements)
{
  const tutti_measurement m[] = {
      map_point("bcast/linear", 2, 2, 2),     map_point("bcast/linear", 8, 2, 8),
      map_point("bcast/linear", 3, 1, 100),   map_point("bcast/linear", 3, 4, 100),
      map_point("bcast/binomial", 4, 2, 100),
  };
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(m, COUNT(m));
  tutti_decision_map_fill(&map, NULL);
  assert_true(is_close(map_time(&map, "bcast/linear", 3, 2), 100));
  assert_true(is_close(map_time(&map, "bcast/linear", 4, 2), 4));
}

TEST(test_keeps_what_was_measured)
{
  uint64_t seed = 11;
  tutti_measurement m[6 * 6];
  size_t count = 0;
  for (int ranks = 2; ranks < 8; ranks++)
    for (uint64_t bytes = 1; bytes < 7; bytes++)
      if (random_below(&seed, 2) || ranks == 2 || bytes == 1)
        m[count++] = map_point("bcast/linear", ranks, bytes, 1 + (double)random_below(&seed, 100));
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(m, count);
  tutti_map_filled filled;
  tutti_decision_map_fill(&map, &filled);
  for (size_t i = 0; i < count; i++)
    assert_true(map_time(&map, "bcast/linear", m[i].ranks, m[i].rank_bytes) == m[i].median);
  assert_int_equal(filled.measured, count);
  assert_int_equal(filled.measured + filled.between_sizes + filled.between_ranks + filled.left, 36);
  assert_true(filled.between_sizes > 0);
}

/* Linear is best once, binomial twice and within 4 % everywhere but at 8 bytes. */
TEST(test_smoothing)
{
  const tutti_measurement m[] = {
      map_point("bcast/linear", 2, 1, 1.00),   map_point("bcast/linear", 2, 2, 2.00),
      map_point("bcast/linear", 2, 4, 2.00),   map_point("bcast/linear", 2, 8, 1.00),
      map_point("bcast/binomial", 2, 1, 1.04), map_point("bcast/binomial", 2, 2, 1.00),
      map_point("bcast/binomial", 2, 4, 1.00), map_point("bcast/binomial", 2, 8, 1.10),
  };
  static const struct {
    double percent;
    int best[4];
  } expected[] = {{0, {0, 1, 1, 0}}, {3, {0, 1, 1, 0}}, {5, {1, 1, 1, 0}}, {10, {1, 1, 1, 1}}, {100, {0, 0, 0, 0}}};
  for (size_t i = 0; i < COUNT(expected); i++) {
    tutti_decision_map map = map_make(m, COUNT(m));
    assert_int_equal(tutti_decision_map_smooth(&map, expected[i].percent, NULL), TUTTI_OK);
    for (int j = 0; j < 4; j++)
      assert_int_equal(map.best[j], expected[i].best[j]);
    assert_int_equal(tutti_decision_map_smooth(&map, -1, REASON), TUTTI_ERR_ARGUMENT);
    assert_int_equal(tutti_decision_map_smooth(&map, NAN, REASON), TUTTI_ERR_ARGUMENT);
    tutti_decision_map_free(&map);
  }
}

static tutti_decision_map random_map(uint64_t *seed, int rank_count, int size_count)
{
  static const char *const methods[] = {"bcast/linear", "bcast/binomial", "bcast/chain", "bcast/pipeline/1KB"};
  static tutti_measurement m[12 * 12 * 4];
  size_t count = 0;
  for (int ranks = 2; ranks < 2 + rank_count; ranks++)
    for (int j = 0; j < size_count; j++)
      for (int k = 0; k < 4; k++)
        if (k == 0 || random_below(seed, 4))
          m[count++] = map_point(methods[k], ranks, UINT64_C(1) << j, 1 + 0.001 * (double)random_below(seed, 400));
  return map_make(m, count);
}

TEST(test_smoothing_stays_within)
{
  uint64_t seed = 3;
  for (int round = 0; round < 50; round++) {
    tutti_decision_map map = random_map(&seed, 8, 8);
    int before[64], used[2][4] = {{0}};
    memcpy(before, map.best, sizeof before);
    assert_int_equal(tutti_decision_map_smooth(&map, 7, NULL), TUTTI_OK);
    for (int i = 0; i < 64; i++) {
      double least = map.times[i * map.method_count + before[i]], time = map.times[i * map.method_count + map.best[i]];
      assert_true(time <= 1.07 * least * (1 + 1e-9));
      used[0][before[i]] = used[1][map.best[i]] = 1;
    }
    int methods_before = 0, methods_after = 0;
    for (int k = 0; k < 4; k++) {
      methods_before += used[0][k];
      methods_after += used[1][k];
    }
    assert_true(methods_after <= methods_before);
    tutti_decision_map_free(&map);
  }
}

static bool knows_openmpi(const tutti_method *method, void *context)
{
  (void)context;
  return method->algorithm->openmpi_id > 0;
}

static bool knows_name(const tutti_method *method, void *name)
{
  return strcmp(method->algorithm->name, name) == 0;
}

TEST(test_restricting)
{
  const tutti_measurement m[] = {
      map_point("bcast/k-ary", 2, 1, 1),  map_point("bcast/binomial", 2, 1, 2), map_point("bcast/linear", 2, 1, 3),
      map_point("bcast/k-ary", 2, 2, 1),  map_point("bcast/linear", 2, 2, 3),   map_point("bcast/k-ary", 3, 2, 1),
      map_point("bcast/linear", 3, 1, 1),
  };
  tutti_decision_map map = map_make(m, COUNT(m)), known;
  assert_int_equal(tutti_decision_map_restrict(&map, knows_openmpi, NULL, &known, NULL), TUTTI_OK);
  assert_int_equal(known.method_count, 2);
  assert_true(known.ranks_count == 2 && known.size_count == 2);
  assert_int_equal(known.best[0], 1); /* binomial */
  assert_int_equal(known.best[1], 0); /* linear */
  assert_int_equal(known.best[2], 0);
  assert_int_equal(known.best[3], -1);
  assert_true(map_time(&known, "bcast/binomial", 2, 1) == 2 && map_time(&known, "bcast/linear", 2, 2) == 3);
  tutti_decision_map_free(&known);
  assert_fails(tutti_decision_map_restrict(&map, knows_name, "pipeline", &known, REASON), TUTTI_ERR_ARGUMENT, error,
               "none of the 3 methods of bcast");
  tutti_decision_map_free(&known);
  tutti_decision_map_free(&map);
}

TEST(test_folds)
{
  uint64_t seed = 5;
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = random_map(&seed, 6, 7);
  int folds[42], again[42], other[42], sizes[5] = {0}, holes = 0;
  map.best[9] = -1;
  assert_int_equal(tutti_decision_map_deal(&map, 5, 1, folds, NULL), TUTTI_OK);
  assert_int_equal(tutti_decision_map_deal(&map, 5, 1, again, NULL), TUTTI_OK);
  assert_int_equal(tutti_decision_map_deal(&map, 5, 2, other, NULL), TUTTI_OK);
  assert_memory_equal(folds, again, sizeof folds);
  assert_memory_not_equal(folds, other, sizeof folds);
  for (int i = 0; i < 42; i++) {
    assert_true(folds[i] >= -1 && folds[i] < 5);
    holes += folds[i] < 0;
    sizes[folds[i] < 0 ? 0 : folds[i]] += folds[i] >= 0;
  }
  assert_int_equal(holes, 1);
  for (int f = 0; f < 5; f++)
    assert_true(sizes[f] == 8 || sizes[f] == 9);
  assert_int_equal(tutti_decision_map_deal(&map, 1, 1, folds, REASON), TUTTI_ERR_ARGUMENT);
  assert_int_equal(tutti_decision_map_deal(&map, 42, 1, folds, REASON), TUTTI_ERR_ARGUMENT);
}

/* A point is in exactly one of the training and the test map. */
TEST(test_selecting)
{
  uint64_t seed = 6;
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = random_map(&seed, 6, 7), training, test;
  int folds[42];
  tutti_decision_map_deal_ranks(&map, folds);
  training = tutti_decision_map_select(&map, folds, 2, false);
  test = tutti_decision_map_select(&map, folds, 2, true);
  for (int i = 0; i < 42; i++) {
    bool inside = i / 7 == 2;
    assert_int_equal(test.best[i], inside ? map.best[i] : -1);
    assert_int_equal(training.best[i], inside ? -1 : map.best[i]);
    for (int m = 0; m < map.method_count; m++) {
      double time = map.times[i * map.method_count + m];
      double kept = (inside ? &test : &training)->times[i * map.method_count + m];
      assert_true(kept == time || (isnan(kept) && isnan(time)));
      assert_true(isnan((inside ? &training : &test)->times[i * map.method_count + m]));
    }
  }
}

TEST(test_labels)
{
  const tutti_measurement m[] = {
      map_point("bcast/linear", 2, 1, 1), map_point("bcast/linear", 2, 2, 9),   map_point("bcast/binomial", 2, 2, 1),
      map_point("bcast/linear", 5, 8, 9), map_point("bcast/binomial", 5, 8, 1), map_point("bcast/linear", 5, 1, 1),
  };
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(m, COUNT(m));
  tutti_label_map labels;
  assert_int_equal(tutti_label_map_create(&map, 1, &labels, NULL), TUTTI_OK);
  static const int expected[] = {0, 1, 1, 0, 1, 1}; /* the holes: 2 ranks and 8 bytes, 5 ranks and 2 bytes */
  assert_true(labels.counts[0] == 2 && labels.counts[1] == 3 && labels.counts[2] == 1 && labels.label_count == 2);
  assert_true(labels.axes[0][1] == 5 && labels.axes[1][2] == 8 && labels.axes[2][0] == 1);
  assert_memory_equal(labels.labels, expected, sizeof expected);
  tutti_quadtree *tree;
  assert_int_equal(tutti_quadtree_create(&labels, &(tutti_quadtree_limits){.depth = -1}, &tree, NULL), TUTTI_OK);
  assert_int_equal(tutti_quadtree_label(tree, 5, 1, 0), 0);
  assert_int_equal(tutti_quadtree_label(tree, 5, 8, 0), 1);
  tutti_quadtree_free(tree);
  tutti_label_map_free(&labels);
  for (int i = 0; i < 6; i++)
    map.best[i] = -1;
  assert_fails(tutti_label_map_create(&map, 1, &labels, REASON), TUTTI_ERR_ARGUMENT, error, "bcast");
}

TEST(test_labels_of_several_maps)
{
  tutti_measurement m[] = {map_point("bcast/linear", 8, 1, 1), map_point("bcast/binomial", 8, 1, 2),
                           map_point("bcast/linear", 8, 2, 1), map_point("bcast/binomial", 8, 2, 2)};
  tutti_decision_map maps[2] = {map_make(m, 4)};
  for (int i = 0; i < 4; i++)
    m[i].ranks_per_node = 4;
  m[0].median = m[2].median = 3;
  maps[1] = map_make(m, 4);
  tutti_label_map labels;
  assert_int_equal(tutti_label_map_create(maps, 2, &labels, NULL), TUTTI_OK);
  static const int expected[] = {0, 1, 0, 1};
  assert_memory_equal(labels.labels, expected, sizeof expected);
  assert_true(labels.axes[TUTTI_AXIS_RANKS_PER_NODE][0] == 1 && labels.axes[TUTTI_AXIS_RANKS_PER_NODE][1] == 4);
  tutti_label_map_free(&labels);
  maps[1].ranks_per_node = 1;
  assert_fails(tutti_label_map_create(maps, 2, &labels, REASON), TUTTI_ERR_ARGUMENT, error, "1 follows 1");
  maps[1].sizes[1] = 3;
  assert_int_equal(tutti_label_map_create(maps, 2, &labels, REASON), TUTTI_ERR_ARGUMENT);
  tutti_decision_map_free(&maps[0]);
  tutti_decision_map_free(&maps[1]);
}
