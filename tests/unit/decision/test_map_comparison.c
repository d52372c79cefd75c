/* What becomes of decision maps: speed-ups, changed cells, crossovers, and what staying costs. */
#include "unit/decision/map_fixture.h"

/* Two methods at 2 and 4 ranks, 1 B and 1 KB: seconds by method, ranks, size. */
static tutti_decision_map make(const double times[2][2][2])
{
  static const char *const names[] = {"bcast/linear", "bcast/binomial"};
  tutti_measurement points[8];
  size_t count = 0;
  for (int m = 0; m < 2; m++)
    for (int r = 0; r < 2; r++)
      for (int s = 0; s < 2; s++)
        points[count++] = map_point(names[m], 2 << r, s ? 1024 : 1, times[m][r][s]);
  return map_make(points, count);
}

TEST(test_compare)
{
  /* Best before: linear, linear; linear, binomial. After: linear, binomial; binomial (by half a percent), binomial. */
  FREED_BY(tutti_decision_map_free)
  tutti_decision_map before = make((const double[2][2][2]){{{1, 2}, {4, 9}}, {{2, 3}, {5, 8}}});
  FREED_BY(tutti_decision_map_free)
  tutti_decision_map after = make((const double[2][2][2]){{{1, 2}, {2.01, 9}}, {{2, 1}, {2, 2}}});
  tutti_decision_map_comparison comparison;
  assert_int_equal(tutti_decision_map_compare(&before, &after, &comparison, REASON), TUTTI_OK);
  assert_int_equal(comparison.points, 4);
  assert_int_equal(comparison.changed, 2);
  assert_int_equal(comparison.costly, 1);
  assert_int_equal(comparison.best.points, 4);
  assert_true(fabs(comparison.best.mean - pow(1 * 2 * 2 * 4, 0.25)) < 1e-12);
  assert_true(comparison.best.min == 1 && comparison.best.min_at == 0);
  assert_true(comparison.best.max == 4 && comparison.best.max_at == 3);
  assert_int_equal(comparison.all.points, 8);
  assert_int_equal(comparison.staying.points, 4);
  assert_true(fabs(comparison.staying.max - 100) < 1e-9);
  assert_int_equal(comparison.staying.worst_ranks, 2);
  assert_int_equal(comparison.staying.worst_size, 1024);
  assert_true(fabs(comparison.staying.mean - (100 + 0.5) / 4) < 1e-9);
}

TEST(test_crossovers)
{
  FREED_BY(tutti_decision_map_free)
  tutti_decision_map map = make((const double[2][2][2]){{{1, 2}, {4, 9}}, {{2, 3}, {5, 8}}});
  tutti_crossover crossovers[2];
  assert_int_equal(tutti_decision_map_crossovers(&map, 0, crossovers), 1);
  assert_int_equal(crossovers[0].size, 1);
  assert_int_equal(tutti_decision_map_crossovers(&map, 1, crossovers), 2);
  assert_int_equal(crossovers[1].size, 1024);
  assert_int_not_equal(crossovers[0].method, crossovers[1].method);
  map.best[2] = -1; /* nothing measured at 4 ranks, 1 B */
  assert_int_equal(tutti_decision_map_crossovers(&map, 1, crossovers), 1);
  assert_int_equal(crossovers[0].size, 1024);
}

TEST(test_unlike_maps)
{
  FREED_BY(tutti_decision_map_free)
  tutti_decision_map before = make((const double[2][2][2]){{{1, 2}, {4, 9}}, {{2, 3}, {5, 8}}});
  const tutti_measurement other = map_point("bcast/linear", 2, 1, 1);
  FREED_BY(tutti_decision_map_free) tutti_decision_map after = map_make(&other, 1);
  tutti_decision_map_comparison comparison;
  assert_int_equal(tutti_decision_map_compare(&before, &after, &comparison, REASON), TUTTI_ERR_ARGUMENT);
}

TEST(test_speedup_without_points)
{
  const double before[] = {NAN, 0, 1}, after[] = {1, 1, -1};
  tutti_speedup speedup = tutti_speedup_of(before, after, 3);
  assert_int_equal(speedup.points, 0);
  assert_true(isnan(speedup.mean) && isnan(speedup.min) && isnan(speedup.max));
}
