/* Counted messages and depth of barriers against closed forms, and of calls without elements. */
#include "unit/algorithms/analysis/count_fixture.h"

enum { MOST = 130 };

static tutti_total count_barrier(const char *name, int ranks)
{
  tutti_method method = method_of(TUTTI_COLL_BARRIER, name);
  return count(&method, (tutti_call){.size = ranks, .commutative = true});
}

/* ---- barriers ---- */

TEST(barriers)
{
  for (int ranks = 1; ranks <= MOST; ranks++) {
    int inside = 1 << floor_log2(ranks), outside = ranks - inside, steps = floor_log2(ranks);
    tutti_total bruck = count_barrier("bruck", ranks), ring = count_barrier("double-ring", ranks);
    tutti_total linear = count_barrier("linear", ranks), tree = count_barrier("tree", ranks);
    tutti_total doubling = count_barrier("recursive-doubling", ranks);
    assert_int_equal(bruck.sum.sends, ranks * ceil_log2(ranks));
    assert_int_equal(bruck.depth, ceil_log2(ranks));
    assert_int_equal(ring.sum.sends, ranks > 1 ? 2 * ranks : 0);
    assert_int_equal(ring.depth, ranks > 1 ? 2 * ranks : 0);
    assert_int_equal(linear.sum.sends, 2 * (ranks - 1));
    assert_int_equal(linear.depth, ranks > 1 ? 2 : 0);
    assert_int_equal(tree.sum.sends, 2 * (ranks - 1));
    assert_int_equal(tree.depth, 2 * floor_log2(ranks));
    assert_int_equal(doubling.sum.sends, inside * steps + 2 * outside);
    assert_int_equal(doubling.depth, steps + (outside ? 2 : 0));
    assert_int_equal(bruck.sum.elements_sent + ring.sum.elements_sent + doubling.sum.largest_message, 0);
  }
}

/* ---- calls without elements ---- */

TEST(nothing_to_send_is_not_sent)
{
  int counted = 0;
  for (size_t i = 0; i < tutti_algorithm_count(); i++)
    for (int ranks = 1; ranks <= 9; ranks++) {
      tutti_method method = tutti_method_default(tutti_algorithm_at(i));
      tutti_call call = {.size = ranks, .type_size = 1, .commutative = true};
      if (method.algorithm->collective == TUTTI_COLL_BARRIER || tutti_method_check(&method, &call, NULL) != TUTTI_OK)
        continue;
      if (count(&method, call).sum.sends > 0)
        fail_msg("%s of %s", method.algorithm->name, tutti_collective_name(method.algorithm->collective));
      counted++;
    }
  assert_true(counted > 1000);
}
