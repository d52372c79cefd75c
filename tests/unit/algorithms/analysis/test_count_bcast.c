/* Counted messages, elements and depth of broadcasts against closed forms. P is the number of ranks, n that of
 * segments. */
#include "unit/algorithms/analysis/count_fixture.h"

enum { MOST = 130, LARGE_WINDOW = 1000 };

static tutti_total count_bcast(const char *name, int ranks, int root, uint64_t elements)
{
  tutti_method method = method_of(TUTTI_COLL_BCAST, name);
  return count(&method, (tutti_call){.size = ranks, .root = root, .count = elements, .commutative = true});
}

/* ---- broadcast on trees ---- */

/* Without segments a tree sends P - 1 messages of everything, and is as deep as its longest branch. */
TEST(unsegmented_trees)
{
  static const char *const names[] = {
      "linear", "binomial", "binary",     "pipeline", "in-order-binary", "in-order-binomial",
      "k-ary",  "k-nomial", "k-nomial-1", "chain"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (int ranks = 1; ranks <= MOST; ranks++) {
      tutti_total total = count_bcast(names[i], ranks, ranks / 3, 100);
      uint64_t messages = (uint64_t)ranks - 1;
      assert_int_equal(total.sum.sends, messages);
      assert_int_equal(total.sum.elements_sent, 100 * messages);
      assert_int_equal(total.sum.largest_message, ranks > 1 ? 100 : 0);
      assert_int_equal(total.sum.elements_copied + total.sum.elements_reduced + total.sum.temporary_elements, 0);
    }
}

TEST(depths_of_trees)
{
  for (int ranks = 1; ranks <= MOST; ranks++) {
    int root = ranks / 2;
    assert_int_equal(count_bcast("linear", ranks, root, 1).depth, ranks > 1);
    assert_int_equal(count_bcast("pipeline", ranks, root, 1).depth, ranks - 1);
    assert_int_equal(count_bcast("chain", ranks, root, 1).depth, (ranks - 1 + 3) / 4);
    /* Rank v is as deep as v has bits, and 2^floor(log2 P) - 1 has most. */
    assert_int_equal(count_bcast("binomial", ranks, root, 1).depth, floor_log2(ranks));
    assert_int_equal(count_bcast("in-order-binomial", ranks, root, 1).depth, floor_log2(ranks));
    assert_int_equal(count_bcast("binary", ranks, root, 1).depth, floor_log2(ranks));
  }
}

/* The root of a binomial tree sends ceil(log2 P) messages, that of a flat one P - 1. */
TEST(most_messages_of_a_rank)
{
  for (int ranks = 1; ranks <= MOST; ranks++) {
    assert_int_equal(count_bcast("binomial", ranks, 0, 1).maximum.sends, ceil_log2(ranks));
    assert_int_equal(count_bcast("linear", ranks, 0, 1).maximum.sends, ranks - 1);
    assert_int_equal(count_bcast("linear", ranks, 0, 1).maximum.receives, ranks > 1);
    assert_int_equal(count_bcast("pipeline", ranks, 0, 7).maximum.elements_sent, ranks > 1 ? 7 : 0);
  }
}

static tutti_total count_pipeline(int ranks, uint64_t segments, int outstanding)
{
  tutti_method method = method_of(TUTTI_COLL_BCAST, "pipeline");
  method.parameters = (tutti_parameters){.segment_bytes = 8, .outstanding = outstanding};
  return count(&method, (tutti_call){.size = ranks, .count = 2 * segments - 1, .type_size = 4});
}

/* A pipeline with one message in flight takes P - 1 + n - 1 steps; with a window of w messages a segment waits for the
   one w before it only, and a window without end leaves nothing but the way. */
TEST(depth_of_a_pipeline)
{
  for (int ranks = 2; ranks <= 12; ranks++)
    for (int segments = 1; segments <= 20; segments++)
      for (int window = 1; window <= 24; window += 1 + window / 4) {
        tutti_total total = count_pipeline(ranks, (uint64_t)segments, window);
        assert_int_equal(total.depth, ranks - 1 + (segments - 1) / window);
        assert_int_equal(total.sum.sends, (ranks - 1) * segments);
        assert_int_equal(total.sum.elements_sent, (ranks - 1) * (2 * segments - 1));
        assert_int_equal(total.sum.largest_message, segments > 1 ? 2 : 1);
      }
  assert_int_equal(count_pipeline(10, 20, 1).depth, 10 - 1 + 20 - 1);
  assert_int_equal(count_pipeline(10, 20, LARGE_WINDOW).depth, 10 - 1);
}

/* ---- broadcast in parts ---- */

/* Whatever the way, every rank but the root receives each element exactly once. */
TEST(nothing_is_sent_twice)
{
  static const char *const names[] = {"split-binary", "scatter-ring", "scatter-recursive-doubling"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (int ranks = 1; ranks <= MOST; ranks++)
      for (uint64_t elements = 0; elements <= 200; elements += 1 + elements / 2)
        assert_int_equal(count_bcast(names[i], ranks, ranks - 1, elements).sum.elements_sent,
                         ((uint64_t)ranks - 1) * elements);
}

TEST(split_binary)
{
  for (int ranks = 2; ranks <= MOST; ranks++) {
    tutti_method method = method_of(TUTTI_COLL_BCAST, "split-binary");
    method.parameters.segment_bytes = 10;
    tutti_total total = count(&method, (tutti_call){.size = ranks, .count = 120});
    assert_int_equal(total.sum.sends, (ranks - 1) * (6 + 1)); /* six segments of one half, then the other half */
    assert_int_equal(total.sum.largest_message, 60);
    assert_int_equal(count_bcast("split-binary", ranks, 0, 121).sum.largest_message, 61);
  }
}

/* P - 1 messages of the scatter; then every rank but the root gets each of P blocks that its subtree, which is as large
   as the lowest bit of its number, does not hold: P (P - 1) - P / 2 log2 P. */
TEST(scatter_ring)
{
  for (int ranks = 2; ranks <= 128; ranks *= 2) {
    uint64_t p = (uint64_t)ranks, elements = 24 * p;
    tutti_total total = count_bcast("scatter-ring", ranks, 1, elements);
    assert_int_equal(total.sum.sends, p - 1 + p * (p - 1) - p / 2 * (uint64_t)floor_log2(ranks));
    assert_int_equal(total.sum.largest_message, elements / 2);
    assert_int_equal(total.maximum.receives, 1 + p - 1);
  }
}

/* With one element a block: the root scatters P - 1 of them, and its right neighbor, which holds one then, needs
   P - 1 more. */
TEST(root_of_scatter_ring)
{
  for (int ranks = 2; ranks <= MOST; ranks++)
    assert_int_equal(count_bcast("scatter-ring", ranks, 0, (uint64_t)ranks).maximum.elements_sent, 2 * (ranks - 1));
}
