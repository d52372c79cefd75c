/* Quadtrees: maps answered point by point, limits, ties and shapes by hand. */
#include "unit/decision/label_map.h"
#include "unit/test.h"

static struct labels labels; /* too large for a frame */

static void free_quadtree(tutti_quadtree **tree)
{
  tutti_quadtree_free(*tree);
}

static tutti_quadtree *encode(int depth, double accuracy)
{
  tutti_label_map map = labels_map(&labels);
  tutti_quadtree *tree;
  if (tutti_quadtree_create(&map, &(tutti_quadtree_limits){.depth = depth, .accuracy = accuracy}, &tree, REASON))
    fail_msg("%s", error.message);
  return tree;
}

static int label_at(const tutti_quadtree *tree, int i, int j, int k)
{
  return tutti_quadtree_label(tree, (int)labels.axes[0][i], labels.axes[1][j], (int)labels.axes[2][k]);
}

/* Points that the tree answers with another label. */
static int count_wrong(const tutti_quadtree *tree)
{
  int wrong = 0;
  for (int i = 0; i < labels.counts[0]; i++)
    for (int j = 0; j < labels.counts[1]; j++)
      for (int k = 0; k < labels.counts[2]; k++)
        wrong += label_at(tree, i, j, k) != *labels_at(&labels, i, j, k);
  return wrong;
}

TEST(test_exact_on_all_shapes)
{
  uint64_t seed = 53;
  for (int ranks = 1; ranks <= 50; ranks++)
    for (int bytes = 1; bytes <= 50; bytes++) {
      labels_init(&labels, ranks, bytes, 1, 5);
      labels_draw(&labels, &seed);
      tutti_quadtree *tree = encode(-1, bytes % 2);
      if (count_wrong(tree) != 0)
        fail_msg("%d x %d points: %d are wrong", ranks, bytes, count_wrong(tree));
      int most = ranks > bytes ? ranks : bytes;
      assert_true(tutti_quadtree_measure(tree).max_depth <= (int)ceil(log2(most)));
      tutti_quadtree_free(tree);
    }
}

TEST(test_octree_is_exact)
{
  uint64_t seed = 531;
  for (int ranks = 1; ranks <= 9; ranks++)
    for (int bytes = 1; bytes <= 9; bytes++)
      for (int nodes = 1; nodes <= 9; nodes++) {
        labels_init(&labels, ranks, bytes, nodes, 4);
        labels_draw(&labels, &seed);
        tutti_quadtree *tree = encode(-1, 1);
        if (count_wrong(tree) != 0)
          fail_msg("%d x %d x %d points: %d are wrong", ranks, bytes, nodes, count_wrong(tree));
        assert_int_equal(tutti_quadtree_label(tree, 1, 0, 0), labels.labels[0]); /* not known: the lowest measured */
        assert_int_equal(tutti_quadtree_label(tree, 1 << 30, UINT64_MAX, 1 << 30),
                         labels.labels[ranks * bytes * nodes - 1]);
        tutti_quadtree_free(tree);
      }
}

/* Rows are ranks 2..5, columns 1, 2, 4, 8 bytes. Three quadrants are uniform; the upper left one has four labels. */
static void draw_four_by_four(void)
{
  static const int drawn[4][4] = {{0, 0, 1, 1}, {0, 0, 1, 1}, {2, 3, 0, 0}, {1, 0, 0, 0}};
  labels_init(&labels, 4, 4, 1, 4);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      *labels_at(&labels, i, j, 0) = drawn[i][j];
}

TEST(test_shape_by_hand)
{
  draw_four_by_four();
  tutti_quadtree *tree = encode(-1, 1);
  tutti_classifier_shape shape = tutti_quadtree_measure(tree);
  assert_true(shape.leaves == 7 && shape.nodes == 9);
  assert_true(shape.min_depth == 1 && shape.max_depth == 2);
  assert_true(fabs(shape.mean_depth - (3 * 1 + 4 * 2) / 7.0) < 1e-12);
  assert_true(fabs(shape.expected_depth - (3 * 0.25 * 1 + 4 * 0.0625 * 2)) < 1e-12);
  assert_true(shape.node_bytes <= 16 && shape.bytes < 512);
  tutti_quadtree_free(tree);
  tree = encode(1, 1);
  shape = tutti_quadtree_measure(tree);
  assert_true(shape.leaves == 4 && shape.nodes == 5 && shape.mean_depth == 1);
  tutti_quadtree_free(tree);
  tree = encode(0, 1);
  shape = tutti_quadtree_measure(tree);
  assert_true(shape.leaves == 1 && shape.nodes == 1 && shape.max_depth == 0);
  assert_int_equal(label_at(tree, 2, 0, 0), 0); /* 9 of 16 points */
  tutti_quadtree_free(tree);
}

/* Four labels, a point each: that of the upper right corner. */
TEST(test_tie_goes_to_the_upper_right)
{
  draw_four_by_four();
  tutti_quadtree *tree = encode(1, 1);
  assert_int_equal(label_at(tree, 2, 0, 0), 0);
  tutti_quadtree_free(tree);
  *labels_at(&labels, 3, 1, 0) = 3;
  *labels_at(&labels, 2, 1, 0) = 0;
  tree = encode(1, 1);
  assert_int_equal(label_at(tree, 2, 0, 0), 3);
  tutti_quadtree_free(tree);
}

/* The corner's label is not among the prevalent ones of a 4 x 4 quadrant (5 + 5 + 3 + 3): the smallest of these. */
TEST(test_tie_goes_to_the_smallest)
{
  static const int drawn[4][4] = {{3, 3, 3, 3}, {3, 1, 1, 1}, {1, 1, 0, 0}, {0, 2, 2, 2}};
  labels_init(&labels, 4, 4, 1, 4);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      *labels_at(&labels, i, j, 0) = drawn[i][j];
  FREED_BY(free_quadtree) tutti_quadtree *tree = encode(0, 1);
  assert_int_equal(label_at(tree, 0, 0, 0), 1);
}

TEST(test_accuracy)
{
  draw_four_by_four();
  *labels_at(&labels, 2, 1, 0) = 2; /* upper left: 2 2 1 0 */
  /* Label 0 has 9 of 16 points, 0.5625; the upper left quadrant has none with more than half. */
  static const double accuracies[] = {0.5, 0.5625, 0.57, 0, 1};
  static const int leaves[] = {1, 1, 7, 7, 7};
  for (int i = 0; i < 5; i++) {
    tutti_quadtree *tree = encode(-1, accuracies[i]);
    assert_int_equal(tutti_quadtree_measure(tree).leaves, leaves[i]);
    tutti_quadtree_free(tree);
  }
  *labels_at(&labels, 3, 0, 0) = 2;
  tutti_quadtree *tree = encode(-1, 0.75);
  assert_int_equal(tutti_quadtree_measure(tree).leaves, 4);
  assert_int_equal(label_at(tree, 3, 1, 0), 2);
  tutti_quadtree_free(tree);
}

TEST(test_limits_hold)
{
  uint64_t seed = 7;
  labels_init(&labels, 25, 48, 1, 9);
  labels_draw(&labels, &seed);
  int before = labels.counts[0] * labels.counts[1];
  for (int depth = 0; depth <= 6; depth++) {
    tutti_quadtree *tree = encode(depth, 1);
    tutti_classifier_shape shape = tutti_quadtree_measure(tree);
    assert_true(shape.max_depth <= depth);
    assert_int_equal(shape.nodes, (4 * shape.leaves - 1) / 3);
    int wrong = count_wrong(tree);
    assert_true(wrong <= before);
    before = wrong;
    tutti_quadtree_free(tree);
  }
  assert_int_equal(before, 0);
}

/* Between two measured values the nearer one on a logarithmic scale answers. */
TEST(test_changes_at_the_geometric_mean)
{
  labels_init(&labels, 1, 2, 1, 2);
  labels.axes[1][0] = 100;
  labels.axes[1][1] = 10000;
  labels.labels[1] = 1;
  FREED_BY(free_quadtree) tutti_quadtree *tree = encode(-1, 1);
  assert_int_equal(tutti_quadtree_label(tree, 9, 0, 0), 0);
  assert_int_equal(tutti_quadtree_label(tree, 9, 1000, 0), 0);
  assert_int_equal(tutti_quadtree_label(tree, 9, 1001, 0), 1);
  assert_int_equal(tutti_quadtree_label(tree, 9, UINT64_MAX, 0), 1);
  assert_int_equal(tutti_quadtree_measure(tree).leaves, 2); /* an axis of one point is not tested */
}

/* Three sizes are 8 cells, 0 0 0 1 1 1 2 2: the halving goes through the middle one, most of which is above. */
TEST(test_halving_through_a_point)
{
  labels_init(&labels, 8, 3, 1, 2);
  for (int j = 0; j < 3; j++)
    labels.axes[1][j] = (uint64_t[]){100, 10000, 1000000}[j];
  for (int i = 0; i < 8; i++)
    *labels_at(&labels, i, 1, 0) = *labels_at(&labels, i, 2, 0) = 1;
  FREED_BY(free_quadtree) tutti_quadtree *tree = encode(1, 1);
  assert_int_equal(tutti_quadtree_label(tree, 5, 1000, 0), 0);
  assert_int_equal(tutti_quadtree_label(tree, 5, 1001, 0), 1);
}

/* As tutti_classifier_classify(), for continuous attributes that are known. */
static int walk(const tutti_classifier *classifier, const double *values)
{
  const tutti_node *node = &classifier->nodes[0];
  while (node->attribute >= 0)
    node = &classifier->nodes[node->first + (values[node->attribute] > node->threshold)];
  return node->label;
}

static void discard(tutti_classifier *classifier)
{
  for (int i = 0; i < classifier->attribute_count; i++)
    free(classifier->attributes[i].name);
  for (int i = 0; i < classifier->class_count; i++)
    free(classifier->classes[i]);
  free(classifier->attributes);
  free(classifier->classes);
  free(classifier->nodes);
}

static int classifier_leaves(const tutti_classifier *classifier)
{
  int leaves = 0;
  for (int i = 0; i < classifier->node_count; i++)
    leaves += classifier->nodes[i].attribute < 0;
  return leaves;
}

/* Both sides of every test have questions: no threshold repeats, or contradicts, one on the way to it. */
static void check_bounds(const tutti_classifier *classifier)
{
  double(*bounds)[TUTTI_AXES][2] = calloc((unsigned)classifier->node_count, sizeof *bounds);
  assert_non_null(bounds);
  for (int axis = 0; axis < TUTTI_AXES; axis++) {
    bounds[0][axis][0] = -1;
    bounds[0][axis][1] = INFINITY;
  }
  for (int i = 0; i < classifier->node_count; i++) {
    const tutti_node *node = &classifier->nodes[i];
    if (node->attribute < 0)
      continue;
    assert_true(node->threshold > bounds[i][node->attribute][0] && node->threshold < bounds[i][node->attribute][1]);
    memcpy(bounds[node->first], bounds[i], sizeof *bounds);
    memcpy(bounds[node->first + 1], bounds[i], sizeof *bounds);
    bounds[node->first][node->attribute][1] = node->threshold;
    bounds[node->first + 1][node->attribute][0] = node->threshold;
  }
  free(bounds);
}

static const char *const class_names[] = {"a", "b", "c", "d", "e"};

static tutti_classifier tutti_classify(const tutti_quadtree *tree)
{
  tutti_classifier classifier;
  assert_ok(tutti_quadtree_classifier(tree, class_names, 5, &classifier, REASON), error);
  return classifier;
}

static void check_classifier(int depth, uint64_t *seed)
{
  FREED_BY(free_quadtree) tutti_quadtree *tree = encode(depth, 1);
  tutti_classifier classifier = tutti_classify(tree);
  assert_int_equal(classifier.attribute_count, labels.counts[2] > 1 ? 3 : 2);
  assert_true(classifier_leaves(&classifier) <= tutti_quadtree_measure(tree).leaves);
  for (int i = 1; i < classifier.node_count; i++)
    assert_true(classifier.nodes[i].attribute < 0 || classifier.nodes[i].first > i);
  check_bounds(&classifier);
  for (int i = 0; i < 300; i++) {
    int ranks = (int)random_below(seed, 40), nodes = (int)random_below(seed, 40);
    uint64_t bytes = random_below(seed, random_below(seed, 2) ? 30 : 12000);
    int label = walk(&classifier, (double[]){ranks, (double)bytes, nodes});
    assert_int_equal(label, tutti_quadtree_label(tree, ranks, bytes, nodes));
  }
  discard(&classifier);
}

TEST(test_classifier_agrees)
{
  uint64_t seed = 99;
  for (int round = 0; round < 400; round++) {
    int nodes = round % 2 ? 1 : 1 + (int)random_below(&seed, 6);
    labels_init(&labels, 1 + (int)random_below(&seed, 12), 1 + (int)random_below(&seed, 12), nodes, 5);
    labels_draw(&labels, &seed);
    check_classifier(round % 5 - 1, &seed);
  }
}

/* Two columns of a quadrant each: one test of the size is enough, and cases and errors are those of the points. */
TEST(test_siblings_are_merged)
{
  labels_init(&labels, 4, 4, 1, 2);
  for (int i = 0; i < 4; i++)
    *labels_at(&labels, i, 2, 0) = *labels_at(&labels, i, 3, 0) = 1;
  *labels_at(&labels, 0, 0, 0) = 1;
  FREED_BY(free_quadtree) tutti_quadtree *tree = encode(1, 1);
  tutti_classifier classifier = tutti_classify(tree);
  const tutti_node *nodes = classifier.nodes;
  assert_int_equal(classifier.node_count, 3);
  assert_true(nodes[0].attribute == TUTTI_AXIS_BYTES && nodes[0].threshold == 2 && nodes[0].cases == 16);
  assert_true(nodes[1].label == 0 && nodes[1].cases == 8 && nodes[1].errors == 1);
  assert_true(nodes[2].label == 1 && nodes[2].cases == 8 && nodes[2].errors == 0);
  discard(&classifier);
  assert_int_equal(tutti_quadtree_classifier(tree, class_names, 1, &classifier, REASON), TUTTI_ERR_ARGUMENT);
}

static void assert_refused(const tutti_label_map *map, double accuracy, const char *reason)
{
  tutti_quadtree *tree;
  assert_int_equal(
      tutti_quadtree_create(map, &(tutti_quadtree_limits){.depth = -1, .accuracy = accuracy}, &tree, REASON),
      TUTTI_ERR_ARGUMENT);
  assert_null(tree);
  assert_contains(error.message, reason);
}

TEST(test_refuses_what_is_no_map)
{
  labels_init(&labels, 4, 4, 1, 2);
  tutti_label_map map = labels_map(&labels);
  assert_refused(&map, 1.5, "accuracy");
  assert_refused(&map, NAN, "accuracy");
  labels.labels[5] = 2;
  assert_refused(&map, 1, "point 5 has the label 2");
  labels.labels[5] = 0;
  labels.axes[0][2] = labels.axes[0][1];
  assert_refused(&map, 1, "communicator sizes of a quadtree ascend");
  labels_init(&labels, 4, 4, 1, 2);
  labels.axes[1][3] = UINT64_C(1) << 48;
  assert_refused(&map, 1, "message sizes");
  map.counts[2] = 0;
  labels.axes[1][3] = 9;
  assert_refused(&map, 1, "ranks per node");
}
