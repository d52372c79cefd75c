/* Counted messages, elements and depth of scatters and gathers against closed forms. P is the number of ranks. */
#include "unit/algorithms/analysis/count_fixture.h"

enum { MOST = 130, BLOCK = 3 };

static tutti_total count_blocks(tutti_collective collective, const char *name, int ranks, int root)
{
  tutti_method method = method_of(collective, name);
  return count(&method, (tutti_call){.size = ranks, .root = root, .count = BLOCK});
}

/* Open MPI's scatter waits for each send before the next one, its gather for each receive, if they are not eager. */
TEST(linear)
{
  static const struct {
    tutti_collective collective;
    const char *name;
    bool in_turn;
  } algorithms[] = {{TUTTI_COLL_SCATTER, "linear", true},
                    {TUTTI_COLL_SCATTER, "linear-nonblocking", false},
                    {TUTTI_COLL_SCATTERV, "linear", false},
                    {TUTTI_COLL_GATHER, "linear", true},
                    {TUTTI_COLL_GATHER, "linear-nonblocking", false},
                    {TUTTI_COLL_GATHERV, "linear", false}};
  for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++)
    for (int i = 0; i < 2 * MOST; i++) {
      const int ranks = 1 + i / 2;
      const bool in_turn = algorithms[a].in_turn && i % 2;
      const tutti_method method = method_of(algorithms[a].collective, algorithms[a].name);
      const tutti_total total =
          count(&method, (tutti_call){.size = ranks, .root = ranks / 3, .count = BLOCK, .type_size = i % 2 ? 4096 : 1});
      assert_int_equal(total.sum.sends, ranks - 1);
      assert_int_equal(total.sum.elements_sent, BLOCK * (ranks - 1));
      assert_int_equal(total.sum.temporary_elements, 0);
      assert_int_equal(total.sum.elements_copied, BLOCK);
      assert_int_equal(total.depth, in_turn ? ranks - 1 : ranks > 1);
    }
}

/* Block v travels over as many edges as v has bits. */
static uint64_t bits_up_to(int ranks)
{
  uint64_t bits = 0;
  for (int v = 1; v < ranks; v++)
    bits += (uint64_t)__builtin_popcount((unsigned)v);
  return bits;
}

TEST(binomial)
{
  for (int ranks = 1; ranks <= MOST; ranks++)
    for (int root = 0; root < ranks; root += 1 + ranks / 4)
      for (int gather = 0; gather < 2; gather++) {
        tutti_total total = count_blocks(gather ? TUTTI_COLL_GATHER : TUTTI_COLL_SCATTER, "binomial", ranks, root);
        assert_int_equal(total.sum.sends, ranks - 1);
        assert_int_equal(total.sum.elements_sent, BLOCK * bits_up_to(ranks));
        assert_int_equal(total.depth, floor_log2(ranks));
        assert_int_equal(gather ? total.maximum.receives : total.maximum.sends, ceil_log2(ranks));
      }
}

/* At root 0 only inner ranks have temporaries, of their subtree. Another root needs one more, of the one subtree whose
   blocks lie at both of its ends. */
TEST(memory_of_binomial)
{
  for (int gather = 0; gather < 2; gather++) {
    tutti_collective collective = gather ? TUTTI_COLL_GATHER : TUTTI_COLL_SCATTER;
    assert_int_equal(count_blocks(collective, "binomial", 2, 0).sum.temporary_elements, 0);
    assert_int_equal(count_blocks(collective, "binomial", 8, 0).sum.temporary_elements, BLOCK * (4 + 2 + 2));
    assert_int_equal(count_blocks(collective, "binomial", 8, 1).sum.temporary_elements, BLOCK * (4 + 2 + 2 + 4));
    assert_int_equal(count_blocks(collective, "binomial", 8, 4).sum.temporary_elements, BLOCK * (4 + 2 + 2));
    assert_int_equal(count_blocks(collective, "binomial", 8, 5).sum.temporary_elements, BLOCK * (4 + 2 + 2 + 2));
    assert_int_equal(count_blocks(collective, "binomial", 8, 5).maximum.temporary_elements, BLOCK * 4);
  }
}

/* Two elements of four bytes come first. The rank that is called up last sends two parts after the root's green lights
   to, and the first parts of, all the others. */
TEST(linear_sync)
{
  tutti_method method = method_of(TUTTI_COLL_GATHER, "linear-sync");
  for (int ranks = 2; ranks <= MOST; ranks++) {
    tutti_call call = {.size = ranks, .root = ranks / 2, .count = 5, .type_size = 4};
    method.parameters.segment_bytes = 11;
    tutti_total total = count(&method, call);
    assert_int_equal(total.sum.sends, 3 * (ranks - 1));
    assert_int_equal(total.sum.elements_sent, 5 * (ranks - 1));
    assert_int_equal(total.sum.largest_message, 3);
    assert_int_equal(total.depth, 2 * (ranks - 1) + 1);
    method.parameters.segment_bytes = 20;
    assert_int_equal(count(&method, call).sum.sends, 2 * (ranks - 1));
    method.parameters.segment_bytes = 0;
    total = count(&method, call);
    assert_int_equal(total.sum.sends, 2 * (ranks - 1));
    assert_int_equal(total.depth, 2 * (ranks - 1));
  }
}
