/* Trees of least penalty: the greedy ones against what they promise, the optimal ones against all trees. */
#include "tutti/learners.h"

#include "unit/base/random.h"
#include "unit/test.h"

enum { ROWS = 4, COLUMNS = 5, POINTS = ROWS * COLUMNS, CLASSES = 3 };

static const int ranks[ROWS] = {2, 4, 8, 9};
static const uint64_t sizes[COLUMNS] = {1, 8, 100, 1000, 4096};
static const char *const classes[CLASSES] = {"a", "b", "c"};

/* Each point has a class that costs nothing, the others up to 9. */
static void draw_costs(uint64_t *state, double *costs)
{
  for (int i = 0; i < POINTS * CLASSES; i++)
    costs[i] = (double)(1 + random_below(state, 9));
  for (int i = 0; i < POINTS; i++)
    costs[i * CLASSES + (int)random_below(state, CLASSES)] = 0;
}

static tutti_cost_grid grid_of(const double *costs)
{
  return (tutti_cost_grid){ROWS, COLUMNS, CLASSES, ranks, sizes, costs, classes};
}

static int cheapest(const double *costs)
{
  int best = 0;
  for (int k = 1; k < CLASSES; k++)
    if (costs[k] < costs[best])
      best = k;
  return best;
}

/* The grid as cases with the attributes ranks and bytes. */
static tutti_cases cases_of(const double *costs)
{
  tutti_cases cases;
  tutti_cases_create("grid", 2, CLASSES, POINTS, &cases);
  cases.attributes[0].name = strdup("ranks");
  cases.attributes[1].name = strdup("bytes");
  for (int k = 0; k < CLASSES; k++)
    cases.classes[k] = strdup(classes[k]);
  for (int i = 0; i < POINTS; i++) {
    cases.values[0][i] = ranks[i / COLUMNS];
    cases.values[1][i] = (double)sizes[i % COLUMNS];
    cases.labels[i] = cheapest(costs + (size_t)i * CLASSES);
  }
  return cases;
}

static double cost_of(const tutti_classifier *classifier, const double *costs)
{
  double sum = 0;
  for (int i = 0; i < POINTS; i++) {
    const double values[] = {ranks[i / COLUMNS], (double)sizes[i % COLUMNS]};
    sum += costs[i * CLASSES + tutti_classifier_classify(classifier, values)];
  }
  return sum;
}

/* ---- the oracle: the least cost of a rectangle with so many leaves, over all trees ---- */

static double leaf_cost(const double *costs, int r0, int r1, int c0, int c1)
{
  double least = INFINITY;
  for (int k = 0; k < CLASSES; k++) {
    double sum = 0;
    for (int r = r0; r < r1; r++)
      for (int c = c0; c < c1; c++)
        sum += costs[(r * COLUMNS + c) * CLASSES + k];
    least = fmin(least, sum);
  }
  return least;
}

static double memo[ROWS][ROWS + 1][COLUMNS][COLUMNS + 1][POINTS + 1];

static double least_cost(const double *costs, int r0, int r1, int c0, int c1, int leaves)
{
  double *known = &memo[r0][r1][c0][c1][leaves];
  if (!isnan(*known))
    return *known;
  double least = leaf_cost(costs, r0, r1, c0, c1);
  for (int a = 1; a < leaves; a++) {
    for (int cut = r0 + 1; cut < r1; cut++)
      least = fmin(least, least_cost(costs, r0, cut, c0, c1, a) + least_cost(costs, cut, r1, c0, c1, leaves - a));
    for (int cut = c0 + 1; cut < c1; cut++)
      least = fmin(least, least_cost(costs, r0, r1, c0, cut, a) + least_cost(costs, r0, r1, cut, c1, leaves - a));
  }
  return *known = least;
}

static void forget(void)
{
  double *all = &memo[0][0][0][0][0];
  for (size_t i = 0; i < sizeof memo / sizeof *all; i++)
    all[i] = NAN;
}

static double oracle(const double *costs, int leaves)
{
  return least_cost(costs, 0, ROWS, 0, COLUMNS, leaves);
}

static void check_optimal(const double *costs, int leaves)
{
  const tutti_cost_grid grid = grid_of(costs);
  const tutti_optimal_tree_options options = {.leaves = leaves};
  FREED_BY(tutti_classifier_free) tutti_classifier tree = {0};
  double mean;
  assert_int_equal(tutti_optimal_tree_learn(&grid, &options, &tree, &mean, NULL), TUTTI_OK);
  int grown = tutti_classifier_leaves(&tree);
  double cost = cost_of(&tree, costs);
  assert_true(grown <= leaves);
  assert_true(fabs(cost - mean * POINTS) < 1e-9);
  assert_true(fabs(cost - oracle(costs, leaves)) < 1e-9);
  if (grown > 1) /* not a leaf more than it needs */
    assert_true(oracle(costs, grown - 1) > cost + 1e-9);
}

TEST(test_no_tree_of_so_many_leaves_is_better)
{
  double costs[POINTS * CLASSES];
  uint64_t seed = 7;
  for (int round = 0; round < 200; round++) {
    draw_costs(&seed, costs);
    forget();
    for (int leaves = 1; leaves <= POINTS; leaves++)
      check_optimal(costs, leaves);
  }
}

TEST(test_no_smaller_tree_has_such_a_mean)
{
  double costs[POINTS * CLASSES];
  uint64_t seed = 3;
  for (int round = 0; round < 200; round++) {
    draw_costs(&seed, costs);
    forget();
    const tutti_cost_grid grid = grid_of(costs);
    for (double mean = 0.125; mean < 3; mean += 0.125) {
      tutti_classifier tree = {0};
      double reached;
      const tutti_optimal_tree_options options = {.mean = mean};
      assert_int_equal(tutti_optimal_tree_learn(&grid, &options, &tree, &reached, NULL), TUTTI_OK);
      int grown = tutti_classifier_leaves(&tree);
      assert_true(reached <= mean + 1e-9);
      assert_true(fabs(reached * POINTS - oracle(costs, grown)) < 1e-9);
      if (grown > 1)
        assert_true(oracle(costs, grown - 1) > mean * POINTS + 1e-9);
      tutti_classifier_free(&tree);
    }
  }
}

TEST(test_penalty_trees_keep_their_promise)
{
  double costs[POINTS * CLASSES];
  uint64_t seed = 11;
  for (int round = 0; round < 40; round++) {
    draw_costs(&seed, costs);
    forget();
    tutti_cases cases = cases_of(costs);
    double before = INFINITY;
    for (int leaves = 1; leaves <= POINTS; leaves++) {
      tutti_penalty_tree_options options = {.leaves = leaves, .weight = 1};
      tutti_classifier tree = {0};
      double mean;
      assert_int_equal(tutti_penalty_tree_learn(&cases, costs, &options, &tree, &mean, NULL), TUTTI_OK);
      double cost = cost_of(&tree, costs);
      assert_true(fabs(cost - mean * POINTS) < 1e-6);
      assert_true(tutti_classifier_leaves(&tree) <= leaves);
      assert_true(cost <= before + 1e-6);
      assert_true(cost >= oracle(costs, leaves) - 1e-6);
      before = cost;
      tutti_classifier_free(&tree);
    }
    assert_true(before == 0); /* a leaf for each point is possible */
    tutti_cases_free(&cases);
  }
}

/* Two attributes that say nothing alone: no split lowers the cost, and yet the tree is found. */
TEST(test_penalty_trees_see_through_exclusive_or)
{
  static const double costs[] = {0, 5, 5, 0, 5, 0, 0, 5};
  FREED_BY(tutti_cases_free) tutti_cases cases;
  tutti_cases_create("xor", 2, 2, 4, &cases);
  cases.attributes[0].name = strdup("x");
  cases.attributes[1].name = strdup("y");
  cases.classes[0] = strdup("same");
  cases.classes[1] = strdup("other");
  for (int i = 0; i < 4; i++) {
    cases.values[0][i] = i / 2;
    cases.values[1][i] = i % 2;
    cases.labels[i] = i / 2 != i % 2;
  }
  const tutti_penalty_tree_options options = {.weight = 1};
  FREED_BY(tutti_classifier_free) tutti_classifier tree = {0};
  double mean;
  assert_int_equal(tutti_penalty_tree_learn(&cases, costs, &options, &tree, &mean, NULL), TUTTI_OK);
  assert_true(mean == 0);
  assert_int_equal(tutti_classifier_leaves(&tree), 4);
}

/* What misclassification would do is not what the penalty asks for: two cheap mistakes beat one dear one. */
TEST(test_penalty_trees_minimise_the_penalty)
{
  static const double costs[] = {0, 1, 0, 1, 90, 0};
  FREED_BY(tutti_cases_free) tutti_cases cases;
  tutti_cases_create("dear", 1, 2, 3, &cases);
  cases.attributes[0].name = strdup("x");
  cases.classes[0] = strdup("often");
  cases.classes[1] = strdup("safe");
  for (int i = 0; i < 3; i++) {
    cases.values[0][i] = i;
    cases.labels[i] = i == 2;
  }
  const tutti_penalty_tree_options options = {.leaves = 1, .weight = 1};
  FREED_BY(tutti_classifier_free) tutti_classifier tree = {0};
  double mean;
  assert_int_equal(tutti_penalty_tree_learn(&cases, costs, &options, &tree, &mean, NULL), TUTTI_OK);
  assert_int_equal(tree.node_count, 1);
  assert_int_equal(tree.nodes[0].label, 1);
  assert_true(fabs(mean - 2.0 / 3) < 1e-12);
  assert_true(tree.nodes[0].errors == 2);
}

TEST(test_faults)
{
  double costs[POINTS * CLASSES];
  uint64_t seed = 1;
  tutti_classifier tree = {0};
  draw_costs(&seed, costs);
  costs[7] = NAN;
  FREED_BY(tutti_cases_free) tutti_cases cases = cases_of(costs);
  const tutti_cost_grid grid = grid_of(costs);
  tutti_penalty_tree_options options = tutti_penalty_tree_defaults();
  const tutti_optimal_tree_options optimal = {0};
  assert_int_equal(tutti_penalty_tree_learn(&cases, costs, &options, &tree, NULL, &error), TUTTI_ERR_ARGUMENT);
  assert_int_equal(tutti_optimal_tree_learn(&grid, &optimal, &tree, NULL, &error), TUTTI_ERR_ARGUMENT);
  options.weight = 0;
  costs[7] = 0;
  assert_int_equal(tutti_penalty_tree_learn(&cases, costs, &options, &tree, NULL, &error), TUTTI_ERR_ARGUMENT);
}
