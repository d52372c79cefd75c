/* Optima by search: those that are known, and all of them proven as schedules. */
#include "tutti/optimum.h"
#include "unit/algorithms/models/price_fixture.h"

enum { LIMIT = 20000000 };

static tutti_optima optima_of(tutti_collective collective, int ranks, int blocks)
{
  tutti_optima optima;
  assert_ok(tutti_optima_find(collective, ranks, blocks, LIMIT, &optima, &error), error);
  assert_true(optima.proven);
  return optima;
}

static int ceil_log2(int number)
{
  int log = 0;
  while (1 << log < number)
    log++;
  return log;
}

/* The fewest rounds are ceil(log2 P), of whole messages if P is a power of two; the least volume is that of single
   blocks one after the other; of more rounds less volume. Each is a schedule of a broadcast, and backwards of a reduce.
 */
TEST(known_ends)
{
  for (int ranks = 2; ranks <= TUTTI_OPTIMUM_RANKS; ranks++)
    for (int blocks = 1; blocks <= 3; blocks++) {
      const tutti_optima optima = optima_of(TUTTI_COLL_BCAST, ranks, blocks);
      const tutti_optimum *first = &optima.items[0], *last = &optima.items[optima.count - 1];
      const int rounds = ceil_log2(ranks);
      assert_true(optima.count >= 1);
      assert_int_equal(first->rounds, rounds);
      if (ranks == 1 << rounds)
        assert_int_equal(first->volume, rounds * blocks);
      assert_int_equal(last->volume, blocks - 1 + rounds);
      for (int i = 0; i < optima.count; i++) {
        assert_true(i == 0 || (optima.items[i].rounds > optima.items[i - 1].rounds &&
                               optima.items[i].volume < optima.items[i - 1].volume));
        assert_ok(tutti_optimum_prove(&optima.items[i], TUTTI_COLL_BCAST, 7, &error), error);
        assert_ok(tutti_optimum_prove(&optima.items[i], TUTTI_COLL_REDUCE, 7, &error), error);
      }
    }
}

/* Four ranks, four blocks: a scatter and an allgather, 2 + 1 + 1 + 2 blocks, are no optimum of four rounds. */
TEST(between_the_ends)
{
  const tutti_optima optima = optima_of(TUTTI_COLL_BCAST, 4, 4);
  assert_int_equal(optima.items[0].volume, 8);
  assert_true(optima.count >= 3 && optima.items[1].rounds == 3 && optima.items[1].volume < 8);
  for (int i = 0; i < optima.count; i++) {
    int sum = 0;
    for (int r = 0; r < optima.items[i].rounds; r++)
      sum += optima.items[i].sizes[r];
    assert_int_equal(sum, optima.items[i].volume);
  }
}

/* Fewer rounds for more volume, and each is a schedule. */
static void check_frontier(tutti_collective collective, const tutti_optima *optima)
{
  assert_true(optima->count >= 1);
  for (int i = 0; i < optima->count; i++) {
    const tutti_optimum *o = &optima->items[i];
    assert_true(i == 0 || (o->rounds > o[-1].rounds && o->volume < o[-1].volume));
    assert_ok(tutti_optimum_prove(o, collective, 7, &error), error);
  }
}

static bool is_reached(const tutti_optima *optima, int rounds, int volume)
{
  bool reached = false;
  for (int i = 0; i < optima->count; i++)
    reached = reached || (optima->items[i].rounds <= rounds && optima->items[i].volume <= volume);
  return reached;
}

/* ceil(log2 P) rounds, of whole messages if P is a power of two; never less than 2 (P - 1) messages for each block;
   of as many blocks as ranks never more than Rabenseifner's 2 log2 P rounds of 2 (P - 1) blocks. */
TEST(allreduce)
{
  for (int ranks = 2; ranks <= TUTTI_OPTIMUM_ALLREDUCE_RANKS; ranks++)
    for (int blocks = 1; blocks <= TUTTI_OPTIMUM_BLOCKS; blocks++) {
      const tutti_optima optima = optima_of(TUTTI_COLL_ALLREDUCE, ranks, blocks);
      const tutti_optimum *first = &optima.items[0], *last = &optima.items[optima.count - 1];
      const int rounds = ceil_log2(ranks);
      check_frontier(TUTTI_COLL_ALLREDUCE, &optima);
      assert_int_equal(first->rounds, rounds);
      if (ranks == 1 << rounds)
        assert_int_equal(first->volume, rounds * blocks);
      assert_true(last->volume * ranks >= 2 * (ranks - 1) * blocks);
      if (ranks == 1 << rounds && blocks == ranks)
        assert_true(is_reached(&optima, 2 * rounds, 2 * (ranks - 1)));
    }
  for (int ranks = 2; ranks <= TUTTI_OPTIMUM_RANKS; ranks++) {
    const tutti_optima optima = optima_of(TUTTI_COLL_ALLREDUCE, ranks, 1);
    check_frontier(TUTTI_COLL_ALLREDUCE, &optima);
    assert_true(optima.count == 1 && optima.items[0].rounds == ceil_log2(ranks) &&
                optima.items[0].volume == ceil_log2(ranks));
  }
}

/* Everything that can be done on at most three ranks with at most two blocks, without any thought: a bit for each sum
   of operands that a rank can make of a block. */
enum { FEW = 3 };

struct everything {
  int ranks, blocks, rounds, sizes[FEW];
};

struct state {
  uint8_t sums[FEW][2];
};

static bool is_done(const struct everything *e, const struct state *s)
{
  bool done = true;
  for (int r = 0; r < e->ranks; r++)
    for (int b = 0; b < e->blocks; b++)
      done = done && s->sums[r][b] >> ((1 << e->ranks) - 1) & 1;
  return done;
}

static uint8_t with(uint8_t sums, int sum)
{
  uint8_t more = (uint8_t)(sums | 1 << sum);
  for (int other = 1; other < 1 << FEW; other++)
    if (sums >> other & 1 && !(other & sum))
      more |= (uint8_t)(1 << (other | sum));
  return more;
}

/* @p receiver of a round, whose @p senders have sent already. */
static bool can_do(const struct everything *e, int round, int receiver, unsigned senders, const struct state *before,
                   const struct state *now)
{
  const int all = (1 << e->ranks) - 1;
  if (receiver == e->ranks)
    return round + 1 == e->rounds ? is_done(e, now) : can_do(e, round + 1, 0, 0, now, now);
  for (int r = 0; round + 1 == e->rounds && r < receiver; r++)
    for (int b = 0; b < e->blocks; b++)
      if (!(now->sums[r][b] >> all & 1))
        return false;
  if (can_do(e, round, receiver + 1, senders, before, now))
    return true;
  for (int sender = 0; sender < e->ranks; sender++)
    for (int sums = 0; sums < 1 << (FEW * e->blocks) && sender != receiver && !(senders >> sender & 1); sums++) {
      struct state after = *now;
      int size = 0;
      bool has = true;
      for (int b = 0; b < e->blocks; b++) {
        const int sum = sums >> (FEW * b) & 7;
        size += sum != 0;
        has = has && (sum == 0 || before->sums[sender][b] >> sum & 1);
        after.sums[receiver][b] = sum ? with(before->sums[receiver][b], sum) : before->sums[receiver][b];
      }
      if (has && size <= e->sizes[round] && can_do(e, round, receiver + 1, senders | 1u << sender, before, &after))
        return true;
    }
  return false;
}

static bool can_do_sizes(struct everything *e, int round, int volume)
{
  struct state own = {{{0}}};
  for (int r = 0; r < e->ranks; r++)
    for (int b = 0; b < e->blocks; b++)
      own.sums[r][b] = (uint8_t)(1 << (1 << r));
  if (round == e->rounds)
    return volume == 0 && can_do(e, 0, 0, 0, &own, &own);
  for (int size = 1; size <= volume; size++) {
    e->sizes[round] = size;
    if (can_do_sizes(e, round + 1, volume - size))
      return true;
  }
  return false;
}

TEST(allreduce_by_trying_everything)
{
  for (int ranks = 2; ranks <= FEW; ranks++)
    for (int blocks = 1; blocks <= 2; blocks++) {
      const tutti_optima optima = optima_of(TUTTI_COLL_ALLREDUCE, ranks, blocks);
      for (int rounds = 1; rounds <= FEW; rounds++)
        for (int volume = rounds; volume <= FEW + 1; volume++) {
          struct everything everything = {.ranks = ranks, .blocks = blocks, .rounds = rounds};
          assert_int_equal(can_do_sizes(&everything, 0, volume), is_reached(&optima, rounds, volume));
        }
    }
}

/* From Bruck's ceil(log2 P) rounds, of a power of two P / 2 blocks each, to P - 1 rounds of a block. */
TEST(alltoall)
{
  for (int ranks = 2; ranks <= TUTTI_OPTIMUM_RANKS; ranks++)
    for (int blocks = 1; blocks <= 2; blocks++) {
      const tutti_optima optima = optima_of(TUTTI_COLL_ALLTOALL, ranks, blocks);
      const tutti_optimum *first = &optima.items[0], *last = &optima.items[optima.count - 1];
      const int rounds = ceil_log2(ranks);
      check_frontier(TUTTI_COLL_ALLTOALL, &optima);
      assert_int_equal(optima.count, ranks - rounds);
      assert_int_equal(first->rounds, rounds);
      if (ranks == 1 << rounds)
        assert_int_equal(first->volume, ranks / 2 * rounds * blocks);
      assert_int_equal(last->rounds, ranks - 1);
      assert_int_equal(last->volume, (ranks - 1) * blocks);
    }
}

/* One method of the catalogue has the fewest rounds and the least volume of blocks at once: there is one optimum. */
static bool has_both(tutti_collective collective, int ranks)
{
  static struct priced_call priced;
  const tutti_model model = {.kind = TUTTI_MODEL_HOCKNEY, .network.hockney = {1000, 1}};
  bool found = false;
  for (size_t i = 0; i < tutti_algorithm_count() && !found; i++) {
    const tutti_method method = tutti_method_default(tutti_algorithm_at(i));
    if (method.algorithm->collective == collective && !tutti_method_is_library(&method) &&
        priced_call(&priced, &method, ranks, 1))
      found = fixture_price(&model, &method, &priced.call) < 1000 * ceil_log2(ranks) + ranks - 1 + 1e-6;
  }
  return found;
}

TEST(collectives_with_one_optimum)
{
  static const tutti_collective collectives[] = {TUTTI_COLL_ALLGATHER, TUTTI_COLL_SCATTER, TUTTI_COLL_GATHER,
                                                 TUTTI_COLL_REDUCE_SCATTER_BLOCK};
  for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
    for (int ranks = 2; ranks <= 33; ranks++)
      if (!has_both(collectives[i], ranks))
        fail_msg("no %s on %d ranks is the optimum", tutti_collective_name(collectives[i]), ranks);
}

TEST(limits)
{
  tutti_optima optima;
  assert_fails(tutti_optima_find(TUTTI_COLL_BCAST, 9, 1, LIMIT, &optima, &error), TUTTI_ERR_ARGUMENT, error,
               "2 to 8 ranks");
  assert_fails(tutti_optima_find(TUTTI_COLL_BCAST, 4, 6, LIMIT, &optima, &error), TUTTI_ERR_ARGUMENT, error,
               "1 to 5 blocks");
  assert_ok(tutti_optima_find(TUTTI_COLL_BCAST, 8, 3, 100, &optima, &error), error);
  assert_false(optima.proven);
  for (uint64_t limit = 100; limit < 1000000; limit *= 2) {
    assert_ok(tutti_optima_find(TUTTI_COLL_ALLREDUCE, 3, 5, limit, &optima, &error), error);
    assert_false(optima.proven);
    check_frontier(TUTTI_COLL_ALLREDUCE, &optima);
  }
  assert_fails(tutti_optima_find(TUTTI_COLL_ALLREDUCE, 5, 2, LIMIT, &optima, &error), TUTTI_ERR_ARGUMENT, error,
               "2 to 4 ranks, or one block");
  assert_fails(tutti_optima_find(TUTTI_COLL_SCAN, 4, 1, LIMIT, &optima, &error), TUTTI_ERR_UNSUPPORTED, error,
               "scan are not searched");
}
