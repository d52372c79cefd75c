/* Counted messages and depth of barriers against closed forms, and of calls without elements. */
#include "unit/algorithms/analysis/count_fixture.h"

enum { MOST = 130 };

TEST(barriers)
{
  for (int p = 1; p <= MOST; p++) {
    const int f = floor_log2(p), q = ceil_log2(p), inside = 1 << f, outside = p - inside, ring = p > 1 ? 2 * p : 0;
    COUNTS(OF("barrier/bruck", p, .k = 0), {SENDS, p * q}, {DEPTH, q}, {SENT, 0});
    COUNTS(OF("barrier/double-ring", p, .k = 0), {SENDS, ring}, {DEPTH, ring}, {SENT, 0});
    COUNTS(OF("barrier/linear", p, .k = 0), {SENDS, 2 * (p - 1)}, {DEPTH, p > 1 ? 2 : 0});
    COUNTS(OF("barrier/tree", p, .k = 0), {SENDS, 2 * (p - 1)}, {DEPTH, 2 * f});
    COUNTS(OF("barrier/recursive-doubling", p, .k = 0), {SENDS, inside * f + 2 * outside},
           {DEPTH, f + (outside ? 2 : 0)}, {LARGEST, 0});
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
