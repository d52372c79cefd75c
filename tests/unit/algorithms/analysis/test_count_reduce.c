/* Counted messages, elements, memory and depth of reductions against closed forms. P is the number of ranks. */
#include "unit/algorithms/analysis/count_fixture.h"

enum { MOST = 130, COUNT = 50, LARGE = 1 << 20, BLOCK = 3 };

/* P - 1 messages and reductions of everything. */
TEST(trees)
{
  static const char *const methods[] = {"reduce/linear",           "reduce/chain",    "reduce/pipeline",
                                        "reduce/binary",           "reduce/binomial", "reduce/in-order-binary",
                                        "reduce/in-order-binomial"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    for (int p = 1; p <= MOST; p++)
      COUNTS(OF(methods[i], p, .root = p / 3, .count = COUNT), {SENDS, p - 1}, {SENT, COUNT * (p - 1)},
             {REDUCED, COUNT * (p - 1)}, {COPIED, p == 1 ? COUNT : 0}, {LARGEST, p > 1 ? COUNT : 0});
}

/* If the operation does not commute, rank 0 combines and sends the result to another root; a flat tree needs no such
   detour, but copies the last rank's operand if that rank is the root. */
TEST(order_has_a_price)
{
  for (int p = 2; p <= MOST; p++)
    for (int root = 0; root < p; root += 1 + p / 3) {
      COUNTS(OF("reduce/in-order-binomial", p, .root = root, .count = COUNT, .ordered = true),
             {SENDS, p - 1 + (root != 0)}, {DEPTH, floor_log2(p) + (root != 0)});
      COUNTS(OF("reduce/linear", p, .root = root, .count = COUNT, .ordered = true), {SENDS, p - 1},
             {COPIED, root == p - 1 ? COUNT : 0});
    }
}

TEST(depths)
{
  for (int p = 1; p <= MOST; p++) {
    const struct {
      const char *method;
      int depth;
    } trees[] = {{"reduce/binomial", floor_log2(p)},
                 {"reduce/binary", floor_log2(p)},
                 {"reduce/in-order-binomial", floor_log2(p)},
                 {"reduce/pipeline", p - 1},
                 {"reduce/chain", (p - 1 + 3) / 4}};
    for (int i = 0; i < 5; i++)
      COUNTS(OF(trees[i].method, p, .count = LARGE), {DEPTH, trees[i].depth});
  }
}

static void takes_memory(const char *method, int ranks, uint64_t elements, int64_t expected)
{
  COUNTS(OF(method, ranks, .count = elements), {MAX | MEMORY, expected});
}

/* A small message has a slot per child, but for the one of the root that is received into the output. A large one has
   no more than three however many children there are, or the result and two. */
TEST(memory_of_trees)
{
  for (int p = 2; p <= MOST; p++) {
    takes_memory("reduce/in-order-binomial", p, COUNT, COUNT * (ceil_log2(p) - 1));
    takes_memory("reduce/in-order-binomial", p, LARGE, LARGE * smaller(3, ceil_log2(p) - 1));
    takes_memory("reduce/linear", p, LARGE, LARGE * smaller(2, p - 2));
    takes_memory("reduce/linear", p, 1, p - 2);
    COUNTS(OF("reduce/binomial", p, .count = LARGE), {MAX | MEMORY | AT_MOST, 3 * LARGE});
  }
  takes_memory("reduce/binomial", 128, LARGE, 3 * LARGE);
}

/* Segments of a pipeline take a window of slots, however long the message. */
TEST(memory_of_segments)
{
  COUNTS(OF("reduce/pipeline", 4, .count = LARGE, .segment = LARGE / 64, .outstanding = 5),
         {MAX | MEMORY, 5 * (LARGE / 64)}, {SENDS, 3 * 64});
}

/* A power of two: log2(P) exchanges and as many steps of the gather; every element is reduced P - 1 times in all, and
   nobody reduces more than its share. */
TEST(rabenseifner)
{
  for (int p = 2, steps = 1; p <= 128; p *= 2, steps++) {
    const int elements = 3 * p;
    COUNTS(OF("reduce/rabenseifner", p, .root = p / 2, .count = (uint64_t)elements), {SENDS, p * steps + p - 1},
           {SENT, (p - 1) * elements + elements / 2 * steps}, {REDUCED, (p - 1) * elements},
           {MAX | REDUCED, 3 * (p - 1)}, {LARGEST, elements / 2}, {COPIED, 0}, {DEPTH, 2 * steps});
  }
}

/* Otherwise neighbors are folded first, in one more step and with one more message each. */
TEST(rabenseifner_folds)
{
  for (int p = 3; p <= MOST; p++) {
    const int steps = floor_log2(p), power = 1 << steps;
    for (int root = 0; root < p && power < p; root += 1 + p / 4)
      COUNTS(OF("reduce/rabenseifner", p, .root = root, .count = 2 * (uint64_t)power),
             {SENDS, power * steps + power - 1 + p - power}, {DEPTH, 2 * steps + 1});
  }
}

/* Every contribution is sent to, or on the way to, its rank only once in P - 1 steps. */
TEST(rings)
{
  static const char *const methods[] = {"reduce_scatter_block/ring", "reduce_scatter_block/pairwise"};
  for (int i = 0; i < 2; i++)
    for (int p = 2; p <= MOST; p++)
      COUNTS(OF(methods[i], p, .count = BLOCK), {SENDS, p * (p - 1)}, {MAX | SENT, BLOCK * (p - 1)},
             {MAX | REDUCED, BLOCK * (p - 1)}, {COPIED, 0}, {DEPTH, p - 1}, {MAX | MEMORY | AT_MOST, 3 * BLOCK});
}

/* A power of two: halving moves each rank's P - 1 blocks in log2(P) steps; doubling sends all but the own group's. */
TEST(halving_and_doubling)
{
  for (int p = 2, log = 1; p <= 128; p *= 2, log++) {
    const int moved = BLOCK * (p - 1), doubled = BLOCK * (p * log - (p - 1));
    COUNTS(OF("reduce_scatter_block/recursive-halving", p, .count = BLOCK), {SENDS, p * log}, {MAX | SENT, moved},
           {MAX | REDUCED, moved}, {COPIED, 0}, {DEPTH, log});
    COUNTS(OF("reduce_scatter_block/recursive-doubling", p, .count = BLOCK, .ordered = true), {MAX | SENT, doubled},
           {SENT, p * doubled}, {DEPTH, log},
           /* the own block in each step, and those beyond the two groups that have been combined */
           {MAX | REDUCED, BLOCK * (p * log - 2 * (p - 1) + log)});
  }
}

/* The butterfly sends each block once more, except where mirrored bits are the same: 2^ceil(log2(P) / 2) ranks. */
TEST(butterfly)
{
  for (int p = 2, steps = 1; p <= 128; p *= 2, steps++) {
    const int swapped = p - (1 << (steps + 1) / 2);
    COUNTS(OF("reduce_scatter_block/butterfly", p, .count = BLOCK, .ordered = true), {SENDS, p * steps + swapped},
           {SENT, BLOCK * (p * (p - 1) + swapped)}, {DEPTH, steps + (swapped > 0)});
  }
}
