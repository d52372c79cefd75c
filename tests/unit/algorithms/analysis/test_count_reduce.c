/* Counted messages, elements, memory and depth of reductions against closed forms. P is the number of ranks. */
#include "unit/algorithms/analysis/count_fixture.h"

enum { MOST = 130, COUNT = 50, LARGE = 1 << 20 };

struct reduction {
  const char *name;
  int ranks, root;
  uint64_t count;
};

static tutti_total count_reduce(struct reduction r, bool commutative)
{
  tutti_method method = method_of(TUTTI_COLL_REDUCE, r.name);
  return count(&method, (tutti_call){.size = r.ranks, .root = r.root, .count = r.count, .commutative = commutative});
}

/* ---- reduce on trees ---- */

/* P - 1 messages and reductions of everything. */
TEST(trees)
{
  static const char *const names[] = {"linear",   "chain",           "pipeline",         "binary",
                                      "binomial", "in-order-binary", "in-order-binomial"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (int ranks = 1; ranks <= MOST; ranks++) {
      tutti_total total = count_reduce((struct reduction){names[i], ranks, ranks / 3, COUNT}, true);
      uint64_t others = (uint64_t)ranks - 1;
      assert_int_equal(total.sum.sends, others);
      assert_int_equal(total.sum.elements_sent, COUNT * others);
      assert_int_equal(total.sum.elements_reduced, COUNT * others);
      assert_int_equal(total.sum.elements_copied, ranks == 1 ? COUNT : 0);
      assert_int_equal(total.sum.largest_message, ranks > 1 ? COUNT : 0);
    }
}

/* If the operation does not commute, rank 0 combines and sends the result to another root; a flat tree needs no such
   detour, but copies the last rank's operand if that rank is the root. */
TEST(order_has_a_price)
{
  for (int ranks = 2; ranks <= MOST; ranks++)
    for (int root = 0; root < ranks; root += 1 + ranks / 3) {
      uint64_t others = (uint64_t)ranks - 1, detour = root != 0;
      struct reduction tree = {"in-order-binomial", ranks, root, COUNT}, flat = {"linear", ranks, root, COUNT};
      assert_int_equal(count_reduce(tree, false).sum.sends, others + detour);
      assert_int_equal(count_reduce(tree, false).depth, (uint64_t)floor_log2(ranks) + detour);
      assert_int_equal(count_reduce(flat, false).sum.sends, others);
      assert_int_equal(count_reduce(flat, false).sum.elements_copied, root == ranks - 1 ? COUNT : 0);
    }
}

TEST(depths)
{
  for (int ranks = 1; ranks <= MOST; ranks++) {
    assert_int_equal(count_reduce((struct reduction){"binomial", ranks, 0, LARGE}, true).depth, floor_log2(ranks));
    assert_int_equal(count_reduce((struct reduction){"binary", ranks, 0, LARGE}, true).depth, floor_log2(ranks));
    assert_int_equal(count_reduce((struct reduction){"in-order-binomial", ranks, 0, LARGE}, true).depth,
                     floor_log2(ranks));
    assert_int_equal(count_reduce((struct reduction){"pipeline", ranks, 0, LARGE}, true).depth, ranks - 1);
    assert_int_equal(count_reduce((struct reduction){"chain", ranks, 0, LARGE}, true).depth, (ranks - 1 + 3) / 4);
  }
}

static uint64_t memory(const char *name, int ranks, uint64_t elements)
{
  return count_reduce((struct reduction){name, ranks, 0, elements}, true).maximum.temporary_elements;
}

static uint64_t smaller(int a, int b)
{
  return (uint64_t)(a < b ? a : b);
}

/* A small message has a slot per child, but for the one of the root that is received into the output. A large one has
   no more than three however many children there are, or the result and two. */
TEST(memory_of_trees)
{
  for (int ranks = 2; ranks <= MOST; ranks++) {
    assert_int_equal(memory("in-order-binomial", ranks, COUNT), COUNT * (ceil_log2(ranks) - 1));
    assert_int_equal(memory("in-order-binomial", ranks, LARGE), LARGE * smaller(3, ceil_log2(ranks) - 1));
    assert_int_equal(memory("linear", ranks, LARGE), LARGE * smaller(2, ranks - 2));
    assert_int_equal(memory("linear", ranks, 1), ranks - 2);
    assert_uint_in_range(memory("binomial", ranks, LARGE), 0, 3 * LARGE);
  }
  assert_int_equal(memory("binomial", 128, LARGE), 3 * LARGE);
}

/* Segments of a pipeline take a window of slots, however long the message. */
TEST(memory_of_segments)
{
  tutti_method method = method_of(TUTTI_COLL_REDUCE, "pipeline");
  method.parameters = (tutti_parameters){.segment_bytes = LARGE / 64, .outstanding = 5};
  tutti_total total = count(&method, (tutti_call){.size = 4, .count = LARGE, .commutative = true});
  assert_int_equal(total.maximum.temporary_elements, 5 * (LARGE / 64));
  assert_int_equal(total.sum.sends, 3 * 64);
}

/* ---- Rabenseifner ---- */

/* A power of two: log2(P) exchanges and as many steps of the gather; every element is reduced P - 1 times in all, and
   nobody reduces more than its share. */
TEST(rabenseifner)
{
  for (int ranks = 2, steps = 1; ranks <= 128; ranks *= 2, steps++) {
    uint64_t p = (uint64_t)ranks, elements = 3 * p;
    tutti_total total = count_reduce((struct reduction){"rabenseifner", ranks, ranks / 2, elements}, true);
    assert_int_equal(total.sum.sends, p * (uint64_t)steps + p - 1);
    assert_int_equal(total.sum.elements_sent, (p - 1) * elements + elements / 2 * (uint64_t)steps);
    assert_int_equal(total.sum.elements_reduced, (p - 1) * elements);
    assert_int_equal(total.maximum.elements_reduced, 3 * (p - 1));
    assert_int_equal(total.sum.largest_message, elements / 2);
    assert_int_equal(total.sum.elements_copied, 0);
    assert_int_equal(total.depth, 2 * steps);
  }
}

/* Otherwise neighbors are folded first, in one more step and with one more message each. */
TEST(rabenseifner_folds)
{
  for (int ranks = 3; ranks <= MOST; ranks++) {
    int power = 1 << floor_log2(ranks), folded = ranks - power, steps = floor_log2(ranks);
    for (int root = 0; root < ranks && folded > 0; root += 1 + ranks / 4) {
      struct reduction r = {"rabenseifner", ranks, root, 2 * (uint64_t)power};
      assert_int_equal(count_reduce(r, true).sum.sends, power * steps + power - 1 + folded);
      assert_int_equal(count_reduce(r, true).depth, 2 * steps + 1);
    }
  }
}

/* ---- reduce-scatter ---- */

enum { BLOCK = 3 };

static tutti_total count_reduce_scatter(const char *name, int ranks, bool commutative)
{
  tutti_method method = method_of(TUTTI_COLL_REDUCE_SCATTER_BLOCK, name);
  return count(&method, (tutti_call){.size = ranks, .count = BLOCK, .commutative = commutative});
}

/* Every contribution is sent to, or on the way to, its rank only once in P - 1 steps. */
TEST(rings)
{
  static const char *const names[] = {"ring", "pairwise"};
  for (int i = 0; i < 2; i++)
    for (int ranks = 2; ranks <= MOST; ranks++) {
      tutti_total total = count_reduce_scatter(names[i], ranks, true);
      assert_int_equal(total.sum.sends, ranks * (ranks - 1));
      assert_int_equal(total.maximum.elements_sent, BLOCK * (ranks - 1));
      assert_int_equal(total.maximum.elements_reduced, BLOCK * (ranks - 1));
      assert_int_equal(total.sum.elements_copied, 0);
      assert_int_equal(total.depth, ranks - 1);
      assert_uint_in_range(total.maximum.temporary_elements, 0, 3 * BLOCK);
    }
}

/* A power of two: halving moves each rank's P - 1 blocks in log2(P) steps; doubling sends all but the own group's. */
TEST(halving_and_doubling)
{
  for (int ranks = 2, steps = 1; ranks <= 128; ranks *= 2, steps++) {
    uint64_t p = (uint64_t)ranks, log = (uint64_t)steps;
    tutti_total halving = count_reduce_scatter("recursive-halving", ranks, true);
    tutti_total doubling = count_reduce_scatter("recursive-doubling", ranks, false);
    assert_int_equal(halving.sum.sends, p * log);
    assert_int_equal(halving.maximum.elements_sent, BLOCK * (p - 1));
    assert_int_equal(halving.maximum.elements_reduced, BLOCK * (p - 1));
    assert_int_equal(halving.sum.elements_copied, 0);
    assert_int_equal(halving.depth, steps);
    assert_int_equal(doubling.maximum.elements_sent, BLOCK * (p * log - (p - 1)));
    assert_int_equal(doubling.sum.elements_sent, p * BLOCK * (p * log - (p - 1)));
    /* the own block in each step, and those beyond the two groups that have been combined */
    assert_int_equal(doubling.maximum.elements_reduced, BLOCK * (p * log - 2 * (p - 1) + log));
    assert_int_equal(doubling.depth, steps);
  }
}

/* The butterfly sends each block once more, except where mirrored bits are the same: 2^ceil(log2(P) / 2) ranks. */
TEST(butterfly)
{
  for (int ranks = 2, steps = 1; ranks <= 128; ranks *= 2, steps++) {
    tutti_total total = count_reduce_scatter("butterfly", ranks, false);
    int swapped = ranks - (1 << (steps + 1) / 2);
    assert_int_equal(total.sum.sends, ranks * steps + swapped);
    assert_int_equal(total.sum.elements_sent, BLOCK * (ranks * (ranks - 1) + swapped));
    assert_int_equal(total.depth, steps + (swapped > 0));
  }
}
