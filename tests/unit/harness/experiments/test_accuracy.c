/* Choices by simulated times: which is the choice, what it costs, beside the library's own and the best single method.
 */
#include "base/memory.h"
#include "harness/experiments/calibrate/choices.h"
#include "unit/test.h"

TEST(test_spearman)
{
  static const double up[] = {1, 2, 3, 4, 5}, down[] = {9, 7, 5, 3, 1}, mixed[] = {1, 3, 2, 5, 4},
                      ties[] = {1, 1, 2, 2, 2}, same[] = {1, 1, 1, 1, 1};
  assert_true(fabs(tutti_spearman(up, up, 5) - 1) < 1e-12);
  assert_true(fabs(tutti_spearman(up, down, 5) + 1) < 1e-12);
  assert_true(fabs(tutti_spearman(up, mixed, 5) - 0.8) < 1e-12); /* 1 - 6 * 4 / (5 * 24) */
  assert_true(fabs(tutti_spearman(up, ties, 5) - sqrt(3) / 2) < 1e-12);
  assert_true(isnan(tutti_spearman(up, same, 5)));
}

static void add(struct fit_points *points, const char *name, int ranks, const char *run, double measured,
                double simulated)
{
  struct fit_point point = {.measured = {.ranks = ranks, .ranks_per_node = 1, .rank_bytes = 8, .median = measured},
                            .run = tutti_xstrdup(run),
                            .seconds = simulated};
  assert_ok(tutti_method_parse(name, &point.measured.method, REASON), error);
  tutti_xpush(points, point);
}

TEST(test_choices)
{
  FREED_BY(tutti_fit_points_free) struct fit_points points = {.count = 0};
  /* The choice is the best one; it is ring, 4 % slower; it is 50 % slower, and the library's own is the best. */
  add(&points, "allreduce/ring", 8, "run=1", 10, 9);
  add(&points, "allreduce/rabenseifner", 8, "run=1", 20, 21);
  add(&points, "allreduce/native", 8, "run=1", 11, NAN);
  add(&points, "allreduce/ring", 16, "run=1", 104, 90);
  add(&points, "allreduce/rabenseifner", 16, "run=1", 100, 95);
  add(&points, "allreduce/ring", 8, "run=2", 40, 99);
  add(&points, "allreduce/rabenseifner", 8, "run=2", 30, 50);
  add(&points, "allreduce/native", 8, "run=2", 20, NAN);
  /* nothing to choose: one method, and no method with a schedule beside it */
  add(&points, "bcast/binomial", 8, "run=1", 5, 5);
  add(&points, "bcast/native", 8, "run=1", 4, NAN);
  /* Of six simulated points one is fitted, one has an interval: errors of 10, 5, 13.5, 5 and 147.5 %. */
  for (size_t i = 0; i < points.count; i++)
    points.items[i].lower = points.items[i].upper = NAN;
  points.items[0].lower = 8;
  points.items[0].upper = 12;
  points.items[6].fitted = true;
  const struct fit_errors errors = tutti_fit_errors(&points, TUTTI_COLL_ALLREDUCE);
  assert_int_equal(errors.points, 5);
  assert_true(fabs(errors.median - 10) < 1e-9 && errors.inside == 1 && fabs(errors.correlation - 0.6) < 1e-9);
  assert_true(isnan(tutti_fit_errors(&points, TUTTI_COLL_REDUCE).median));
  /* Hockney's model knows two of the places; it chooses rabenseifner, 100 % slower, and ring, 4 % slower. */
  for (size_t i = 0; i < points.count; i++)
    points.items[i].modelled = NAN;
  points.items[0].modelled = 5;
  points.items[1].modelled = 4;
  points.items[3].modelled = 7;
  points.items[4].modelled = 8;
  struct fit_choices choices = tutti_fit_choose(&points, TUTTI_COLL_ALLREDUCE);
  assert_int_equal(choices.places, 3);
  assert_int_equal(choices.best, 1);
  assert_int_equal(choices.within_5, 2);
  assert_true(fabs(choices.model.mean - 52) < 1e-9);
  assert_int_equal(choices.within_10, 2);
  assert_true(fabs(choices.chosen.mean - (0 + 4 + 50) / 3.) < 1e-9);
  assert_true(fabs(choices.chosen.median - 4) < 1e-9);
  /* the best of the simulated ones: 10, 100, 30 */
  assert_true(fabs(choices.among.mean - 4 / 3.) < 1e-9 && choices.among.median == 0);
  assert_int_equal(choices.native_places, 2);
  assert_true(fabs(choices.native.mean - (10 + 0) / 2.) < 1e-9);
  assert_string_equal(choices.single.algorithm->name, "ring"); /* 0, 4, 100 %; rabenseifner: 100, 0, 50 % */
  assert_true(fabs(choices.single_mean - 104 / 3.) < 1e-9);
  assert_int_equal(tutti_fit_choose(&points, TUTTI_COLL_BCAST).places, 0);
  assert_int_equal(tutti_fit_choose(&points, TUTTI_COLL_COUNT).places, 3);
}
