/* Counted messages, elements and rounds of algorithms of radix k, of two trees and of binary blocks against what is
   published. P is the number of ranks. */
#include "unit/algorithms/analysis/count_fixture.h"
#include "unit/patience.h"

enum { MOST = UNLESS_WATCHED(128, 34), MAX_K = 8 };

/* Rounds of radix k on so many ranks, the last one not all of it if they are no power of k. */
static int rounds_of(int ranks, int k)
{
  int rounds = 0;
  for (int64_t power = 1; power < ranks; power *= k)
    rounds++;
  return rounds;
}

/* k - 1 messages a round, in the last one as many as there are ranks left. */
static int64_t messages_of(int ranks, int k)
{
  int64_t messages = 0;
  for (int64_t d = 1; d < ranks; d *= k)
    messages += smaller((ranks - 1) / d, k - 1);
  return messages;
}

static int power_up_to(int ranks, int k)
{
  int power = 1;
  while (power * k <= ranks)
    power *= k;
  return power;
}

/* log_k P rounds of k - 1 messages; two more rounds, one in and one out, where ranks are folded. */
TEST(exchanges_of_whole_messages)
{
  static const struct {
    const char *method;
    int elements;
  } cases[] = {
      {"allreduce/recursive-multiplying", 10}, {"allreduce/recursive-exchange", 10}, {"barrier/recursive-exchange", 0}};
  for (int n = 0; n < 3; n++)
    for (int k = 2; k <= MAX_K; k++)
      for (int p = 2; p <= MOST; p++) {
        const int all = power_up_to(p, k), folds = all != p, rounds = rounds_of(all, k);
        const int sends = all * rounds * (k - 1) + 2 * (p - all);
        COUNTS(OF(cases[n].method, p, .k = k, .count = (uint64_t)cases[n].elements), {DEPTH | AT_LEAST, rounds + folds},
               {DEPTH | AT_MOST, rounds + 2 * folds}, {SENDS, sends}, {SENT, cases[n].elements * sends});
      }
}

/* 2 log_k P rounds of k - 1 messages, and 2 (P - 1) / P of the message sent by each rank. */
TEST(reduce_scatter_allgather)
{
  for (int k = 2; k <= MAX_K; k++)
    for (int p = k, rounds = 1; p <= 1024; p *= k, rounds++)
      COUNTS(OF("allreduce/k-reduce-scatter-allgather", p, .k = k, .count = 3 * (uint64_t)p), {DEPTH, 2 * rounds},
             {MAX | SENDS, 2 * rounds * (k - 1)}, {MAX | SENT, 2 * 3 * (p - 1)}, {MAX | REDUCED, 3 * (p - 1)});
}

/* P - 1 blocks out of every rank. */
TEST(allgathers)
{
  for (int k = 2; k <= MAX_K; k++)
    for (int p = 2; p <= 70; p++) {
      const int sent = 3 * (p - 1), rounds = rounds_of(p, k);
      COUNTS(OF("allgather/k-bruck", p, .k = k, .count = 3), {DEPTH | AT_LEAST, 1},
             {DEPTH | AT_MOST, rounds}, /* the last may send what is there at once */
             {MAX | SENDS, messages_of(p, k)}, {MAX | SENT, sent}, {SENT, sent * p});
      COUNTS(OF("allgather/k-ring", p, .k = k, .count = 3), {SENDS, (p - 1) * p}, {MAX | SENDS, p - 1},
             {MAX | SENT, sent});
      if (p == power_up_to(p, k))
        COUNTS(OF("allgather/recursive-exchange", p, .k = k, .count = 3), {DEPTH, rounds}, {MAX | SENT, sent},
               {MAX | SENDS, rounds * (k - 1)});
    }
}

/* A power of k: log_k P rounds of k - 1 messages, P - 1 blocks sent and combined by every rank. Else the A ranks that
   act exchange so, their blocks being those of all, and each other one sends P blocks before and gets one after. */
TEST(reduce_scatters)
{
  static const char *const methods[] = {"reduce_scatter_block/recursive-exchange", "reduce_scatter/recursive-exchange"};
  for (int c = 0; c < 2; c++)
    for (int k = 2; k <= MAX_K; k++)
      for (int p = 2; p <= MOST; p++) {
        const int power = power_up_to(p, k), folded = p - power, each = k - 1, rounds = rounds_of(power, k),
                  all = 3 * p;
        const int in = folded < each ? folded : each, steps = in / 2 > 1 ? in / 2 : in > 0; /* into two slots */
        const struct subject *exchange = OF(methods[c], p, .k = k, .count = 3);
        COUNTS(exchange, {DEPTH | AT_LEAST, rounds + (folded > 0)}, {DEPTH | AT_MOST, rounds + steps + (folded > 0)},
               {SENDS, power * rounds * each + 2 * folded}, {SENT, (power - 1) * all + folded * (all + 3)},
               {REDUCED, (power - 1) * all + folded * all});
        if (folded == 0)
          COUNTS(exchange, {MAX | SENDS, rounds * each}, {MAX | SENT, all - 3}, {MAX | REDUCED, all - 3});
      }
}

TEST(everyone_to_everyone)
{
  for (int p = 2; p <= 70; p++) {
    COUNTS(OF("allgather/direct-messaging", p, .count = 3), {DEPTH, 1}, {MAX | SENDS, p - 1});
    COUNTS(OF("allreduce/allgather-reduce", p, .count = 3), {DEPTH, 1}, {MAX | SENT, 3 * (p - 1)},
           {REDUCED, 3 * (p - 1) * p});
  }
}

TEST(dissemination)
{
  for (int k = 2; k <= MAX_K; k++)
    for (int p = 1; p <= MOST; p++)
      COUNTS(OF("barrier/k-dissemination", p, .k = k), {DEPTH, rounds_of(p, k)}, {MAX | SENDS, messages_of(p, k)});
}

/* Every rank but the root receives, or sends, the message once; none does the other more than once. Down a tree of P -
   1 ranks from a root above it. */
TEST(two_trees)
{
  for (int p = 2; p <= MOST; p++) {
    const int depth = 1 + floor_log2(p - 1);
    COUNTS(OF("bcast/two-tree", p, .root = p / 3, .count = 100), {SENT, 100 * (p - 1)}, {MAX | SENT, 100},
           {DEPTH, depth});
    COUNTS(OF("reduce/two-tree", p, .root = p / 3, .count = 100), {SENT, 100 * (p - 1)}, {MAX | REDUCED, 100},
           {DEPTH, depth});
  }
}

/* Each message goes up and down both trees and once across in both directions. Of P = 2^h - 2 ranks with one exchange
   at a time there are 4 h - 7 steps for one segment: 2 for each of the h - 2 levels up and down, one across; levels
   count once here. */
TEST(dual_root)
{
  for (int p = 2; p <= MOST; p++)
    COUNTS(OF("allreduce/dual-root", p, .count = 10), {SENDS, 2 * (p - 1)}, {MAX | SENT | AT_LEAST, 10},
           {MAX | SENT | AT_MOST, 30});
  for (int h = 3; h <= 10; h++)
    COUNTS(OF("allreduce/dual-root", (1 << h) - 2, .count = 10), {DEPTH, 2 * (h - 2) + 1});
}

/* As Rabenseifner's for a power of two. Else two more steps for each block, the way up and down. */
TEST(binary_blocks)
{
  for (int p = 2; p <= MOST; p++) {
    const int log = floor_log2(p), ones = __builtin_popcount((unsigned)p), length = 3 << log;
    const struct subject *all = OF("allreduce/binary-blocks", p, .count = (uint64_t)length);
    const struct subject *one = OF("reduce/binary-blocks", p, .root = p / 3, .count = (uint64_t)length);
    COUNTS(all, {REDUCED, length * (p - 1)}, {SENT, 2 * length * (p - 1)}, {DEPTH | AT_LEAST, 1},
           {DEPTH | AT_MOST, 2 * log + 2 * (ones - 1)});
    COUNTS(one, {REDUCED, length * (p - 1)}, {DEPTH | AT_LEAST, 1}, {DEPTH | AT_MOST, 2 * log + ones - 1});
    if (ones > 1)
      continue;
    COUNTS(all, {DEPTH, 2 * log}, {MAX | SENT, 2 * (length - 3)}, {MAX | SENDS, 2 * log});
    COUNTS(one, {DEPTH, 2 * log});
  }
}
