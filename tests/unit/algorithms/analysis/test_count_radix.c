/* Counted messages, elements and rounds of algorithms of radix k, of two trees and of binary blocks against what is
   published. P is the number of ranks. */
#include "unit/algorithms/analysis/count_fixture.h"

enum { MOST = 128, MAX_K = 8 };

static tutti_total count_k(tutti_collective collective, const char *name, int ranks, uint64_t elements, int k)
{
  tutti_method method = method_of(collective, name);
  if (k > 0)
    method.parameters.k = k;
  return count(&method, (tutti_call){.size = ranks, .root = ranks / 3, .count = elements, .commutative = true});
}

/* Rounds of radix k on so many ranks, the last one not all of it if they are no power of k. */
static uint64_t rounds_of(int ranks, int k)
{
  uint64_t rounds = 0;
  for (int64_t power = 1; power < ranks; power *= k)
    rounds++;
  return rounds;
}

/* k - 1 messages a round, in the last one as many as there are ranks left. */
static uint64_t messages_of(int ranks, int k)
{
  int64_t messages = 0;
  for (int64_t d = 1; d < ranks; d *= k)
    messages += (ranks - 1) / d < k - 1 ? (ranks - 1) / d : k - 1;
  return (uint64_t)messages;
}

static bool is_power(int ranks, int k)
{
  while (ranks % k == 0)
    ranks /= k;
  return ranks == 1;
}

/* log_k P rounds of k - 1 messages; two more rounds, one in and one out, where ranks are folded. */
TEST(exchanges_of_whole_messages)
{
  static const struct {
    tutti_collective collective;
    const char *name;
    uint64_t elements;
  } cases[] = {{TUTTI_COLL_ALLREDUCE, "recursive-multiplying", 10},
               {TUTTI_COLL_ALLREDUCE, "recursive-exchange", 10},
               {TUTTI_COLL_BARRIER, "recursive-exchange", 0}};
  for (int n = 0; n < 3; n++)
    for (int k = 2; k <= MAX_K; k++)
      for (int ranks = 2; ranks <= MOST; ranks++) {
        tutti_total total = count_k(cases[n].collective, cases[n].name, ranks, cases[n].elements, k);
        bool power = is_power(ranks, k);
        uint64_t rounds = rounds_of(ranks, k) - !power, each = (uint64_t)k - 1, all = 1;
        for (uint64_t i = 0; i < rounds; i++)
          all *= (uint64_t)k;
        assert_in_range(total.depth, rounds + !power, rounds + (power ? 0 : 2));
        assert_int_equal(total.sum.sends, all * rounds * each + 2 * ((uint64_t)ranks - all));
        assert_int_equal(total.sum.elements_sent, cases[n].elements * total.sum.sends);
      }
}

/* 2 log_k P rounds of k - 1 messages, and 2 (P - 1) / P of the message sent by each rank. */
TEST(reduce_scatter_allgather)
{
  for (int k = 2; k <= MAX_K; k++)
    for (int ranks = k; ranks <= 1024; ranks *= k) {
      uint64_t parts = (uint64_t)ranks, rounds = rounds_of(ranks, k);
      tutti_total total = count_k(TUTTI_COLL_ALLREDUCE, "k-reduce-scatter-allgather", ranks, 3 * parts, k);
      assert_int_equal(total.depth, 2 * rounds);
      assert_int_equal(total.maximum.sends, 2 * rounds * ((uint64_t)k - 1));
      assert_int_equal(total.maximum.elements_sent, 2 * 3 * (parts - 1));
      assert_int_equal(total.maximum.elements_reduced, 3 * (parts - 1));
    }
}

/* P - 1 blocks out of every rank. */
TEST(allgathers)
{
  for (int k = 2; k <= MAX_K; k++)
    for (int ranks = 2; ranks <= 70; ranks++) {
      uint64_t others = (uint64_t)ranks - 1;
      tutti_total bruck = count_k(TUTTI_COLL_ALLGATHER, "k-bruck", ranks, 3, k);
      tutti_total ring = count_k(TUTTI_COLL_ALLGATHER, "k-ring", ranks, 3, k);
      assert_in_range(bruck.depth, 1, rounds_of(ranks, k)); /* the last round may send what is there at once */
      assert_int_equal(bruck.maximum.sends, messages_of(ranks, k));
      assert_int_equal(bruck.maximum.elements_sent, 3 * others);
      assert_int_equal(bruck.sum.elements_sent, 3 * others * (uint64_t)ranks);
      assert_int_equal(ring.sum.sends, others * (uint64_t)ranks);
      assert_int_equal(ring.maximum.sends, others);
      assert_int_equal(ring.maximum.elements_sent, 3 * others);
      if (!is_power(ranks, k))
        continue;
      tutti_total exchange = count_k(TUTTI_COLL_ALLGATHER, "recursive-exchange", ranks, 3, k);
      assert_int_equal(exchange.depth, rounds_of(ranks, k));
      assert_int_equal(exchange.maximum.elements_sent, 3 * others);
      assert_int_equal(exchange.maximum.sends, rounds_of(ranks, k) * ((uint64_t)k - 1));
    }
}

static uint64_t power_up_to(int ranks, int k)
{
  uint64_t power = 1;
  while (power * (uint64_t)k <= (uint64_t)ranks)
    power *= (uint64_t)k;
  return power;
}

/* A power of k: log_k P rounds of k - 1 messages, P - 1 blocks sent and combined by every rank. Else the A ranks that
   act exchange so, their blocks being those of all, and each other one sends P blocks before and gets one after. */
TEST(reduce_scatters)
{
  static const tutti_collective collectives[] = {TUTTI_COLL_REDUCE_SCATTER_BLOCK, TUTTI_COLL_REDUCE_SCATTER};
  for (int c = 0; c < 2; c++)
    for (int k = 2; k <= MAX_K; k++)
      for (int ranks = 2; ranks <= MOST; ranks++) {
        tutti_total total = count_k(collectives[c], "recursive-exchange", ranks, 3, k);
        uint64_t power = power_up_to(ranks, k), folded = (uint64_t)ranks - power, each = (uint64_t)k - 1;
        uint64_t rounds = rounds_of((int)power, k), all = 3 * (uint64_t)ranks;
        uint64_t in = folded < each ? folded : each, steps = in / 2 > 1 ? in / 2 : in > 0; /* into two slots */
        assert_in_range(total.depth, rounds + (folded > 0), rounds + steps + (folded > 0));
        assert_int_equal(total.sum.sends, power * rounds * each + 2 * folded);
        assert_int_equal(total.sum.elements_sent, (power - 1) * all + folded * (all + 3));
        assert_int_equal(total.sum.elements_reduced, (power - 1) * all + folded * all);
        if (folded > 0)
          continue;
        assert_int_equal(total.maximum.sends, rounds * each);
        assert_int_equal(total.maximum.elements_sent, all - 3);
        assert_int_equal(total.maximum.elements_reduced, all - 3);
      }
}

TEST(everyone_to_everyone)
{
  for (int ranks = 2; ranks <= 70; ranks++) {
    tutti_total blocks = count_k(TUTTI_COLL_ALLGATHER, "direct-messaging", ranks, 3, 0);
    tutti_total messages = count_k(TUTTI_COLL_ALLREDUCE, "allgather-reduce", ranks, 3, 0);
    assert_int_equal(blocks.depth, 1);
    assert_int_equal(blocks.maximum.sends, ranks - 1);
    assert_int_equal(messages.depth, 1);
    assert_int_equal(messages.maximum.elements_sent, 3 * (ranks - 1));
    assert_int_equal(messages.sum.elements_reduced, 3 * (ranks - 1) * ranks);
  }
}

TEST(dissemination)
{
  for (int k = 2; k <= MAX_K; k++)
    for (int ranks = 1; ranks <= MOST; ranks++) {
      tutti_total total = count_k(TUTTI_COLL_BARRIER, "k-dissemination", ranks, 0, k);
      assert_int_equal(total.depth, rounds_of(ranks, k));
      assert_int_equal(total.maximum.sends, messages_of(ranks, k));
    }
}

/* Every rank but the root receives, or sends, the message once; none does the other more than once. Down a tree of P -
   1 ranks from a root above it. */
TEST(two_trees)
{
  for (int ranks = 2; ranks <= MOST; ranks++) {
    tutti_total down = count_k(TUTTI_COLL_BCAST, "two-tree", ranks, 100, 0);
    tutti_total up = count_k(TUTTI_COLL_REDUCE, "two-tree", ranks, 100, 0);
    assert_int_equal(down.sum.elements_sent, 100 * (ranks - 1));
    assert_int_equal(down.maximum.elements_sent, 100);
    assert_int_equal(down.depth, 1 + floor_log2(ranks - 1));
    assert_int_equal(up.sum.elements_sent, 100 * (ranks - 1));
    assert_int_equal(up.maximum.elements_reduced, 100);
    assert_int_equal(up.depth, 1 + floor_log2(ranks - 1));
  }
}

/* Each message goes up and down both trees and once across in both directions. Of P = 2^h - 2 ranks with one exchange
   at a time there are 4 h - 7 steps for one segment: 2 for each of the h - 2 levels up and down, one across; levels
   count once here. */
TEST(dual_root)
{
  for (int ranks = 2; ranks <= MOST; ranks++) {
    tutti_total total = count_k(TUTTI_COLL_ALLREDUCE, "dual-root", ranks, 10, 0);
    assert_int_equal(total.sum.sends, 2 * (ranks - 1));
    assert_in_range(total.maximum.elements_sent, 10, 30);
  }
  for (int h = 3; h <= 10; h++)
    assert_int_equal(count_k(TUTTI_COLL_ALLREDUCE, "dual-root", (1 << h) - 2, 10, 0).depth, 2 * (h - 2) + 1);
}

/* As Rabenseifner's for a power of two. Else two more steps for each block, the way up and down. */
TEST(binary_blocks)
{
  for (int ranks = 2; ranks <= MOST; ranks++) {
    int log = floor_log2(ranks), ones = __builtin_popcount((unsigned)ranks);
    uint64_t power = UINT64_C(1) << log;
    tutti_total all = count_k(TUTTI_COLL_ALLREDUCE, "binary-blocks", ranks, 3 * power, 0);
    tutti_total one = count_k(TUTTI_COLL_REDUCE, "binary-blocks", ranks, 3 * power, 0);
    assert_int_equal(all.sum.elements_reduced, 3 * power * ((uint64_t)ranks - 1));
    assert_int_equal(all.sum.elements_sent, 2 * 3 * power * ((uint64_t)ranks - 1));
    assert_int_equal(one.sum.elements_reduced, 3 * power * ((uint64_t)ranks - 1));
    assert_in_range(all.depth, 1, 2 * log + 2 * (ones - 1));
    assert_in_range(one.depth, 1, 2 * log + ones - 1);
    if (ones > 1)
      continue;
    assert_int_equal(all.depth, 2 * log);
    assert_int_equal(one.depth, 2 * log);
    assert_int_equal(all.maximum.elements_sent, 2 * 3 * (power - 1));
    assert_int_equal(all.maximum.sends, 2 * log);
  }
}
