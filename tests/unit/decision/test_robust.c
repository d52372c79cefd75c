/* Joint maps: the mean and the worst of ratios, by hand; what is not known under one pattern is not known at all. */
#include "tutti/decision_map.h"
#include "unit/decision/map_fixture.h"

#define ASSERT_CLOSE(a, b) assert_true(fabs((a) - (b)) < 1e-12 * fabs(b))

/* Alone linear is best, late binomial; chain is second under both. */
static const struct {
  const char *method;
  double alone, late;
} times[] = {{"bcast/linear", 1.0, 9.0}, {"bcast/binomial", 4.0, 3.0}, {"bcast/chain/1KB", 1.5, 6.0}};

enum { METHODS = 3 };

static tutti_decision_map make(bool late)
{
  tutti_measurement measurements[METHODS + 1];
  for (int i = 0; i < METHODS; i++)
    measurements[i] = map_point(times[i].method, 8, 100, late ? times[i].late : times[i].alone);
  measurements[METHODS] = map_point("bcast/linear", late ? 16 : 4, 100, 1.0); /* under one of them only */
  return map_make(measurements, METHODS + 1);
}

static tutti_decision_map join(tutti_robust robust)
{
  tutti_decision_map maps[2] = {make(false), make(true)}, joint;
  assert_ok(tutti_decision_map_join(maps, 2, robust, &joint, REASON), error);
  tutti_decision_map_free(&maps[0]);
  tutti_decision_map_free(&maps[1]);
  return joint;
}

static const char *best_name(const tutti_decision_map *map, int point, char text[TUTTI_METHOD_LENGTH])
{
  return map->best[point] < 0 ? "none" : tutti_method_format(&map->methods[map->best[point]], text);
}

/* The ratios are 1 and 3, 4 and 1, 1.5 and 2; the best times 1 s and 3 s, 2 s on average. */
TEST(test_mean_and_worst)
{
  char text[TUTTI_METHOD_LENGTH];
  FREED_BY(tutti_decision_map_free) tutti_decision_map mean = join(TUTTI_ROBUST_MEAN), worst = join(TUTTI_ROBUST_WORST);
  ASSERT_CLOSE(map_time(&mean, "bcast/linear", 8, 100), 2 * 2.0);
  ASSERT_CLOSE(map_time(&mean, "bcast/binomial", 8, 100), 2 * 2.5);
  ASSERT_CLOSE(map_time(&mean, "bcast/chain/1KB", 8, 100), 2 * 1.75);
  ASSERT_CLOSE(map_time(&worst, "bcast/linear", 8, 100), 2 * 3.0);
  ASSERT_CLOSE(map_time(&worst, "bcast/binomial", 8, 100), 2 * 4.0);
  ASSERT_CLOSE(map_time(&worst, "bcast/chain/1KB", 8, 100), 2 * 2.0);
  /* Neither was best anywhere. */
  assert_string_equal(best_name(&mean, 1, text), "bcast/chain/1KB");
  assert_string_equal(best_name(&worst, 1, text), "bcast/chain/1KB");
}

TEST(test_points_of_one_map_alone_are_not_known)
{
  char text[TUTTI_METHOD_LENGTH];
  FREED_BY(tutti_decision_map_free) tutti_decision_map mean = join(TUTTI_ROBUST_MEAN);
  assert_int_equal(mean.ranks_count, 2);
  assert_int_equal(mean.ranks[0], 4);
  assert_string_equal(best_name(&mean, 0, text), "none");
  assert_true(isnan(map_time(&mean, "bcast/linear", 4, 100)));
}

/* A best time of nothing, as the OCC scheme can bring about, has no ratios. */
TEST(test_missing_and_not_positive)
{
  const tutti_measurement first[] = {map_point("bcast/linear", 8, 1, 1), map_point("bcast/binomial", 8, 1, 2),
                                     map_point("bcast/linear", 8, 2, 1)},
                          second[] = {map_point("bcast/binomial", 8, 1, 2), map_point("bcast/linear", 8, 2, -1e-9)};
  tutti_decision_map maps[2] = {map_make(first, 3), map_make(second, 2)}, joint;
  char text[TUTTI_METHOD_LENGTH];
  for (int robust = 0; robust < TUTTI_ROBUST_COUNT; robust++) {
    assert_int_equal(tutti_decision_map_join(maps, 2, (tutti_robust)robust, &joint, NULL), TUTTI_OK);
    assert_string_equal(best_name(&joint, 0, text), "bcast/binomial");
    assert_true(isnan(map_time(&joint, "bcast/linear", 8, 1)));
    assert_string_equal(best_name(&joint, 1, text), "none");
    tutti_decision_map_free(&joint);
  }
  tutti_decision_map_free(&maps[0]);
  tutti_decision_map_free(&maps[1]);
}

/* The joint map of one map is that map. */
TEST(test_one_map_is_itself)
{
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make(true), joint;
  assert_int_equal(tutti_decision_map_join(&map, 1, TUTTI_ROBUST_WORST, &joint, NULL), TUTTI_OK);
  for (int i = 0; i < METHODS; i++)
    ASSERT_CLOSE(map_time(&joint, times[i].method, 8, 100), times[i].late);
  assert_memory_equal(joint.best, map.best, 2 * sizeof *map.best);
}

TEST(test_refusals)
{
  const tutti_measurement bcast = map_point("bcast/linear", 8, 1, 1), reduce = map_point("reduce/linear", 8, 1, 1);
  tutti_decision_map maps[2] = {map_make(&bcast, 1), map_make(&reduce, 1)}, joint;
  tutti_robust robust;
  assert_fails(tutti_decision_map_join(maps, 2, TUTTI_ROBUST_MEAN, &joint, REASON), TUTTI_ERR_ARGUMENT, error,
               "bcast and reduce");
  assert_int_equal(tutti_decision_map_join(maps, 0, TUTTI_ROBUST_MEAN, &joint, REASON), TUTTI_ERR_ARGUMENT);
  assert_fails(tutti_robust_parse("median", &robust, REASON), TUTTI_ERR_ARGUMENT, error, "'median'");
  for (int i = 0; i < TUTTI_ROBUST_COUNT; i++) {
    assert_int_equal(tutti_robust_parse(tutti_robust_name((tutti_robust)i), &robust, NULL), TUTTI_OK);
    assert_int_equal(robust, i);
  }
  tutti_decision_map_free(&maps[0]);
  tutti_decision_map_free(&maps[1]);
}
