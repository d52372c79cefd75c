/* Swing and Bine: counted messages, elements and depth against closed forms (De Sensi et al. 2024 and 2025), and proofs
   for more ranks than test_verify has. P is the number of ranks, q = ceil(log2 P). */
#include <stdio.h>

#include "unit/algorithms/analysis/count_fixture.h"

enum { MOST = 130, MAX_POWER = 128, BLOCK = 3 };

static tutti_total count_of(tutti_collective collective, const char *name, int ranks, uint64_t elements)
{
  tutti_method method = method_of(collective, name);
  return count(&method, (tutti_call){.size = ranks, .count = elements, .root = ranks / 3, .commutative = true});
}

static bool is_power(int ranks)
{
  return (ranks & (ranks - 1)) == 0;
}

/* A whole message to each rank but the root, in q rounds; up or down. */
TEST(trees)
{
  for (int ranks = 2; ranks <= MAX_POWER; ranks *= 2) {
    tutti_total down = count_of(TUTTI_COLL_BCAST, "bine", ranks, 10),
                up = count_of(TUTTI_COLL_REDUCE, "bine", ranks, 10);
    assert_int_equal(down.sum.sends, ranks - 1);
    assert_int_equal(down.maximum.sends, floor_log2(ranks));
    assert_int_equal(down.depth, floor_log2(ranks));
    assert_int_equal(up.sum.sends, ranks - 1);
    assert_int_equal(up.depth, floor_log2(ranks));
    assert_int_equal(up.sum.elements_reduced, 10 * (ranks - 1));
  }
}

/* Half the ranks' blocks go over the root's first message, and so on: q P / 2 blocks in all, P - 1 from the root. */
TEST(scatter_and_gather)
{
  for (int ranks = 2; ranks <= MAX_POWER; ranks *= 2) {
    uint64_t q = (uint64_t)floor_log2(ranks), moved = BLOCK * q * (uint64_t)ranks / 2;
    tutti_total down = count_of(TUTTI_COLL_SCATTER, "bine", ranks, BLOCK);
    tutti_total up = count_of(TUTTI_COLL_GATHER, "bine", ranks, BLOCK);
    assert_int_equal(down.sum.sends, ranks - 1);
    assert_int_equal(down.sum.elements_sent, moved);
    assert_int_equal(down.maximum.elements_sent, BLOCK * (ranks - 1));
    assert_int_equal(down.depth, q);
    assert_int_equal(up.sum.sends, ranks - 1);
    assert_int_equal(up.sum.elements_sent, moved);
    assert_int_equal(up.depth, q);
  }
}

/* Every rank sends P - 1 blocks in q rounds, a message each where positions order them; "send" one block more unless
   the rank is its own position, "two-blocks" up to two messages a round. */
static void butterflies(tutti_collective collective)
{
  for (int ranks = 2; ranks <= MAX_POWER; ranks *= 2) {
    uint64_t q = (uint64_t)floor_log2(ranks), others = (uint64_t)ranks - 1;
    tutti_total permuted = count_of(collective, "bine-permute", ranks, BLOCK);
    assert_int_equal(permuted.sum.sends, (uint64_t)ranks * q);
    assert_int_equal(permuted.maximum.elements_sent, BLOCK * others);
    assert_int_equal(permuted.sum.elements_sent, BLOCK * others * (uint64_t)ranks);
    assert_int_equal(permuted.depth, q);
    tutti_total sent = count_of(collective, "bine-send", ranks, BLOCK);
    assert_int_equal(sent.maximum.sends, ranks > 2 ? q + 1 : q);
    assert_int_equal(sent.maximum.elements_sent, BLOCK * (ranks > 2 ? others + 1 : others));
    assert_uint_in_range(sent.depth, q, q + 1);
    tutti_total windows = count_of(collective, "bine-two-blocks", ranks, BLOCK);
    assert_int_equal(windows.maximum.elements_sent, BLOCK * others);
    assert_int_equal(windows.depth, q);
    assert_uint_in_range(windows.maximum.sends, q, 2 * q);
  }
}

TEST(bine_allgather)
{
  butterflies(TUTTI_COLL_ALLGATHER);
}

TEST(bine_reduce_scatter)
{
  butterflies(TUTTI_COLL_REDUCE_SCATTER_BLOCK);
  for (int ranks = 2; ranks <= MAX_POWER; ranks *= 2)
    assert_int_equal(count_of(TUTTI_COLL_REDUCE_SCATTER, "bine-permute", ranks, BLOCK).maximum.elements_reduced,
                     BLOCK * (ranks - 1));
}

/* Any even number of ranks: P - 1 blocks a rank, none twice, in q rounds. */
TEST(swing)
{
  for (int ranks = 2; ranks <= MOST; ranks += 2) {
    uint64_t others = (uint64_t)ranks - 1;
    tutti_total gathered = count_of(TUTTI_COLL_ALLGATHER, "swing", ranks, BLOCK);
    tutti_total scattered = count_of(TUTTI_COLL_REDUCE_SCATTER_BLOCK, "swing", ranks, BLOCK);
    tutti_total reduced = count_of(TUTTI_COLL_ALLREDUCE, "swing", ranks, BLOCK * (uint64_t)ranks);
    assert_int_equal(gathered.maximum.elements_sent, BLOCK * others);
    assert_int_equal(gathered.sum.elements_sent, BLOCK * others * (uint64_t)ranks);
    assert_int_equal(scattered.maximum.elements_sent, BLOCK * others);
    assert_int_equal(scattered.maximum.elements_reduced, BLOCK * others);
    assert_int_equal(reduced.maximum.elements_sent, 2 * BLOCK * others);
    assert_int_equal(reduced.maximum.elements_reduced, BLOCK * others);
    int least = is_power(ranks) ? ceil_log2(ranks) : 1; /* else a round may depend on no block of the one before */
    assert_uint_in_range(gathered.depth, least, ceil_log2(ranks));
    assert_uint_in_range(scattered.depth, least, ceil_log2(ranks));
    assert_uint_in_range(reduced.depth, 2 * least, 2 * ceil_log2(ranks));
    assert_uint_in_range(reduced.maximum.sends, 0, 2 * others);
  }
}

/* 2 q rounds of one message; no element copied. */
TEST(bine_allreduce)
{
  for (int ranks = 2; ranks <= MAX_POWER; ranks *= 2) {
    tutti_total total = count_of(TUTTI_COLL_ALLREDUCE, "bine", ranks, BLOCK * (uint64_t)ranks);
    assert_int_equal(total.maximum.sends, 2 * floor_log2(ranks));
    assert_int_equal(total.maximum.elements_sent, 2 * BLOCK * (ranks - 1));
    assert_int_equal(total.maximum.elements_reduced, BLOCK * (ranks - 1));
    assert_int_equal(total.depth, 2 * floor_log2(ranks));
    assert_int_equal(total.sum.elements_copied, 0);
  }
}

TEST(swing_latency)
{
  for (int ranks = 1; ranks <= MOST; ranks++) {
    tutti_total total = count_of(TUTTI_COLL_ALLREDUCE, "swing-latency", ranks, 10);
    int log = floor_log2(ranks), rest = ranks - (1 << log);
    assert_int_equal(total.sum.sends, (1 << log) * log + 2 * rest);
    assert_int_equal(total.sum.elements_sent, 10 * total.sum.sends);
    assert_int_equal(total.depth, log + (rest ? 2 : 0));
  }
}

/* Scatter and allgather, or reduce-scatter and gather: 2 q rounds, 2 (P - 1) / P of the message at most. */
TEST(long_messages)
{
  for (int ranks = 2; ranks <= MAX_POWER; ranks *= 2) {
    uint64_t elements = BLOCK * (uint64_t)ranks;
    tutti_total down = count_of(TUTTI_COLL_BCAST, "bine-scatter-allgather", ranks, elements);
    tutti_total up = count_of(TUTTI_COLL_REDUCE, "bine-scatter-gather", ranks, elements);
    assert_uint_in_range(down.maximum.elements_sent, 0, 2 * BLOCK * (ranks - 1));
    assert_uint_in_range(down.depth, 0, 2 * floor_log2(ranks));
    assert_int_equal(down.sum.elements_copied, 0);
    assert_int_equal(up.maximum.elements_reduced, BLOCK * (ranks - 1));
    assert_uint_in_range(up.maximum.elements_sent, 0, 2 * BLOCK * (ranks - 1));
    assert_int_equal(up.depth, 2 * floor_log2(ranks));
  }
}

/* P a power of two: half the blocks in each of q rounds. */
TEST(alltoall)
{
  for (int ranks = 2; ranks <= 64; ranks += 2) {
    tutti_total total = count_of(TUTTI_COLL_ALLTOALL, "bine", ranks, BLOCK);
    assert_int_equal(total.maximum.sends, ceil_log2(ranks));
    assert_int_equal(total.depth, ceil_log2(ranks));
    if (is_power(ranks))
      assert_int_equal(total.maximum.elements_sent, BLOCK * ranks / 2 * floor_log2(ranks));
  }
}

static tutti_total count_torus(const char *text, int ranks, uint64_t elements)
{
  tutti_method method;
  assert_int_equal(tutti_method_parse(text, &method, NULL), TUTTI_OK);
  return count(&method, (tutti_call){.size = ranks, .count = elements, .commutative = true});
}

/* 2 d copies, each on its share: log2 P rounds of Swing, the sum of (side - 1) rounds of a bucket, twice in an
   allreduce, a message of each copy in each; 2 (P - 1) / P of the message in all. In blocks: P - 1 messages of each
   copy, and nothing is copied but the own block. */
TEST(tori)
{
  static const struct {
    const char *sides;
    int ranks, copies, steps;
  } cases[] = {{"16", 16, 2, 15}, {"4x4", 16, 4, 6}, {"8x4", 32, 4, 10}, {"4x4x4", 64, 6, 9}, {"2x4x8", 64, 6, 11}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[TUTTI_METHOD_LENGTH];
    uint64_t block = (uint64_t)cases[i].copies * 2, ranks = (uint64_t)cases[i].ranks,
             q = (uint64_t)floor_log2(cases[i].ranks);
    uint64_t copies = (uint64_t)cases[i].copies, steps = (uint64_t)cases[i].steps;
    snprintf(text, sizeof text, "allreduce/swing-torus/torus=%s", cases[i].sides);
    tutti_total swing = count_torus(text, cases[i].ranks, block * ranks);
    snprintf(text, sizeof text, "allreduce/bucket/torus=%s", cases[i].sides);
    tutti_total bucket = count_torus(text, cases[i].ranks, block * ranks);
    assert_int_equal(swing.depth, 2 * q);
    assert_int_equal(swing.maximum.sends, 2 * q * copies);
    assert_int_equal(swing.maximum.elements_sent, 2 * block * (ranks - 1));
    assert_int_equal(swing.sum.elements_copied, 0);
    assert_int_equal(bucket.depth, 2 * steps);
    assert_int_equal(bucket.maximum.sends, 2 * steps * copies);
    assert_int_equal(bucket.maximum.elements_sent, 2 * block * (ranks - 1));
    assert_int_equal(bucket.sum.elements_copied, 0);
    snprintf(text, sizeof text, "allgather/swing-torus/torus=%s", cases[i].sides);
    swing = count_torus(text, cases[i].ranks, block);
    assert_int_equal(swing.maximum.sends, q * copies);
    assert_int_equal(swing.maximum.elements_sent, block * (ranks - 1));
    snprintf(text, sizeof text, "allgather/bucket-blocks/torus=%s", cases[i].sides);
    bucket = count_torus(text, cases[i].ranks, block);
    assert_int_equal(bucket.depth, steps);
    assert_int_equal(bucket.maximum.sends, (ranks - 1) * copies);
    assert_int_equal(bucket.maximum.elements_sent, block * (ranks - 1));
    assert_int_equal(bucket.sum.elements_copied, block * ranks);
    assert_int_equal(bucket.maximum.temporary_elements, 0);
    snprintf(text, sizeof text, "reduce_scatter_block/bucket/torus=%s", cases[i].sides);
    bucket = count_torus(text, cases[i].ranks, block);
    assert_int_equal(bucket.maximum.sends, steps * copies);
    assert_int_equal(bucket.maximum.elements_sent, block * (ranks - 1));
    assert_int_equal(bucket.maximum.elements_reduced, block * (ranks - 1));
  }
}

static void verify(tutti_collective collective, const char *name, int ranks, int root)
{
  tutti_error error;
  tutti_method method = method_of(collective, name);
  tutti_call call = {.size = ranks, .root = root, .count = 2, .type_size = 4, .commutative = true};
  tutti_status status = tutti_verify_method(&method, &call, &error);
  if (status != TUTTI_OK)
    fail_msg("%s, %d ranks: %s", name, ranks, error.message);
}

/* Beyond test_verify: every even number of ranks to 130 and those for which two of three code numbers of a distance are
   not enough (74, 142, 146, 148, 158), and every root of 32 ranks. */
TEST(more_ranks_and_roots)
{
  static const int hard[] = {142, 146, 148, 158};
  for (int ranks = 66; ranks <= MOST; ranks += 2) {
    verify(TUTTI_COLL_ALLGATHER, "swing", ranks, 0);
    verify(TUTTI_COLL_REDUCE_SCATTER_BLOCK, "swing", ranks, 0);
    verify(TUTTI_COLL_ALLREDUCE, "swing", ranks, 0);
  }
  for (int ranks = 65; ranks <= MOST; ranks++)
    verify(TUTTI_COLL_ALLREDUCE, "swing-latency", ranks, 0);
  for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
    verify(TUTTI_COLL_ALLGATHER, "swing", hard[i], 0);
  verify(TUTTI_COLL_ALLTOALL, "bine", 74, 0);
  for (int root = 0; root < 32; root++) {
    verify(TUTTI_COLL_BCAST, "bine", 32, root);
    verify(TUTTI_COLL_BCAST, "bine-scatter-allgather", 32, root);
    verify(TUTTI_COLL_REDUCE, "bine", 32, root);
    verify(TUTTI_COLL_REDUCE, "bine-scatter-gather", 32, root);
    verify(TUTTI_COLL_SCATTER, "bine", 32, root);
    verify(TUTTI_COLL_GATHER, "bine", 32, root);
  }
}
