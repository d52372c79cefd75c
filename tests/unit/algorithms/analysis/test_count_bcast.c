/* Counted messages, elements and depth of broadcasts against closed forms. P is the number of ranks, n that of
 * segments. */
#include "unit/algorithms/analysis/count_fixture.h"
#include "unit/patience.h"

enum { MOST = UNLESS_WATCHED(130, 34), LARGE_WINDOW = 1000 };

/* Without segments a tree sends P - 1 messages of everything, and is as deep as its longest branch. */
TEST(unsegmented_trees)
{
  static const char *const methods[] = {"bcast/linear",   "bcast/binomial",        "bcast/binary",
                                        "bcast/pipeline", "bcast/in-order-binary", "bcast/in-order-binomial",
                                        "bcast/k-ary",    "bcast/k-nomial",        "bcast/k-nomial-1",
                                        "bcast/chain"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    for (int p = 1; p <= MOST; p++)
      COUNTS(OF(methods[i], p, .root = p / 3, .count = 100), {SENDS, p - 1}, {SENT, 100 * (p - 1)},
             {LARGEST, p > 1 ? 100 : 0}, {COPIED, 0}, {REDUCED, 0}, {MEMORY, 0});
}

TEST(depths_of_trees)
{
  for (int p = 1; p <= MOST; p++) {
    const struct {
      const char *method;
      int depth;
    } trees[] = {{"bcast/linear", p > 1},
                 {"bcast/pipeline", p - 1},
                 {"bcast/chain", (p - 1 + 3) / 4},
                 /* Rank v is as deep as v has bits, and 2^floor(log2 P) - 1 has most. */
                 {"bcast/binomial", floor_log2(p)},
                 {"bcast/in-order-binomial", floor_log2(p)},
                 {"bcast/binary", floor_log2(p)}};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++)
      COUNTS(OF(trees[i].method, p, .root = p / 2, .count = 1), {DEPTH, trees[i].depth});
  }
}

/* The root of a binomial tree sends ceil(log2 P) messages, that of a flat one P - 1. */
TEST(most_messages_of_a_rank)
{
  for (int p = 1; p <= MOST; p++) {
    COUNTS(OF("bcast/binomial", p, .count = 1), {MAX | SENDS, ceil_log2(p)});
    COUNTS(OF("bcast/linear", p, .count = 1), {MAX | SENDS, p - 1}, {MAX | RECEIVES, p > 1});
    COUNTS(OF("bcast/pipeline", p, .count = 7), {MAX | SENT, p > 1 ? 7 : 0});
  }
}

#define PIPELINE(n, window)                                                                                            \
  OF("bcast/pipeline", p, .count = (uint64_t)(2 * (n)-1), .type_size = 4, .segment = 8, .outstanding = window)

/* A pipeline with one message in flight takes P - 1 + n - 1 steps; with a window of w messages a segment waits for the
   one w before it only, and a window without end leaves nothing but the way. */
TEST(depth_of_a_pipeline)
{
  int p;
  for (p = 2; p <= 12; p++)
    for (int n = 1; n <= 20; n++)
      for (int window = 1; window <= 24; window += 1 + window / 4)
        COUNTS(PIPELINE(n, window), {DEPTH, p - 1 + (n - 1) / window}, {SENDS, (p - 1) * n},
               {SENT, (p - 1) * (2 * n - 1)}, {LARGEST, n > 1 ? 2 : 1});
  p = 10;
  COUNTS(PIPELINE(20, 1), {DEPTH, 10 - 1 + 20 - 1});
  COUNTS(PIPELINE(20, LARGE_WINDOW), {DEPTH, 10 - 1});
}

/* Whatever the way, every rank but the root receives each element exactly once. */
TEST(nothing_is_sent_twice)
{
  static const char *const methods[] = {"bcast/split-binary", "bcast/scatter-ring", "bcast/scatter-recursive-doubling"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    for (int p = 1; p <= MOST; p++)
      for (int m = 0; m <= 200; m += 1 + m / 2)
        COUNTS(OF(methods[i], p, .root = p - 1, .count = (uint64_t)m), {SENT, (p - 1) * m});
}

TEST(split_binary)
{
  for (int p = 2; p <= MOST; p++) {
    COUNTS(OF("bcast/split-binary", p, .count = 120, .segment = 10),
           {SENDS, (p - 1) * (6 + 1)}, /* six segments of one half, then the other half */
           {LARGEST, 60});
    COUNTS(OF("bcast/split-binary", p, .count = 121), {LARGEST, 61});
  }
}

/* P - 1 messages of the scatter; then every rank but the root gets each of P blocks that its subtree, which is as large
   as the lowest bit of its number, does not hold: P (P - 1) - P / 2 log2 P. */
TEST(scatter_ring)
{
  for (int p = 2, q = 1; p <= 128; p *= 2, q++)
    COUNTS(OF("bcast/scatter-ring", p, .root = 1, .count = 24 * (uint64_t)p), {SENDS, p - 1 + p * (p - 1) - p / 2 * q},
           {LARGEST, 24 * p / 2}, {MAX | RECEIVES, 1 + p - 1});
}

/* With one element a block: the root scatters P - 1 of them, and its right neighbor, which holds one then, needs
   P - 1 more. */
TEST(root_of_scatter_ring)
{
  for (int p = 2; p <= MOST; p++)
    COUNTS(OF("bcast/scatter-ring", p, .count = (uint64_t)p), {MAX | SENT, 2 * (p - 1)});
}
