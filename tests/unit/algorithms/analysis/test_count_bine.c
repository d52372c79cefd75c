/* Swing and Bine: counted messages, elements and depth against closed forms (De Sensi et al. 2024 and 2025), and proofs
   for more ranks than test_verify has. p is the number of ranks, q = ceil(log2 p). */
#include "unit/algorithms/analysis/count_fixture.h"
#include "unit/patience.h"

enum { MOST = UNLESS_WATCHED(130, 70), MAX_POWER = UNLESS_WATCHED(128, 32), BLOCK = 3 };

/* A whole message to each rank but the root, in q rounds; up or down. */
TEST(trees)
{
  for (int p = 2, q = 1; p <= MAX_POWER; p *= 2, q++) {
    COUNTS(OF("bcast/bine", p, .count = 10, .root = p / 3), {SENDS, p - 1}, {MAX | SENDS, q}, {DEPTH, q});
    COUNTS(OF("reduce/bine", p, .count = 10, .root = p / 3), {SENDS, p - 1}, {DEPTH, q}, {REDUCED, 10 * (p - 1)});
  }
}

/* Half the ranks' blocks go over the root's first message, and so on: q P / 2 blocks in all, P - 1 from the root. */
TEST(scatter_and_gather)
{
  for (int p = 2, q = 1; p <= MAX_POWER; p *= 2, q++) {
    COUNTS(OF("scatter/bine", p, .count = BLOCK, .root = p / 3), {SENDS, p - 1}, {SENT, BLOCK * q * p / 2},
           {MAX | SENT, BLOCK * (p - 1)}, {DEPTH, q});
    COUNTS(OF("gather/bine", p, .count = BLOCK, .root = p / 3), {SENDS, p - 1}, {SENT, BLOCK * q * p / 2}, {DEPTH, q});
  }
}

/* Every rank sends P - 1 blocks in q rounds, a message each where positions order them; "send" one block more unless
   the rank is its own position, "two-blocks" up to two messages a round. */
static void expect_butterflies(const char *permute, const char *send, const char *two_blocks)
{
  for (int p = 2, q = 1; p <= MAX_POWER; p *= 2, q++) {
    const int moved = BLOCK * (p - 1), more = p > 2;
    COUNTS(OF(permute, p, .count = BLOCK), {SENDS, p * q}, {MAX | SENT, moved}, {SENT, moved * p}, {DEPTH, q});
    COUNTS(OF(send, p, .count = BLOCK), {MAX | SENDS, q + more}, {MAX | SENT, moved + BLOCK * more},
           {DEPTH | AT_LEAST, q}, {DEPTH | AT_MOST, q + 1});
    COUNTS(OF(two_blocks, p, .count = BLOCK), {MAX | SENT, moved}, {DEPTH, q}, {MAX | SENDS | AT_LEAST, q},
           {MAX | SENDS | AT_MOST, 2 * q});
  }
}

TEST(bine_allgather)
{
  expect_butterflies("allgather/bine-permute", "allgather/bine-send", "allgather/bine-two-blocks");
}

TEST(bine_reduce_scatter)
{
  expect_butterflies("reduce_scatter_block/bine-permute", "reduce_scatter_block/bine-send",
                     "reduce_scatter_block/bine-two-blocks");
  for (int p = 2; p <= MAX_POWER; p *= 2)
    COUNTS(OF("reduce_scatter/bine-permute", p, .count = BLOCK), {MAX | REDUCED, BLOCK * (p - 1)});
}

/* Any even number of ranks: P - 1 blocks a rank, none twice, in q rounds. */
TEST(swing)
{
  for (int p = 2; p <= MOST; p += 2) {
    const int moved = BLOCK * (p - 1), q = ceil_log2(p);
    const int least = is_power_of_two(p) ? q : 1; /* else a round may depend on no block of the one before */
    COUNTS(OF("allgather/swing", p, .count = BLOCK), {MAX | SENT, moved}, {SENT, moved * p}, {DEPTH | AT_LEAST, least},
           {DEPTH | AT_MOST, q});
    COUNTS(OF("reduce_scatter_block/swing", p, .count = BLOCK), {MAX | SENT, moved}, {MAX | REDUCED, moved},
           {DEPTH | AT_LEAST, least}, {DEPTH | AT_MOST, q});
    COUNTS(OF("allreduce/swing", p, .count = BLOCK * (uint64_t)p), {MAX | SENT, 2 * moved}, {MAX | REDUCED, moved},
           {DEPTH | AT_LEAST, 2 * least}, {DEPTH | AT_MOST, 2 * q}, {MAX | SENDS | AT_MOST, 2 * (p - 1)});
  }
}

/* 2 q rounds of one message; no element copied. */
TEST(bine_allreduce)
{
  for (int p = 2, q = 1; p <= MAX_POWER; p *= 2, q++)
    COUNTS(OF("allreduce/bine", p, .count = BLOCK * (uint64_t)p), {MAX | SENDS, 2 * q},
           {MAX | SENT, 2 * BLOCK * (p - 1)}, {MAX | REDUCED, BLOCK * (p - 1)}, {DEPTH, 2 * q}, {COPIED, 0});
}

TEST(swing_latency)
{
  for (int p = 1; p <= MOST; p++) {
    const int log = floor_log2(p), rest = p - (1 << log), sends = (1 << log) * log + 2 * rest;
    COUNTS(OF("allreduce/swing-latency", p, .count = 10), {SENDS, sends}, {SENT, 10 * sends},
           {DEPTH, log + (rest ? 2 : 0)});
  }
}

/* Scatter and allgather, or reduce-scatter and gather: 2 q rounds, 2 (P - 1) / P of the message at most. */
TEST(long_messages)
{
  for (int p = 2, q = 1; p <= MAX_POWER; p *= 2, q++) {
    const int moved = BLOCK * (p - 1);
    COUNTS(OF("bcast/bine-scatter-allgather", p, .count = BLOCK * (uint64_t)p, .root = p / 3),
           {MAX | SENT | AT_MOST, 2 * moved}, {DEPTH | AT_MOST, 2 * q}, {COPIED, 0});
    COUNTS(OF("reduce/bine-scatter-gather", p, .count = BLOCK * (uint64_t)p, .root = p / 3), {MAX | REDUCED, moved},
           {MAX | SENT | AT_MOST, 2 * moved}, {DEPTH, 2 * q});
  }
}

/* P a power of two: half the blocks in each of q rounds. */
TEST(alltoall)
{
  for (int p = 2; p <= 64; p += 2) {
    const int q = ceil_log2(p);
    const struct subject *bine = OF("alltoall/bine", p, .count = BLOCK);
    COUNTS(bine, {MAX | SENDS, q}, {DEPTH, q});
    if (is_power_of_two(p))
      COUNTS(bine, {MAX | SENT, BLOCK * p / 2 * q});
  }
}

/* 2 d copies, each on its share: log2 P rounds of Swing, the sum of (side - 1) rounds of a bucket, twice in an
   allreduce, a message of each copy in each; 2 (P - 1) / P of the message in all. In blocks: P - 1 messages of each
   copy, and nothing is copied but the own block. */
TEST(tori)
{
  static const struct {
    const char *sides;
    int p, copies, steps;
  } cases[] = {{"16", 16, 2, 15}, {"4x4", 16, 4, 6}, {"8x4", 32, 4, 10}, {"4x4x4", 64, 6, 9}, {"2x4x8", 64, 6, 11}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int p = cases[i].p, copies = cases[i].copies, steps = cases[i].steps, q = floor_log2(p), block = copies * 2;
    const int moved = block * (p - 1);
    char text[TUTTI_METHOD_LENGTH];
#define ON(name, elements)                                                                                             \
  OF((snprintf(text, sizeof text, "%s/torus=%s", name, cases[i].sides), text), p, .count = (uint64_t)(elements))
    COUNTS(ON("allreduce/swing-torus", block * p), {DEPTH, 2 * q}, {MAX | SENDS, 2 * q * copies},
           {MAX | SENT, 2 * moved}, {COPIED, 0});
    COUNTS(ON("allreduce/bucket", block * p), {DEPTH, 2 * steps}, {MAX | SENDS, 2 * steps * copies},
           {MAX | SENT, 2 * moved}, {COPIED, 0});
    COUNTS(ON("allgather/swing-torus", block), {MAX | SENDS, q * copies}, {MAX | SENT, moved});
    COUNTS(ON("allgather/bucket-blocks", block), {DEPTH, steps}, {MAX | SENDS, (p - 1) * copies}, {MAX | SENT, moved},
           {COPIED, block * p}, {MAX | MEMORY, 0});
    COUNTS(ON("reduce_scatter_block/bucket", block), {MAX | SENDS, steps * copies}, {MAX | SENT, moved},
           {MAX | REDUCED, moved});
#undef ON
  }
}

static void verify(const char *text, int ranks, int root)
{
  const tutti_method method = parsed(text);
  const tutti_call call = {.size = ranks, .root = root, .count = 2, .type_size = 4, .commutative = true};
  if (tutti_verify_method(&method, &call, &error) != TUTTI_OK)
    fail_msg("%s, %d ranks: %s", text, ranks, error.message);
}

/* Beyond test_verify: every even number of ranks to 130 and those for which two of three code numbers of a distance are
   not enough (74, 142, 146, 148, 158), and every root of 32 ranks. */
TEST(more_ranks_and_roots)
{
  static const int hard[] = {142, 146, 148, 158};
  static const char *const any[] = {"allgather/swing", "reduce_scatter_block/swing", "allreduce/swing"};
  static const char *const rooted[] = {"bcast/bine",   "bcast/bine-scatter-allgather",
                                       "reduce/bine",  "reduce/bine-scatter-gather",
                                       "scatter/bine", "gather/bine"};
  for (int ranks = 66; ranks <= MOST; ranks += 2)
    for (int i = 0; i < 3; i++)
      verify(any[i], ranks, 0);
  for (int ranks = 65; ranks <= MOST; ranks++)
    verify("allreduce/swing-latency", ranks, 0);
  for (int i = 0; i < 4; i++)
    verify("allgather/swing", hard[i], 0);
  verify("alltoall/bine", 74, 0);
  for (int root = 0; root < 32; root++)
    for (int i = 0; i < 6; i++)
      verify(rooted[i], 32, root);
}
