/* Counted messages, elements and rounds of the collectives on circulant graphs against what is published, and the
   tables that say which block goes when. */
#include <string.h>

#include "algorithms/catalogue/shared/circulant.h"
#include "unit/algorithms/analysis/count_fixture.h"

enum { MOST = 128 };

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

static tutti_total count_of(tutti_collective collective, const char *name, int ranks, uint64_t elements,
                            uint64_t segment)
{
  tutti_method method = method_of(collective, name);
  method.parameters.segment_bytes = segment;
  return count(&method, (tutti_call){.size = ranks, .root = ranks / 3, .count = elements, .commutative = true});
}

/* n - 1 + q rounds; every rank but the root receives, or sends, each of the n blocks once. */
TEST(rounds_of_a_pipeline)
{
  static const tutti_collective collectives[] = {TUTTI_COLL_BCAST, TUTTI_COLL_REDUCE};
  for (int c = 0; c < 2; c++)
    for (int ranks = 2; ranks <= MOST; ranks++)
      for (uint64_t n = 1; n <= 20; n += 1 + n / 4) {
        tutti_total total = count_of(collectives[c], "circulant", ranks, 10 * n, 10);
        uint64_t rounds = n - 1 + (uint64_t)ceil_log2(ranks);
        assert_int_equal(c == 0 ? total.maximum.sends : total.maximum.receives, rounds); /* those of the root */
        assert_in_range(total.depth, 1, rounds);
        assert_int_equal(total.sum.sends, n * (uint64_t)(ranks - 1));
        assert_int_equal(total.sum.elements_sent, 10 * total.sum.sends);
      }
}

TEST(rounds_of_allreduce)
{
  for (int ranks = 2; ranks <= MOST; ranks++)
    for (uint64_t n = 1; n <= 20; n += 1 + n / 4) {
      tutti_total total = count_of(TUTTI_COLL_ALLREDUCE, "circulant", ranks, 10 * n, 10);
      assert_in_range(total.depth, 1, 2 * (n - 1 + (uint64_t)ceil_log2(ranks)));
      assert_int_equal(total.sum.sends, 2 * n * (uint64_t)(ranks - 1));
      assert_int_equal(total.sum.elements_reduced, 10 * n * (uint64_t)(ranks - 1));
    }
}

/* One message out and one in in each of n - 1 + q rounds; P - 1 blocks go out of every rank and into it. */
TEST(rounds_of_all_ranks)
{
  static const tutti_collective collectives[] = {TUTTI_COLL_ALLGATHER, TUTTI_COLL_REDUCE_SCATTER_BLOCK};
  for (int c = 0; c < 2; c++)
    for (int ranks = 2; ranks <= 40; ranks++)
      for (uint64_t n = 1; n <= 7; n += 2) {
        uint64_t others = (uint64_t)ranks - 1, rounds = n - 1 + (uint64_t)ceil_log2(ranks);
        tutti_total total = count_of(collectives[c], "circulant", ranks, 3 * n, 3);
        assert_int_equal(total.depth, rounds);
        assert_int_equal(total.maximum.sends, rounds);
        assert_int_equal(total.sum.sends, rounds * (uint64_t)ranks);
        assert_int_equal(total.maximum.elements_sent, 3 * n * others);
        assert_int_equal(total.sum.elements_sent, 3 * n * others * (uint64_t)ranks);
        assert_int_equal(total.sum.elements_reduced, c * total.sum.elements_sent);
      }
}

/* q rounds of reduce-scatter and 2 q of allreduce; P - 1 blocks sent, received and combined, twice as many sent. */
TEST(rounds_of_halving)
{
  for (int ranks = 2; ranks <= MOST; ranks++) {
    uint64_t q = (uint64_t)ceil_log2(ranks), others = (uint64_t)ranks - 1, blocks = (uint64_t)ranks;
    tutti_total total = count_of(TUTTI_COLL_REDUCE_SCATTER_BLOCK, "circulant-halving", ranks, 5, 0);
    assert_int_equal(total.depth, q);
    assert_int_equal(total.sum.sends, q * blocks);
    assert_int_equal(total.maximum.elements_sent, 5 * others);
    assert_int_equal(total.maximum.elements_reduced, 5 * others);
    total = count_of(TUTTI_COLL_ALLREDUCE, "circulant-halving", ranks, 5 * blocks, 0);
    assert_int_equal(total.depth, 2 * q);
    assert_int_equal(total.sum.sends, 2 * q * blocks);
    assert_int_equal(total.maximum.elements_sent, 2 * 5 * others);
    assert_int_equal(total.maximum.elements_reduced, 5 * others);
  }
}
