/* Every shape, every size up to 70, every root: the tree spans all ranks, and the shapes keep what they promise. */
#include "tutti/tree.h"
#include "unit/test.h"

enum { MOST = 70 };

static tutti_tree make(tutti_tree_shape shape, int k, int size, int root, int rank)
{
  tutti_tree tree;
  assert_int_equal(tutti_tree_init(&tree, shape, k, size, root, rank, &error), TUTTI_OK);
  return tree;
}

/* Size of the subtree of rank, checking on the way that children name it as their parent. */
static int subtree(tutti_tree_shape shape, int k, int size, int root, int rank, int *visits, int *depth)
{
  tutti_tree tree = make(shape, k, size, root, rank);
  int sum = 1, deepest = 0;
  visits[rank]++;
  for (int c = 0; c < tree.child_count; c++) {
    int child = tutti_tree_child(&tree, c), below = 0;
    assert_uint_in_range(child, 0, size - 1);
    assert_int_equal(make(shape, k, size, root, child).parent, rank);
    sum += subtree(shape, k, size, root, child, visits, &below);
    if (below + 1 > deepest)
      deepest = below + 1;
  }
  *depth = deepest;
  return sum;
}

static int check_spans(tutti_tree_shape shape, int k, int size, int root)
{
  int visits[MOST] = {0}, depth;
  assert_int_equal(make(shape, k, size, root, root).parent, -1);
  assert_int_equal(subtree(shape, k, size, root, root, visits, &depth), size);
  for (int r = 0; r < size; r++)
    assert_int_equal(visits[r], 1);
  return depth;
}

TEST(every_shape_spans)
{
  for (int shape = 0; shape < TUTTI_TREE_EXPLICIT; shape++)
    for (int k = 2; k <= 5; k++)
      for (int size = 1; size <= MOST; size++)
        for (int root = 0; root<size; root += size> 12 ? 7 : 1)
          check_spans((tutti_tree_shape)shape, k, size, root);
  for (int size = 1; size <= MOST; size++) {
    check_spans(TUTTI_TREE_CHAIN, 1, size, 0);
    check_spans(TUTTI_TREE_CHAIN, 100, size, size - 1);
    check_spans(TUTTI_TREE_KARY, 1, size, size / 2);
  }
}

static int ceil_log(int base, int size)
{
  int depth = 0;
  for (long reach = 1; reach < size; reach *= base)
    depth++;
  return depth;
}

TEST(depths_are_minimal)
{
  for (int size = 1; size <= MOST; size++) {
    assert_int_equal(check_spans(TUTTI_TREE_FLAT, 0, size, 0), size > 1);
    assert_int_equal(check_spans(TUTTI_TREE_PIPELINE, 0, size, 0), size - 1);
    assert_int_equal(check_spans(TUTTI_TREE_BINARY, 0, size, 0), ceil_log(2, size + 1) - 1);
    assert_int_equal(check_spans(TUTTI_TREE_IN_ORDER_BINARY, 0, size, 0), ceil_log(2, size + 1) - 1);
    assert_uint_in_range(check_spans(TUTTI_TREE_BINOMIAL, 0, size, 0), 0, ceil_log(2, size));
    assert_uint_in_range(check_spans(TUTTI_TREE_KNOMIAL, 3, size, 0), 0, ceil_log(3, size));
    assert_uint_in_range(check_spans(TUTTI_TREE_KNOMIAL_1, 3, size, 0), 0, ceil_log(3, size));
    int chain = check_spans(TUTTI_TREE_CHAIN, 4, size, 0);
    assert_int_equal(chain, (size - 1 + 3) / 4);
  }
}

TEST(binary_trees_are_balanced)
{
  for (int size = 2; size <= MOST; size++)
    for (int rank = 0; rank < size; rank++) {
      int visits[MOST] = {0}, depth;
      tutti_tree tree = make(TUTTI_TREE_BINARY, 0, size, 0, rank);
      int left = 0, right = 0;
      if (tree.child_count > 0)
        left = subtree(TUTTI_TREE_BINARY, 0, size, 0, tutti_tree_child(&tree, 0), visits, &depth);
      if (tree.child_count > 1)
        right = subtree(TUTTI_TREE_BINARY, 0, size, 0, tutti_tree_child(&tree, 1), visits, &depth);
      assert_uint_in_range(left - right, 0, 1);
    }
}

/* Subtrees of in-order trees are ranges that begin at their root. */
TEST(in_order_subtrees_are_ranges)
{
  static const tutti_tree_shape shapes[] = {TUTTI_TREE_IN_ORDER_BINARY, TUTTI_TREE_IN_ORDER_BINOMIAL,
                                            TUTTI_TREE_KNOMIAL, TUTTI_TREE_KNOMIAL_1};
  for (int s = 0; s < 4; s++)
    for (int size = 1; size <= MOST; size++)
      for (int rank = 0; rank < size; rank++) {
        int visits[MOST] = {0}, depth;
        int count = subtree(shapes[s], 3, size, 0, rank, visits, &depth);
        for (int r = 0; r < size; r++)
          assert_int_equal(visits[r], r >= rank && r < rank + count);
      }
}

/* In the order of its children a binomial tree finishes in ceil(log2 size) rounds of one message per rank and round. */
static int finish_round(tutti_tree_shape shape, int size, int rank, int start)
{
  tutti_tree tree = make(shape, 2, size, 0, rank);
  int latest = start;
  for (int c = 0; c < tree.child_count; c++) {
    int finished = finish_round(shape, size, tutti_tree_child(&tree, c), start + c + 1);
    latest = finished > latest ? finished : latest;
  }
  return latest;
}

TEST(binomial_trees_take_logarithmic_rounds)
{
  for (int size = 1; size <= MOST; size++) {
    assert_int_equal(finish_round(TUTTI_TREE_BINOMIAL, size, 0, 0), ceil_log(2, size));
    assert_int_equal(finish_round(TUTTI_TREE_IN_ORDER_BINOMIAL, size, 0, 0), ceil_log(2, size));
    assert_int_equal(finish_round(TUTTI_TREE_KNOMIAL_1, size, 0, 0), ceil_log(2, size));
  }
}

/* MPICH's tree_util.c lists them: the children of ranks 0 to 7 in base 2, in the order in which they are sent to. */
TEST(knomial_children_are_those_of_mpich)
{
  static const struct {
    tutti_tree_shape shape;
    int rank, children[4];
  } places[] = {
      {TUTTI_TREE_KNOMIAL_1, 0, {1, 5, 7}}, {TUTTI_TREE_KNOMIAL_1, 1, {2, 4}}, {TUTTI_TREE_KNOMIAL_1, 2, {3}},
      {TUTTI_TREE_KNOMIAL_1, 5, {6}},       {TUTTI_TREE_KNOMIAL_1, 7, {0}},    {TUTTI_TREE_KNOMIAL, 0, {4, 2, 1}},
      {TUTTI_TREE_KNOMIAL, 4, {6, 5}},      {TUTTI_TREE_KNOMIAL, 2, {3}},      {TUTTI_TREE_KNOMIAL, 6, {7}}};
  for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
    tutti_tree tree = make(places[p].shape, 2, 8, 0, places[p].rank);
    int count = 0;
    for (; places[p].children[count]; count++)
      assert_int_equal(tutti_tree_child(&tree, count), places[p].children[count]);
    assert_int_equal(tree.child_count, count);
  }
}

/* The rule that MPICH states: from the highest digit of a node's height down to the lowest, k - 1 children of that
   height each, one after the subtree of the other. Says which rank is whose child, all at once. */
static int number_below(int first, int height, int size, int k, int *parents)
{
  int next = first + 1;
  for (int i = height - 1; i >= 0; i--)
    for (int j = 1; j < k && next < size; j++) {
      parents[next] = first;
      next = number_below(next, i, size, k, parents);
    }
  return next;
}

TEST(knomial_1_follows_the_rule)
{
  for (int k = 2; k <= 8; k++)
    for (int size = 2; size <= MOST; size++) {
      int parents[MOST];
      assert_int_equal(number_below(0, ceil_log(k, size), size, k, parents), size);
      for (int rank = 1; rank < size; rank++)
        assert_int_equal(make(TUTTI_TREE_KNOMIAL_1, k, size, 0, rank).parent, parents[rank]);
    }
}

TEST(largest_sizes_do_not_overflow)
{
  for (int shape = 0; shape < TUTTI_TREE_EXPLICIT; shape++)
    for (int i = 0; i < 200; i++) {
      int rank = INT_MAX - 1 - i * 10000019 % INT_MAX;
      rank = rank < 0 ? -rank : rank;
      tutti_tree tree = make((tutti_tree_shape)shape, 3, INT_MAX, i % 2 ? INT_MAX - 1 : 0, rank);
      for (int c = 0; c < tree.child_count && c < 40; c++) {
        int child = tutti_tree_child(&tree, c);
        assert_int_equal(make((tutti_tree_shape)shape, 3, INT_MAX, tree.root, child).parent, rank);
      }
    }
}

TEST(explicit_trees_say_what_they_were_told)
{
  const int children[] = {5, 2};
  tutti_tree tree;
  tutti_tree_init_explicit(&tree, 6, 3, 1, 3, children, 2);
  assert_int_equal(tree.parent, 3);
  assert_int_equal(tree.child_count, 2);
  assert_int_equal(tutti_tree_child(&tree, 0), 5);
  assert_int_equal(tutti_tree_child(&tree, 1), 2);
}

TEST(bad_arguments_are_refused)
{
  tutti_tree tree;
  assert_int_equal(tutti_tree_init(&tree, TUTTI_TREE_FLAT, 0, 0, 0, 0, &error), TUTTI_ERR_ARGUMENT);
  assert_int_equal(tutti_tree_init(&tree, TUTTI_TREE_FLAT, 0, 4, 4, 0, &error), TUTTI_ERR_ARGUMENT);
  assert_int_equal(tutti_tree_init(&tree, TUTTI_TREE_FLAT, 0, 4, 0, -1, &error), TUTTI_ERR_ARGUMENT);
  assert_int_equal(tutti_tree_init(&tree, TUTTI_TREE_KNOMIAL, 1, 4, 0, 0, &error), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message, "k-nomial tree: k=1 must be at least 2");
  assert_int_equal(tutti_tree_init(&tree, TUTTI_TREE_EXPLICIT, 1, 4, 0, 0, &error), TUTTI_ERR_ARGUMENT);
}
