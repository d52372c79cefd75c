/* Counted messages, elements and rounds of the collectives on circulant graphs against what is published, and the
   tables that say which block goes when. */
#include "algorithms/catalogue/shared/circulant.h"
#include "unit/algorithms/analysis/count_fixture.h"
#include "unit/patience.h"

enum { MOST = UNLESS_WATCHED(128, 34) };

/* The paper's example of 9 ranks. */
TEST(tables_of_nine_ranks)
{
  static const int8_t table[9][4] = {{-2, -3, -1, -4}, {0, -2, -3, -1}, {-4, 1, -2, -1},
                                     {-3, -4, 2, -1},  {-2, -3, 0, -1}, {-4, -2, -3, 3},
                                     {-1, -2, -3, 0},  {-4, -1, -2, 1}, {-3, -4, -1, 2}};
  static const int skips[] = {1, 2, 3, 5, 9};
  struct circulant graph = tutti_circulant(9);
  assert_int_equal(graph.rounds, 4);
  for (int k = 0; k <= 4; k++)
    assert_int_equal(graph.skip[k], skips[k]);
  for (int r = 0; r < 9; r++) {
    int8_t blocks[CIRCULANT_MAX_ROUNDS];
    tutti_circulant_receives(&graph, r, blocks);
    assert_memory_equal(blocks, table[r], 4);
  }
}

/* Whether the rank has `block` before round k: it has the blocks received earlier, and those of previous periods by the
   other entries of its table, which are smaller by q each. */
static bool has_block(const int8_t in[], int q, int k, int block)
{
  for (int e = 0; e < q; e++)
    for (int periods = e < k ? 0 : 1; periods <= 2; periods++)
      if (in[e] - periods * q == block)
        return true;
  return false;
}

/* In q rounds a rank receives q blocks that differ modulo q, as otherwise it would receive one twice in the end, and it
   has what it sends. */
static void check_tables(int size)
{
  struct circulant graph = tutti_circulant(size);
  int q = graph.rounds;
  for (int r = 0; r < size; r++) {
    int8_t in[CIRCULANT_MAX_ROUNDS], out[CIRCULANT_MAX_ROUNDS];
    uint64_t got = 0;
    tutti_circulant_receives(&graph, r, in);
    tutti_circulant_sends(&graph, r, out);
    for (int k = 0; k < q; k++) {
      got |= UINT64_C(1) << (in[k] + q) % q;
      if (r > 0 && graph.skip[k] != size - r && !has_block(in, q, k, out[k]))
        fail_msg("%d ranks: rank %d sends block %d in round %d, which it does not have", size, r, out[k], k);
    }
    assert_int_equal(got, (UINT64_C(1) << q) - 1);
  }
}

TEST(tables_are_consistent)
{
  static const int larger[] = {511, 512, 513, 777, 1023, 1024, 1025, 4099};
  for (int size = 2; size <= 420; size++)
    check_tables(size);
  for (size_t i = 0; i < sizeof larger / sizeof *larger; i++)
    check_tables(larger[i]);
}

/* n - 1 + q rounds; every rank but the root receives, or sends, each of the n blocks once. */
TEST(rounds_of_a_pipeline)
{
  static const char *const methods[] = {"bcast/circulant", "reduce/circulant"};
  for (int c = 0; c < 2; c++)
    for (int p = 2; p <= MOST; p++)
      for (int n = 1; n <= 20; n += 1 + n / 4) {
        const int rounds = n - 1 + ceil_log2(p);
        COUNTS(OF(methods[c], p, .root = p / 3, .count = 10 * (uint64_t)n, .segment = 10),
               {MAX | (c == 0 ? SENDS : RECEIVES), rounds}, /* those of the root */
               {DEPTH | AT_LEAST, 1}, {DEPTH | AT_MOST, rounds}, {SENDS, n * (p - 1)}, {SENT, 10 * n * (p - 1)});
      }
}

TEST(rounds_of_allreduce)
{
  for (int p = 2; p <= MOST; p++)
    for (int n = 1; n <= 20; n += 1 + n / 4)
      COUNTS(OF("allreduce/circulant", p, .count = 10 * (uint64_t)n, .segment = 10), {DEPTH | AT_LEAST, 1},
             {DEPTH | AT_MOST, 2 * (n - 1 + ceil_log2(p))}, {SENDS, 2 * n * (p - 1)}, {REDUCED, 10 * n * (p - 1)});
}

/* One message out and one in in each of n - 1 + q rounds; P - 1 blocks go out of every rank and into it. */
TEST(rounds_of_all_ranks)
{
  static const char *const methods[] = {"allgather/circulant", "reduce_scatter_block/circulant"};
  for (int c = 0; c < 2; c++)
    for (int p = 2; p <= 40; p++)
      for (int n = 1; n <= 7; n += 2) {
        const int rounds = n - 1 + ceil_log2(p), sent = 3 * n * (p - 1);
        COUNTS(OF(methods[c], p, .count = 3 * (uint64_t)n, .segment = 3), {DEPTH, rounds}, {MAX | SENDS, rounds},
               {SENDS, rounds * p}, {MAX | SENT, sent}, {SENT, sent * p}, {REDUCED, c * sent * p});
      }
}

/* q rounds of reduce-scatter and 2 q of allreduce; P - 1 blocks sent, received and combined, twice as many sent. */
TEST(rounds_of_halving)
{
  for (int p = 2; p <= MOST; p++) {
    const int q = ceil_log2(p), moved = 5 * (p - 1);
    COUNTS(OF("reduce_scatter_block/circulant-halving", p, .count = 5), {DEPTH, q}, {SENDS, q * p}, {MAX | SENT, moved},
           {MAX | REDUCED, moved});
    COUNTS(OF("allreduce/circulant-halving", p, .count = 5 * (uint64_t)p), {DEPTH, 2 * q}, {SENDS, 2 * q * p},
           {MAX | SENT, 2 * moved}, {MAX | REDUCED, moved});
  }
}
