/* Counted messages and depth of barriers against closed forms. */
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
