/* Penalties: against an example computed by hand, and against brute force. */
#include "unit/decision/map_fixture.h"

/* The worst points of a method. */
static int worst_of(const tutti_measurement *m, size_t count, const char *name, tutti_penalty_point *points, int most)
{
  FREED_BY(tutti_decision_map_free) tutti_decision_map map;
  FREED_BY(tutti_decision_free) tutti_decision decision;
  tutti_method single = parsed(name);
  int found;
  assert_int_equal(tutti_decision_map_create(m, count, &map, NULL), TUTTI_OK);
  decision = tutti_decision_single(&single);
  found = tutti_penalty_worst(&map, &decision, points, most);
  return found;
}

static tutti_penalty penalty_of(const tutti_measurement *m, size_t count, const char *name)
{
  FREED_BY(tutti_decision_map_free) tutti_decision_map map;
  FREED_BY(tutti_decision_free) tutti_decision decision;
  tutti_penalty penalty;
  tutti_method single = parsed(name);
  assert_int_equal(tutti_decision_map_create(m, count, &map, NULL), TUTTI_OK);
  decision = tutti_decision_single(&single);
  assert_string_equal(decision.name, name);
  assert_int_equal(decision.collective, single.algorithm->collective);
  assert_ok(tutti_penalty_compute(&map, &decision, &penalty, REASON), error);
  return penalty;
}

/*
 * Milliseconds     2 ranks: 1B  1KB      4 ranks: 1B  1KB      8 ranks: 1B  1KB
 *   linear              1.0  4.0              2.0  8.0              6.0   -
 *   binomial            1.5  3.0              2.0  4.0              4.0  5.0
 *   linear's penalty    0 %  33.33 %          0 %  100 %            50 %  missing
 *   binomial's          50 % 0 %              0 %  0 %              0 %   0 %
 */
TEST(test_example_by_hand)
{
  const tutti_measurement m[] = {
      map_point("bcast/linear", 2, 1, 1e-3),      map_point("bcast/binomial", 2, 1, 1.5e-3),
      map_point("bcast/linear", 2, 1024, 4e-3),   map_point("bcast/binomial", 2, 1024, 3e-3),
      map_point("bcast/linear", 4, 1, 2e-3),      map_point("bcast/binomial", 4, 1, 2e-3),
      map_point("bcast/linear", 4, 1024, 8e-3),   map_point("bcast/binomial", 4, 1024, 4e-3),
      map_point("bcast/linear", 8, 1, 6e-3),      map_point("bcast/binomial", 8, 1, 4e-3),
      map_point("bcast/binomial", 8, 1024, 5e-3),
  };
  tutti_penalty linear = penalty_of(m, 11, "bcast/linear");
  assert_true(linear.points == 5 && linear.missing == 1 && linear.not_positive == 0);
  assert_true(linear.min == 0);
  assert_true(fabs(linear.max - 100) < 1e-9);
  assert_true(fabs(linear.mean - (100.0 / 3 + 100 + 50) / 5) < 1e-9);
  assert_true(fabs(linear.median - 100.0 / 3) < 1e-9);
  assert_true(linear.worst_ranks == 4 && linear.worst_size == 1024);
  tutti_penalty binomial = penalty_of(m, 11, "bcast/binomial");
  assert_true(binomial.points == 6 && binomial.missing == 0);
  assert_true(fabs(binomial.max - 50) < 1e-9 && binomial.median == 0);
  assert_true(fabs(binomial.mean - 50.0 / 6) < 1e-9);
  assert_true(binomial.worst_ranks == 2 && binomial.worst_size == 1);
}

TEST(test_median_of_an_even_number)
{
  const tutti_measurement m[] = {map_point("bcast/linear", 2, 1, 1.1), map_point("bcast/binomial", 2, 1, 1),
                                 map_point("bcast/linear", 2, 2, 1.4), map_point("bcast/binomial", 2, 2, 1)};
  assert_true(fabs(penalty_of(m, 4, "bcast/linear").median - 25) < 1e-9);
  assert_true(fabs(penalty_of(m, 4, "bcast/linear").min - 10) < 1e-9);
}

TEST(test_worst_is_the_first_of_equals)
{
  const tutti_measurement m[] = {map_point("bcast/linear", 4, 1, 2), map_point("bcast/binomial", 4, 1, 1),
                                 map_point("bcast/linear", 2, 8, 2), map_point("bcast/binomial", 2, 8, 1),
                                 map_point("bcast/linear", 2, 9, 2), map_point("bcast/binomial", 2, 9, 1)};
  tutti_penalty penalty = penalty_of(m, 6, "bcast/linear");
  assert_true(penalty.worst_ranks == 2 && penalty.worst_size == 8);
}

TEST(test_a_tie_is_no_penalty)
{
  const tutti_measurement m[] = {map_point("bcast/linear", 2, 1, 1 + 5e-10), map_point("bcast/binomial", 2, 1, 1)};
  tutti_penalty first = penalty_of(m, 2, "bcast/linear"), fastest = penalty_of(m, 2, "bcast/binomial");
  assert_true(first.max == 0 && fastest.min == 0 && fastest.max == 0);
}

/* Methods whose times differ by less than their noise tie: here by 1 ms. */
TEST(test_noise_is_no_penalty)
{
  tutti_measurement m[] = {map_point("bcast/linear", 2, 1, 10e-3), map_point("bcast/binomial", 2, 1, 11e-3)};
  m[0].spread = 5;
  m[1].spread = 100 * 0.499 / 11;
  assert_float_equal(penalty_of(m, 2, "bcast/binomial").mean, 10, 1e-6);
  m[1].spread = 100 * 0.501 / 11;
  assert_true(penalty_of(m, 2, "bcast/binomial").mean == 0);
  assert_true(penalty_of(m, 2, "bcast/binomial").within_noise == 1);
  assert_true(penalty_of(m, 2, "bcast/linear").within_noise == 0);
}

/* The fastest is noisy and ties; another one is faster without doubt, and that is what counts, as it does for learning.
 */
TEST(test_a_noisy_best_hides_no_penalty)
{
  tutti_measurement m[] = {map_point("bcast/linear", 2, 1, 10e-3), map_point("bcast/binomial", 2, 1, 12e-3),
                           map_point("bcast/chain", 2, 1, 10.5e-3)};
  m[0].spread = 50;
  m[1].spread = m[2].spread = 1;
  const tutti_penalty native = penalty_of(m, 3, "bcast/binomial");
  assert_true(native.within_noise == 0);
  assert_float_equal(native.mean, 100 * 1.5 / 10.5, 1e-6);
  assert_true(penalty_of(m, 3, "bcast/chain").within_noise == 1);
}

TEST(test_best_times_that_are_not_positive)
{
  const tutti_measurement m[] = {map_point("bcast/linear", 2, 1, 2),  map_point("bcast/binomial", 2, 1, -1e-6),
                                 map_point("bcast/linear", 2, 2, 2),  map_point("bcast/binomial", 2, 2, 0),
                                 map_point("bcast/linear", 2, 3, 2),  map_point("bcast/binomial", 2, 3, 1),
                                 map_point("bcast/binomial", 2, 4, 1)};
  tutti_penalty penalty = penalty_of(m, 7, "bcast/linear");
  assert_true(penalty.points == 2 && penalty.missing == 2 && penalty.not_positive == 1);
  assert_true(fabs(penalty.mean - 50) < 1e-9);
}

/* Penalties of linear: 0, 5, 10, 10.1, 200 % and a point where it was not measured; chain is 5.5 % off once. */
TEST(test_shares_and_worst_points)
{
  const tutti_measurement m[] = {
      map_point("bcast/linear", 2, 1, 1),       map_point("bcast/chain", 2, 1, 1.055),
      map_point("bcast/linear", 2, 2, 1.05),    map_point("bcast/chain", 2, 2, 1),
      map_point("bcast/linear", 4, 1, 110),     map_point("bcast/chain", 4, 1, 100),
      map_point("bcast/linear", 4, 2, 1.101e3), map_point("bcast/chain", 4, 2, 1e3),
      map_point("bcast/linear", 8, 1, 3),       map_point("bcast/chain", 8, 1, 1),
      map_point("bcast/chain", 8, 2, 1),
  };
  tutti_penalty linear = penalty_of(m, 11, "bcast/linear"), chain = penalty_of(m, 11, "bcast/chain");
  assert_true(linear.points == 5 && fabs(linear.within_10 - 3.0 / 5) < 1e-12);
  assert_true(fabs(linear.within_5 - 2.0 / 5) < 1e-12);
  assert_true(fabs(chain.within_5 - 5.0 / 6) < 1e-12 && chain.within_10 == 1);
  tutti_penalty_point points[9];
  assert_int_equal(worst_of(m, 11, "bcast/linear", points, 2), 2);
  assert_true(points[0].ranks == 8 && points[0].size == 1 && fabs(points[0].percent - 200) < 1e-9);
  assert_true(points[1].ranks == 4 && points[1].size == 2 && fabs(points[1].percent - 10.1) < 1e-9);
  assert_string_equal(points[0].picked.algorithm->name, "linear");
  assert_string_equal(points[0].best.algorithm->name, "chain");
  assert_int_equal(worst_of(m, 11, "bcast/linear", points, 9), 4);
  assert_true(points[3].ranks == 2 && points[3].size == 2);
  assert_int_equal(worst_of(m, 11, "bcast/chain", points, 9), 1);
  assert_int_equal(worst_of(m, 11, "bcast/chain", points, 0), 0);
}

TEST(test_no_point_is_an_error)
{
  const tutti_measurement m[] = {map_point("bcast/linear", 2, 1, 2), map_point("bcast/linear", 2, 2, -1)};
  static const char *const decisions[] = {"bcast/chain", "barrier/bruck"};
  for (int i = 0; i < 2; i++) {
    tutti_decision_map map;
    tutti_decision decision;
    tutti_penalty penalty;
    tutti_method single = parsed(decisions[i]);
    assert_int_equal(tutti_decision_map_create(m, 2, &map, NULL), TUTTI_OK);
    decision = tutti_decision_single(&single);
    assert_fails(tutti_penalty_compute(&map, &decision, &penalty, REASON), TUTTI_ERR_ARGUMENT, error, decisions[i]);
    tutti_decision_free(&decision);
    tutti_decision_map_free(&map);
  }
}

/* A decision that looks its answer up in the map itself. */
static bool decide_best(const tutti_decision *decision, const tutti_question *question, tutti_method *answer)
{
  const tutti_decision_map *map = decision->data;
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      if (map->ranks[i] == question->ranks && map->sizes[j] == question->rank_bytes) {
        *answer = map->methods[tutti_decision_map_best_at(map, i, j)];
        return true;
      }
  return false;
}

/* The best decision has no penalty anywhere; no decision has a negative one, and its mean lies between the extremes. */
TEST(test_random_maps)
{
  static const char *const methods[] = {"bcast/linear", "bcast/binomial", "bcast/chain"};
  srand(7);
  for (int round = 0; round < 100; round++) {
    tutti_measurement m[5 * 5 * 3];
    size_t count = 0;
    for (int ranks = 2; ranks < 7; ranks++)
      for (uint64_t bytes = 1; bytes < 6; bytes++)
        for (int k = 0; k < 3; k++)
          m[count++] = map_point(methods[k], ranks, bytes, 1 + rand() % 1000);
    tutti_decision_map map;
    tutti_penalty penalty;
    assert_int_equal(tutti_decision_map_create(m, count, &map, NULL), TUTTI_OK);
    tutti_decision best = {.name = "best", .decide = decide_best, .data = &map};
    assert_int_equal(tutti_penalty_compute(&map, &best, &penalty, NULL), TUTTI_OK);
    assert_true(penalty.points == 25 && penalty.max == 0 && penalty.mean == 0);
    penalty = penalty_of(m, count, methods[round % 3]);
    double sum = 0, most = 0;
    for (size_t i = 0; i < count; i += 3) {
      double least = fmin(m[i].median, fmin(m[i + 1].median, m[i + 2].median));
      double percent = 100 * (m[i + (size_t)(round % 3)].median / least - 1);
      sum += percent;
      most = fmax(most, percent);
    }
    assert_true(fabs(penalty.mean - sum / 25) < 1e-6 * (1 + sum) && fabs(penalty.max - most) < 1e-6 * (1 + most));
    assert_true(penalty.min >= 0 && penalty.min <= penalty.median && penalty.median <= penalty.max);
    tutti_decision_map_free(&map);
  }
}
