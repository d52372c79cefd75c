/* Counted messages, elements and depth of allreduce against closed forms. P is the number of ranks, n that of
 * elements. */
#include "unit/algorithms/analysis/count_fixture.h"

enum { MOST = 130 };

static tutti_total count_allreduce(const char *name, int ranks, uint64_t elements, uint64_t segment)
{
  tutti_method method = method_of(TUTTI_COLL_ALLREDUCE, name);
  method.parameters.segment_bytes = segment;
  return count(&method, (tutti_call){.size = ranks, .count = elements, .commutative = true});
}

/* Everything is exchanged in log2 Q steps, Q being the largest power of two up to P; the others are folded in first and
   told last. */
TEST(recursive_doubling)
{
  for (int ranks = 1; ranks <= MOST; ranks++) {
    tutti_total total = count_allreduce("recursive-doubling", ranks, 10, 0);
    int log = floor_log2(ranks), rest = ranks - (1 << log);
    assert_int_equal(total.sum.sends, (1 << log) * log + 2 * rest);
    assert_int_equal(total.sum.elements_sent, 10 * total.sum.sends);
    assert_int_equal(total.depth, log + (rest ? 2 : 0));
    assert_uint_in_range(total.maximum.temporary_elements, 0, 10);
  }
}

/* With P a power of two each rank sends and receives 2 (P - 1) / P n elements and combines half as many. */
TEST(rabenseifner)
{
  for (int ranks = 2; ranks <= 128; ranks *= 2) {
    uint64_t block = 3, others = (uint64_t)ranks - 1;
    tutti_total total = count_allreduce("rabenseifner", ranks, block * (uint64_t)ranks, 0);
    assert_int_equal(total.maximum.sends, 2 * floor_log2(ranks));
    assert_int_equal(total.maximum.elements_sent, 2 * others * block);
    assert_int_equal(total.maximum.elements_reduced, others * block);
    assert_int_equal(total.maximum.temporary_elements, block * (uint64_t)ranks / 2);
    assert_int_equal(total.depth, 2 * floor_log2(ranks));
  }
  /* Two steps to fold, one to tell the result. */
  for (int ranks = 3; ranks <= MOST; ranks++)
    if (ranks != 1 << floor_log2(ranks))
      assert_int_equal(count_allreduce("rabenseifner", ranks, 256, 0).depth, 2 * floor_log2(ranks) + 3);
}

TEST(ring)
{
  for (int ranks = 2; ranks <= 40; ranks++) {
    uint64_t others = (uint64_t)ranks - 1;
    tutti_total total = count_allreduce("ring", ranks, 5 * (uint64_t)ranks, 0);
    assert_int_equal(total.maximum.sends, 2 * others);
    assert_int_equal(total.maximum.elements_sent, 2 * others * 5);
    assert_int_equal(total.maximum.elements_reduced, others * 5);
    assert_int_equal(total.sum.elements_copied + total.sum.temporary_elements, 0);
    assert_int_equal(total.depth, 2 * others);
  }
}

/* Three segments a block on the way of the computation, one on that of the distribution. */
TEST(segmented_ring)
{
  for (int ranks = 2; ranks <= 40; ranks++) {
    uint64_t others = (uint64_t)ranks - 1;
    tutti_total total = count_allreduce("ring-segmented", ranks, 5 * (uint64_t)ranks, 2);
    assert_int_equal(total.maximum.sends, 4 * others);
    assert_int_equal(total.sum.elements_sent, (uint64_t)ranks * 2 * others * 5);
    assert_int_equal(total.sum.temporary_elements, 0);
  }
}

/* Each element goes into P - 1 reductions and through 2 (P - 1) messages, however few there are. */
TEST(nothing_is_sent_twice)
{
  static const char *const names[] = {"ring", "ring-segmented", "two-tree", "reduce-bcast"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (int ranks = 1; ranks <= 70; ranks += 1 + ranks / 9)
      for (uint64_t elements = 0; elements <= 200; elements += 1 + elements / 2) {
        tutti_total total = count_allreduce(names[i], ranks, elements, 0);
        assert_int_equal(total.sum.elements_sent, 2 * ((uint64_t)ranks - 1) * elements);
        assert_int_equal(total.sum.elements_reduced, ((uint64_t)ranks - 1) * elements);
      }
}

/* An inner node has three neighbors in its tree and, being a leaf, one in the other: no rank sends or receives more
   than the message twice. Up and down a tree as high as log2 says, which an odd P makes higher by one. */
TEST(two_tree)
{
  for (int ranks = 2; ranks <= MOST; ranks++) {
    tutti_total total = count_allreduce("two-tree", ranks, 100, 0);
    assert_int_equal(total.maximum.sends, ranks < 4 ? ranks : 4);
    assert_int_equal(total.maximum.receives, ranks < 4 ? ranks : 4);
    assert_uint_in_range(total.maximum.elements_sent, 0, 200);
    assert_int_equal(total.maximum.temporary_elements, ranks % 2 ? 100 : 50);
    assert_int_equal(total.depth, 2 * (floor_log2(ranks - ranks % 2) + ranks % 2));
    assert_int_equal(count_allreduce("two-tree", ranks, 100, 10).sum.sends, 5 * total.sum.sends);
  }
}

/* q = ceil(log2 P) rounds of the whole message, for any P. */
TEST(census)
{
  for (int ranks = 1; ranks <= MOST; ranks++) {
    tutti_total total = count_allreduce("census", ranks, 10, 0);
    assert_int_equal(total.depth, ceil_log2(ranks));
    assert_int_equal(total.maximum.sends, ceil_log2(ranks));
    assert_int_equal(total.maximum.elements_sent, 10 * ceil_log2(ranks));
    assert_uint_in_range(total.maximum.temporary_elements, 0, 20);
  }
}

/* P a power of two: 2 log2 P - g rounds, 2 (P - 2^g) / P + g 2^g / P of the message. */
TEST(generalized_butterfly)
{
  for (int log = 1; log <= 7; log++)
    for (int g = 1; g <= log + 1; g++) {
      uint64_t ranks = UINT64_C(1) << log, whole = g < log ? (uint64_t)g : (uint64_t)log;
      tutti_method method = method_of(TUTTI_COLL_ALLREDUCE, "generalized-butterfly");
      method.parameters.k = g;
      tutti_total total = count(&method, (tutti_call){.size = (int)ranks, .count = 3 * ranks, .commutative = true});
      assert_int_equal(total.depth, 2 * (uint64_t)log - whole);
      assert_int_equal(total.maximum.sends, 2 * (uint64_t)log - whole);
      assert_int_equal(total.maximum.elements_sent, 3 * (2 * (ranks - (1 << whole)) + (whole << whole)));
      assert_int_equal(total.maximum.elements_reduced, 3 * (ranks - (1 << whole) + (whole << whole)));
    }
}
