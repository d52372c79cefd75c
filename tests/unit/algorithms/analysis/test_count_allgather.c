/* Counted messages, elements and depth of allgathers against closed forms. P is the number of ranks. */
#include "unit/algorithms/analysis/count_fixture.h"

enum { MOST = 130, BLOCK = 3 };

static tutti_total count_allgather(const char *name, int ranks)
{
  tutti_method method = method_of(TUTTI_COLL_ALLGATHER, name);
  return count(&method, (tutti_call){.size = ranks, .count = BLOCK});
}

static bool serves(const char *name, int ranks)
{
  tutti_method method = method_of(TUTTI_COLL_ALLGATHER, name);
  return tutti_method_check(&method, &(tutti_call){.size = ranks, .count = BLOCK, .type_size = 1}, NULL) == TUTTI_OK;
}

/* Whatever the way, every rank receives each block of another rank exactly once. */
TEST(nothing_is_sent_twice)
{
  static const char *const names[] = {"bruck", "recursive-doubling", "recursive-doubling-general",
                                      "ring",  "neighbor-exchange",  "two-process"};
  int served = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (int ranks = 1; ranks <= MOST; ranks++)
      if (serves(names[i], ranks)) {
        assert_int_equal(count_allgather(names[i], ranks).sum.elements_sent, BLOCK * ranks * (ranks - 1));
        served++;
      }
  assert_int_equal(served, 3 * MOST + 8 + MOST / 2 + 1); /* eight powers of two */
}

TEST(ring)
{
  for (int ranks = 1; ranks <= MOST; ranks++) {
    tutti_total total = count_allgather("ring", ranks);
    assert_int_equal(total.depth, ranks - 1);
    assert_int_equal(total.maximum.sends, ranks - 1);
    assert_int_equal(total.sum.elements_copied, BLOCK * ranks);
    assert_int_equal(total.sum.temporary_elements, 0);
  }
}

TEST(neighbor_exchange)
{
  for (int ranks = 2; ranks <= MOST; ranks += 2) {
    tutti_total total = count_allgather("neighbor-exchange", ranks);
    assert_int_equal(total.depth, ranks / 2);
    assert_int_equal(total.sum.sends, ranks * (ranks / 2));
    assert_int_equal(total.sum.largest_message, ranks > 2 ? 2 * BLOCK : BLOCK);
    assert_int_equal(total.sum.temporary_elements, 0);
  }
}

/* The last step of P = 2^k + n ranks passes on n blocks only, which were there after 1 + ceil(log2 n) messages. */
static int depth_of_bruck(int ranks)
{
  int steps = floor_log2(ranks), rest = ranks - (1 << steps), last = rest ? 1 + ceil_log2(rest) : 0;
  return last > steps ? last : steps;
}

/* All ranks but 0 turn the blocks in a temporary: they copy their own block there, and all of them back. */
TEST(bruck)
{
  for (int ranks = 1; ranks <= MOST; ranks++) {
    tutti_total total = count_allgather("bruck", ranks);
    assert_int_equal(total.depth, depth_of_bruck(ranks));
    assert_int_equal(total.maximum.sends, ceil_log2(ranks));
    assert_int_equal(total.sum.sends, ranks * ceil_log2(ranks));
    assert_int_equal(total.sum.temporary_elements, BLOCK * ranks * (ranks - 1));
    assert_int_equal(total.sum.elements_copied, BLOCK * (ranks + ranks * (ranks - 1)));
  }
}

/* With Q the largest power of two up to P, the P - Q guests send one message, and receive one before and one in each of
   the log2 Q steps of their hosts. A block goes from a guest to its host, through the steps, and to another guest; but
   if no rank in the second half of the hosts has a guest, the last step is not on the way from guest to guest. */
TEST(recursive_doubling)
{
  for (int ranks = 1; ranks <= MOST; ranks++) {
    int steps = floor_log2(ranks), power = 1 << steps, guests = ranks - power;
    tutti_total total = count_allgather("recursive-doubling-general", ranks);
    assert_int_equal(total.depth, steps + (guests > 0) + (guests > power / 2 && guests > 0));
    assert_int_equal(total.sum.sends, power * steps + guests * (steps + 2));
    assert_int_equal(total.sum.temporary_elements, 0);
    if (guests == 0)
      assert_int_equal(count_allgather("recursive-doubling", ranks).sum.sends, ranks * steps);
  }
}

/* P - 1 messages to rank 0 and P - 1 back; the copies are those of the parts. */
TEST(gather_bcast)
{
  tutti_method method;
  tutti_error error;
  assert_int_equal(tutti_method_parse("allgather/gather-bcast/gather=linear/bcast=pipeline:4", &method, &error),
                   TUTTI_OK);
  for (int ranks = 1; ranks <= MOST; ranks++) {
    tutti_total total = count_allgather("gather-bcast", ranks);
    assert_int_equal(total.sum.sends, 2 * (ranks - 1));
    assert_int_equal(total.sum.largest_message, ranks > 1 ? BLOCK * ranks : 0);
    assert_int_equal(total.depth, 2 * floor_log2(ranks));
    total = count(&method, (tutti_call){.size = ranks, .count = 4});
    assert_int_equal(total.sum.sends, (ranks - 1) * (1 + ranks));
    assert_int_equal(total.sum.temporary_elements, 0);
    assert_int_equal(total.sum.elements_copied, 4);
  }
}

/* Every block to its place in ceil(log2 P) rounds, for any P. */
TEST(sparbit)
{
  for (int ranks = 1; ranks <= MOST; ranks++) {
    tutti_total total = count_allgather("sparbit", ranks);
    bool power = ranks == 1 << ceil_log2(ranks); /* else a round may need no block of the one before */
    assert_uint_in_range(total.depth, power ? ceil_log2(ranks) : 1, ceil_log2(ranks));
    assert_int_equal(total.maximum.sends, ranks - 1);
    assert_int_equal(total.sum.elements_sent, BLOCK * ranks * (ranks - 1));
    assert_int_equal(total.sum.elements_copied, BLOCK * ranks);
    assert_int_equal(total.sum.temporary_elements, 0);
  }
}

/* k trees of 2^q ranks: log2 k + 2^q / k - 1 rounds of a message, P - 1 blocks, each at most k; and the same backwards.
   Rounds in which no rank is far enough away are left out if P is no power of two. */
TEST(pat)
{
  for (int ranks = 2; ranks <= MOST; ranks += ranks < 34 ? 1 : 15)
    for (int log = 0, q = ceil_log2(ranks); log < q; log++) {
      uint64_t k = UINT64_C(1) << log, rounds = (uint64_t)log + (UINT64_C(1) << q >> log) - 1;
      tutti_method gather = method_of(TUTTI_COLL_ALLGATHER, "pat");
      tutti_method scatter = method_of(TUTTI_COLL_REDUCE_SCATTER_BLOCK, "pat");
      gather.parameters.k = scatter.parameters.k = (int)k;
      tutti_total gathered = count(&gather, (tutti_call){.size = ranks, .count = BLOCK});
      tutti_total scattered = count(&scatter, (tutti_call){.size = ranks, .count = BLOCK, .commutative = true});
      assert_int_equal(gathered.maximum.elements_sent, BLOCK * (ranks - 1));
      assert_int_equal(scattered.maximum.elements_sent, BLOCK * (ranks - 1));
      assert_int_equal(scattered.maximum.elements_reduced, BLOCK * (ranks - 1));
      assert_true(gathered.maximum.largest_message <= BLOCK * k);
      if (ranks == 1 << q)
        assert_int_equal(gathered.maximum.sends, rounds);
      assert_uint_in_range(gathered.maximum.sends, q, rounds);
      assert_int_equal(scattered.maximum.sends, gathered.maximum.sends);
      assert_uint_in_range(gathered.depth, ranks == 1 << q ? q : 1, rounds);
    }
}
