/* Counted messages, elements, memory and depth of barriers and reductions against closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "count_fixture.h"

enum { MOST = 130 };

struct sizes {
  int ranks, root;
  uint64_t count;
};

static tutti_total count_barrier(const char *name, int ranks)
{
  tutti_method method = method_of(TUTTI_COLL_BARRIER, name);
  return count(&method, (tutti_call){.size = ranks, .commutative = true});
}

/* ---- barriers ---- */

static void barriers(void **state)
{
  (void)state;
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

/* ---- reduce ---- */

static tutti_total count_reduce(struct sizes sizes, bool commutative)
{
  tutti_method method = method_of(TUTTI_COLL_REDUCE, "binomial");
  return count(&method,
               (tutti_call){.size = sizes.ranks, .root = sizes.root, .count = sizes.count, .commutative = commutative});
}

/* P - 1 messages and reductions of everything. If the operation does not commute, rank 0 combines and sends the result
   to another root. */
static void reduce(void **state)
{
  (void)state;
  for (int ranks = 1; ranks <= MOST; ranks++)
    for (int root = 0; root < ranks; root += 1 + ranks / 3) {
      struct sizes sizes = {ranks, root, 50};
      tutti_total commuting = count_reduce(sizes, true), ordered = count_reduce(sizes, false);
      uint64_t others = (uint64_t)ranks - 1, detour = root != 0;
      assert_int_equal(commuting.sum.sends, others);
      assert_int_equal(ordered.sum.sends, others + detour);
      assert_int_equal(commuting.sum.elements_reduced, 50 * others);
      assert_int_equal(ordered.sum.elements_reduced, 50 * others);
      assert_int_equal(commuting.depth, floor_log2(ranks));
      assert_int_equal(ordered.depth, (uint64_t)floor_log2(ranks) + detour);
      assert_int_equal(commuting.sum.elements_copied, ranks == 1 ? 50 : 0);
      assert_int_equal(commuting.sum.largest_message, ranks > 1 ? 50 : 0);
    }
}

/* A temporary per child, but for the last one of the root, which is reduced into the output. */
static void temporaries_of_reduce(void **state)
{
  (void)state;
  for (int ranks = 2; ranks <= MOST; ranks++) {
    uint64_t children = (uint64_t)ranks - 1;
    assert_int_equal(count_reduce((struct sizes){ranks, 1, 50}, true).sum.temporary_elements, 50 * (children - 1));
    assert_int_equal(count_reduce((struct sizes){ranks, 1, 50}, false).sum.temporary_elements, 50 * children);
    assert_int_equal(count_reduce((struct sizes){ranks, 0, 50}, true).maximum.temporary_elements,
                     50 * (ceil_log2(ranks) - 1));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(barriers),
      cmocka_unit_test(reduce),
      cmocka_unit_test(temporaries_of_reduce),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
