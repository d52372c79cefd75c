/* Decision maps: axes, cells and best methods against brute force on random data. */
#include <time.h>

#include "unit/base/random.h"
#include "unit/decision/map_fixture.h"

/* The method chosen at the only point of a map, by name. */
static void assert_winner(const tutti_measurement *measurements, size_t count, const char *expected)
{
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(measurements, count);
  char name[TUTTI_METHOD_LENGTH];
  assert_int_equal(map.ranks_count * map.size_count, 1);
  assert_true(map.best[0] >= 0);
  assert_string_equal(tutti_method_format(&map.methods[map.best[0]], name), expected);
}

TEST(test_axes_are_ascending_and_unique)
{
  tutti_measurement m[] = {map_point("bcast/chain", 8, 1024, 1), map_point("bcast/linear/1KB", 2, 1, 2),
                           map_point("bcast/linear", 8, 1, 3), map_point("bcast/linear", 2, UINT64_MAX, 4)};
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(m, 4);
  assert_int_equal(map.collective, TUTTI_COLL_BCAST);
  assert_true(map.ranks_count == 2 && map.ranks[0] == 2 && map.ranks[1] == 8);
  assert_true(map.size_count == 3 && map.sizes[0] == 1 && map.sizes[1] == 1024 && map.sizes[2] == UINT64_MAX);
  assert_int_equal(map.method_count, 3);
  for (int i = 1; i < 3; i++)
    assert_true(tutti_method_compare(&map.methods[i - 1], &map.methods[i]) < 0);
  assert_true(tutti_decision_map_time(&map, 1, 1, tutti_decision_map_find(&map, &m[0].method)) == 1);
  assert_true(isnan(tutti_decision_map_time(&map, 0, 1, 0)));
  tutti_method other = m[0].method;
  other.parameters.k++;
  assert_int_equal(tutti_decision_map_find(&map, &other), -1);
}

TEST(test_holes)
{
  tutti_measurement m[] = {map_point("bcast/linear", 2, 1, 1), map_point("bcast/linear", 3, 2, 1)};
  tutti_decision_map map = map_make(m, 2);
  assert_int_equal(map.best[0], 0);  /* 2 ranks, 1 byte */
  assert_int_equal(map.best[1], -1); /* 2 ranks, 2 bytes */
  assert_int_equal(map.best[2], -1);
  assert_int_equal(map.best[3], 0);
  assert_int_equal(map.ranks_per_node, 1);
  tutti_decision_map_free(&map);
  m[1].ranks_per_node = 2;
  map = map_make(m, 2);
  assert_int_equal(map.ranks_per_node, 0);
  tutti_decision_map_free(&map);
  m[0].ranks_per_node = 2; /* all on one node, which has room for three */
  m[1].ranks_per_node = 3;
  map = map_make(m, 2);
  assert_int_equal(map.ranks_per_node, 3);
  tutti_decision_map_free(&map);
}

/* A store of an older version may have them: the method is not known there, and another one is best. */
TEST(test_negative_times_are_left_out)
{
  tutti_measurement m[] = {map_point("bcast/linear", 2, 1, -1e-7), map_point("bcast/chain", 2, 1, 2),
                           map_point("bcast/chain", 4, 1, 0)};
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(m, 3);
  assert_int_equal(map.negative, 1);
  assert_true(isnan(tutti_decision_map_time(&map, 0, 0, tutti_decision_map_find(&map, &m[0].method))));
  assert_int_equal(map.best[0], tutti_decision_map_find(&map, &m[1].method));
  assert_true(tutti_decision_map_time(&map, 1, 0, tutti_decision_map_find(&map, &m[1].method)) == 0);
}

TEST(test_ties_go_to_the_first_method)
{
  tutti_measurement equal[] = {map_point("bcast/chain", 4, 8, 1e-3), map_point("bcast/binomial/8KB", 4, 8, 1e-3),
                               map_point("bcast/binomial/1KB", 4, 8, 1e-3)};
  assert_winner(equal, 3, "bcast/binomial/1KB");
  tutti_measurement within[] = {map_point("bcast/chain", 4, 8, 1e-3),
                                map_point("bcast/linear", 4, 8, 1e-3 * (1 + 5e-10))};
  assert_winner(within, 2, "bcast/linear");
  tutti_measurement beyond[] = {map_point("bcast/chain", 4, 8, 1e-3),
                                map_point("bcast/linear", 4, 8, 1e-3 * (1 + 2e-9))};
  assert_winner(beyond, 2, "bcast/chain");
  /* Each is within a tie of the next, but only the second of the least: ties are to the least time. */
  tutti_measurement chain[] = {map_point("bcast/linear", 4, 8, 1 + 1.6e-9),
                               map_point("bcast/binomial", 4, 8, 1 + 0.8e-9), map_point("bcast/chain", 4, 8, 1)};
  assert_winner(chain, 3, "bcast/binomial");
}

TEST(test_times_that_are_not_positive)
{
  tutti_measurement m[] = {map_point("bcast/linear", 4, 8, 0), map_point("bcast/chain", 4, 8, -1e-6)};
  assert_winner(m, 2, "bcast/linear");
  assert_winner(m, 1, "bcast/linear");
}

static void assert_refused(const tutti_measurement *measurements, size_t count, const char *reason)
{
  tutti_decision_map map;
  assert_fails(tutti_decision_map_create(measurements, count, &map, REASON), TUTTI_ERR_ARGUMENT, error, reason);
}

TEST(test_refuses_what_makes_no_map)
{
  tutti_measurement twice[] = {map_point("bcast/linear", 4, 8192, 1), map_point("bcast/linear", 4, 8192, 2)};
  tutti_measurement mixed[] = {map_point("bcast/linear", 4, 8, 1), map_point("barrier/bruck", 4, 0, 1)};
  tutti_measurement infinite = map_point("bcast/linear", 4, 8, INFINITY), none = map_point("bcast/linear", 4, 8, NAN);
  twice[1].root = 1;
  assert_refused(NULL, 0, "at least one");
  assert_refused(twice, 2, "bcast/linear with 4 ranks and 8KB");
  assert_refused(mixed, 2, "bcast and barrier");
  assert_refused(&infinite, 1, "finite");
  assert_refused(&none, 1, "finite");
}

/* Some points of a grid, each at most once, in random order; times are few, so that there are ties. */
static size_t random_measurements(uint64_t *seed, tutti_measurement *m)
{
  static const char *const methods[] = {"bcast/linear", "bcast/binomial",     "bcast/binomial/8KB", "bcast/chain/k=2",
                                        "bcast/chain",  "bcast/pipeline/1KB", "bcast/pipeline/2KB"};
  size_t count = 0;
  for (int ranks = 2; ranks < 9; ranks++)
    for (uint64_t bytes = 1; bytes < 4096; bytes *= 4)
      for (int k = 0; k < 7; k++)
        if (random_next(seed) % 3 == 0)
          m[count++] = map_point(methods[k], ranks, bytes, 1e-6 * (double)(random_next(seed) % 5 + 1));
  for (size_t i = count; i > 1; i--) {
    size_t j = random_next(seed) % i;
    tutti_measurement swap = m[i - 1];
    m[i - 1] = m[j];
    m[j] = swap;
  }
  return count;
}

/* The best of a point straight from the measurements. */
static const tutti_measurement *brute_force(const tutti_measurement *m, size_t count, int ranks, uint64_t bytes)
{
  const tutti_measurement *best = NULL;
  for (size_t i = 0; i < count; i++)
    if (m[i].ranks == ranks && m[i].rank_bytes == bytes &&
        (!best || m[i].median < best->median ||
         (m[i].median == best->median && tutti_method_compare(&m[i].method, &best->method) < 0)))
      best = &m[i];
  return best;
}

static void check_against_brute_force(const tutti_measurement *m, size_t count)
{
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(m, count);
  size_t found = 0;
  for (int i = 0; i < map.ranks_count; i++)
    for (int j = 0; j < map.size_count; j++) {
      const tutti_measurement *best = brute_force(m, count, map.ranks[i], map.sizes[j]);
      int index = tutti_decision_map_best_at(&map, i, j);
      assert_int_equal(index < 0, best == NULL);
      if (best) {
        assert_int_equal(tutti_method_compare(&map.methods[index], &best->method), 0);
        assert_true(tutti_decision_map_time(&map, i, j, index) == best->median);
      }
      for (int k = 0; k < map.method_count; k++)
        found += !isnan(tutti_decision_map_time(&map, i, j, k));
    }
  assert_int_equal(found, count);
}

TEST(test_best_equals_brute_force)
{
  uint64_t seed = 424242;
  static tutti_measurement m[7 * 6 * 7];
  for (int round = 0; round < 200; round++)
    check_against_brute_force(m, random_measurements(&seed, m));
}

/* 27 x 48 points of 31 methods, 40,176 measurements: a map is made within a fraction of a second. */
TEST(test_is_fast)
{
  size_t count = 0;
  FREED_BY(free_memory) tutti_measurement *m = malloc(27 * 48 * 31 * sizeof *m);
  assert_non_null(m);
  for (int ranks = 2; ranks <= 28; ranks++)
    for (uint64_t bytes = 1; bytes <= 48; bytes++)
      for (uint64_t k = 1; k <= 31; k++) {
        m[count] = map_point("bcast/chain", ranks, bytes, (double)(k * 7 % 31) + 1);
        m[count++].method.parameters.k = (int)k;
      }
  clock_t start = clock();
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(m, count);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  assert_int_equal(map.method_count, 31);
  for (int i = 0; i < 27 * 48; i++)
    assert_int_equal(map.methods[map.best[i]].parameters.k, 31);
  assert_true(seconds < 2); /* 0.03 s on two old cores; sanitizers and valgrind may take longer */
}
