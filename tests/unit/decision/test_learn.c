/* Learning from decision maps: cases, combined trees, holes, and what each learner promises. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tutti/learn.h"

static const int rank_counts[] = {2, 3, 4, 5, 6, 7, 8, 9};
static const uint64_t byte_counts[] = {8, 64, 512, 4096, 32768};

enum { RANKS = sizeof rank_counts / sizeof *rank_counts, SIZES = sizeof byte_counts / sizeof *byte_counts };

/* Times of the two or three methods of a collective. */
typedef double time_of(int method, int ranks, uint64_t bytes);

static tutti_decision_map make_map(const char *const *methods, int count, time_of *time, int left_out_ranks)
{
  tutti_measurement measurements[RANKS * SIZES * 4];
  size_t filled = 0;
  for (int r = 0; r < RANKS; r++)
    for (int s = 0; s < SIZES; s++)
      for (int m = 0; m < count; m++) {
        tutti_measurement *next = &measurements[filled];
        *next = (tutti_measurement){.ranks = rank_counts[r],
                                    .ranks_per_node = 1,
                                    .count = byte_counts[s],
                                    .type_size = 1,
                                    .rank_bytes = byte_counts[s],
                                    .repetitions = 1,
                                    .median = time(m, rank_counts[r], byte_counts[s])};
        assert_int_equal(tutti_method_parse(methods[m], &next->method, NULL), TUTTI_OK);
        filled += !isnan(next->median) && rank_counts[r] != left_out_ranks;
      }
  tutti_decision_map map;
  assert_int_equal(tutti_decision_map_create(measurements, filled, &map, NULL), TUTTI_OK);
  return map;
}

/* Linear to 64 B, split-binary beyond; binomial in between costs little everywhere. */
static double bcast_time(int method, int ranks, uint64_t bytes)
{
  bool small = bytes <= 64;
  return method == 0 ? (small ? 1 : 3) : method == 1 ? (small ? 1.1 : 1.1) : (small ? 5 : 1) + 0 * ranks;
}

/* The same border; reduce has no split-binary. */
static double reduce_time(int method, int ranks, uint64_t bytes)
{
  (void)ranks;
  return (bytes <= 64) == (method == 0) ? 1 : 2;
}

/* Recursive doubling wherever it applies, ring elsewhere. */
static double allgather_time(int method, int ranks, uint64_t bytes)
{
  (void)bytes;
  bool power = (ranks & (ranks - 1)) == 0;
  return method == 0 ? (power ? 1 : NAN) : method == 1 ? 3 : 4;
}

static const char *const bcasts[] = {"bcast/linear", "bcast/binomial", "bcast/split-binary/1KB"};
static const char *const reduces[] = {"reduce/linear", "reduce/binary/1KB"};
static const char *const allgathers[] = {"allgather/recursive-doubling", "allgather/ring", "allgather/bruck"};

static tutti_decision learn(const tutti_decision_map *maps, int count, const tutti_learn_options *options,
                            tutti_learn_report *report)
{
  tutti_decision_trees trees = {.count = 1, .items = calloc(1, sizeof *trees.items)};
  tutti_decision decision;
  tutti_error error;
  if (tutti_learn(maps, count, options, &trees.items[0], report, &error) != TUTTI_OK)
    fail_msg("%s", error.message);
  assert_int_equal(tutti_decision_of_trees("learnt", &trees, &decision, NULL), TUTTI_OK);
  return decision;
}

static double mean_penalty(const tutti_decision_map *map, const tutti_decision *decision)
{
  tutti_penalty penalty;
  assert_int_equal(tutti_penalty_compute(map, decision, &penalty, NULL), TUTTI_OK);
  assert_int_equal(penalty.missing, 0);
  return penalty.mean;
}

static const char *ask(const tutti_decision *decision, tutti_collective collective, int ranks, uint64_t bytes)
{
  static char name[TUTTI_METHOD_LENGTH];
  const tutti_question question = {collective, ranks, 1, bytes};
  tutti_method method;
  return decision->decide(decision, &question, &method) ? tutti_method_format(&method, name) : "nothing";
}

static void test_every_learner_finds_a_border(void **state)
{
  (void)state;
  tutti_decision_map map = make_map(bcasts, 3, bcast_time, 0);
  for (int learner = 0; learner < TUTTI_LEARNER_COUNT; learner++) {
    tutti_learn_options options = tutti_learn_defaults();
    tutti_learn_report report;
    options.learner = (tutti_learner)learner;
    tutti_decision decision = learn(&map, 1, &options, &report);
    assert_true(mean_penalty(&map, &decision) == 0);
    assert_int_equal(report.leaves, 2);
    assert_int_equal(report.errors, 0);
    assert_int_equal(report.classes, 2);
    assert_int_equal(report.cases, RANKS * SIZES);
    assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 100, 1), "bcast/linear");
    assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 2, 1 << 20), "bcast/split-binary/1KB");
    tutti_decision_free(&decision);
  }
  tutti_decision_map_free(&map);
}

/* With one leaf C4.5 takes the most frequent class, the others the one that costs least: best nowhere, good everywhere.
 */
static void test_least_penalty_is_not_most_frequent(void **state)
{
  (void)state;
  tutti_decision_map map = make_map(bcasts, 3, bcast_time, 0);
  for (int learner = TUTTI_LEARN_PENALTY; learner <= TUTTI_LEARN_OPTIMAL; learner++) {
    tutti_learn_options options = tutti_learn_defaults();
    options.learner = (tutti_learner)learner;
    options.penalty.leaves = options.optimal.leaves = 1;
    tutti_decision decision = learn(&map, 1, &options, NULL);
    assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 4, 8), "bcast/binomial");
    assert_true(fabs(mean_penalty(&map, &decision) - 10) < 1e-9);
    tutti_decision_free(&decision);
  }
  tutti_decision_map_free(&map);
}

/* One tree for both; where its leaf says split-binary, reduce gets the best of its own. */
static void test_combined_trees_are_lawful(void **state)
{
  (void)state;
  tutti_decision_map maps[] = {make_map(bcasts, 3, bcast_time, 0), make_map(reduces, 2, reduce_time, 0)};
  tutti_learn_options options = tutti_learn_defaults();
  options.c45.weight = 30; /* no branch may be as light as one collective beyond the border */
  tutti_decision decision = learn(maps, 2, &options, NULL);
  assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 4, 4096), "bcast/split-binary/1KB");
  assert_string_equal(ask(&decision, TUTTI_COLL_REDUCE, 4, 4096), "reduce/binary/1KB");
  assert_string_equal(ask(&decision, TUTTI_COLL_REDUCE, 4, 8), "reduce/linear");
  assert_true(mean_penalty(&maps[1], &decision) == 0);
  tutti_decision_free(&decision);
  options.learner = TUTTI_LEARN_PENALTY;
  for (options.penalty.leaves = 1; options.penalty.leaves < 6; options.penalty.leaves++) {
    decision = learn(maps, 2, &options, NULL);
    mean_penalty(&maps[0], &decision); /* answers everywhere, or this fails */
    mean_penalty(&maps[1], &decision);
    tutti_decision_free(&decision);
  }
  tutti_decision_map_free(&maps[0]);
  tutti_decision_map_free(&maps[1]);
}

/* A power of two is seen at once by an attribute of its own. */
static void test_composite_attributes(void **state)
{
  static const char *const attributes[] = {"ranks", "bytes", "pow2 = pow2(ranks)"};
  (void)state;
  tutti_decision_map map = make_map(allgathers, 3, allgather_time, 0);
  tutti_learn_options options = tutti_learn_defaults();
  tutti_learn_report plain, composite;
  tutti_decision decision = learn(&map, 1, &options, &plain);
  tutti_decision_free(&decision);
  options.attributes = attributes;
  options.attribute_count = 3;
  decision = learn(&map, 1, &options, &composite);
  assert_int_equal(composite.leaves, 2);
  assert_true(plain.leaves > 2);
  assert_string_equal(ask(&decision, TUTTI_COLL_ALLGATHER, 64, 8), "allgather/recursive-doubling");
  assert_string_equal(ask(&decision, TUTTI_COLL_ALLGATHER, 65, 8), "allgather/ring");
  tutti_decision_free(&decision);
  tutti_decision_map_free(&map);
}

/* Outside its domain recursive doubling runs as its substitute, Bruck's algorithm, and costs what that costs. */
static void test_substitutes_count(void **state)
{
  (void)state;
  tutti_decision_map map = make_map(allgathers, 3, allgather_time, 0);
  tutti_decision decision;
  tutti_method method;
  assert_int_equal(tutti_method_parse(allgathers[0], &method, NULL), TUTTI_OK);
  assert_int_equal(tutti_decision_single(&method, &decision, NULL), TUTTI_OK);
  double powers = 3, others = RANKS - powers; /* 2, 4, 8 */
  assert_true(fabs(mean_penalty(&map, &decision) - others / RANKS * 100 / 3) < 1e-9);
  tutti_decision_free(&decision);
  tutti_decision_map_free(&map);
}

/* A communicator size without points takes the labels of its neighbors, not those of the far end. */
static double striped_time(int method, int ranks, uint64_t bytes)
{
  (void)bytes;
  return method == (ranks <= 4 ? 0 : ranks <= 7 ? 1 : 2) ? 1 : 2;
}

static void test_holes_take_the_nearest_label(void **state)
{
  (void)state;
  tutti_decision_map map = make_map(bcasts, 3, striped_time, 0), holed;
  int folds[RANKS * SIZES];
  tutti_decision_map_deal_ranks(&map, folds);
  assert_int_equal(tutti_decision_map_select(&map, folds, 4, false, &holed, NULL), TUTTI_OK); /* 6 ranks */
  tutti_learn_options options = tutti_learn_defaults();
  options.learner = TUTTI_LEARN_QUADTREE;
  tutti_decision decision = learn(&holed, 1, &options, NULL);
  assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 6, 8), "bcast/binomial");
  assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 4, 8), "bcast/linear");
  assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 9, 8), "bcast/split-binary/1KB");
  tutti_decision_free(&decision);
  tutti_decision_map_free(&holed);
  tutti_decision_map_free(&map);
}

/* With another border for each number of ranks per node: an octree, and C4.5 by the attribute. */
static void test_ranks_per_node(void **state)
{
  (void)state;
  tutti_decision_map maps[] = {make_map(bcasts, 3, bcast_time, 0), make_map(bcasts, 3, striped_time, 0)};
  maps[1].ranks_per_node = 4;
  for (int learner = 0; learner < TUTTI_LEARN_OPTIMAL; learner++) {
    tutti_learn_options options = tutti_learn_defaults();
    options.learner = (tutti_learner)learner;
    tutti_decision decision = learn(maps, 2, &options, NULL);
    assert_true(mean_penalty(&maps[0], &decision) == 0);
    assert_true(mean_penalty(&maps[1], &decision) == 0);
    tutti_decision_free(&decision);
  }
  tutti_decision_map_free(&maps[0]);
  tutti_decision_map_free(&maps[1]);
}

static void test_faults(void **state)
{
  static const char *const unknown[] = {"colour"};
  (void)state;
  tutti_decision_map map = make_map(bcasts, 3, bcast_time, 0);
  tutti_decision_map twice[] = {map, map};
  tutti_learn_options options = tutti_learn_defaults();
  tutti_decision_tree tree;
  tutti_error error;
  assert_int_equal(tutti_learn(twice, 2, &options, &tree, NULL, &error), TUTTI_ERR_ARGUMENT);
  assert_non_null(strstr(error.message, "bcast"));
  options.attributes = unknown;
  options.attribute_count = 1;
  assert_int_equal(tutti_learn(&map, 1, &options, &tree, NULL, &error), TUTTI_ERR_ARGUMENT);
  assert_non_null(strstr(error.message, "colour"));
  options.learner = TUTTI_LEARN_QUADTREE;
  assert_int_equal(tutti_learn(&map, 1, &options, &tree, NULL, &error), TUTTI_ERR_ARGUMENT);
  tutti_decision_map_free(&map);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_learner_finds_a_border),
      cmocka_unit_test(test_least_penalty_is_not_most_frequent),
      cmocka_unit_test(test_combined_trees_are_lawful),
      cmocka_unit_test(test_composite_attributes),
      cmocka_unit_test(test_substitutes_count),
      cmocka_unit_test(test_holes_take_the_nearest_label),
      cmocka_unit_test(test_ranks_per_node),
      cmocka_unit_test(test_faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
