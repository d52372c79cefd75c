/* Optima by search: those that are known, and all of them proven as schedules. */
#include "tutti/optimum.h"
#include "unit/algorithms/models/price_fixture.h"

enum { LIMIT = 20000000 };

static tutti_optima optima_of(int ranks, int blocks)
{
  tutti_optima optima;
  assert_ok(tutti_optima_find(ranks, blocks, LIMIT, &optima, &error), error);
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
      const tutti_optima optima = optima_of(ranks, blocks);
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
  const tutti_optima optima = optima_of(4, 4);
  assert_int_equal(optima.items[0].volume, 8);
  assert_true(optima.count >= 3 && optima.items[1].rounds == 3 && optima.items[1].volume < 8);
  for (int i = 0; i < optima.count; i++) {
    int sum = 0;
    for (int r = 0; r < optima.items[i].rounds; r++)
      sum += optima.items[i].sizes[r];
    assert_int_equal(sum, optima.items[i].volume);
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
  assert_fails(tutti_optima_find(9, 1, LIMIT, &optima, &error), TUTTI_ERR_ARGUMENT, error, "2 to 8 ranks");
  assert_fails(tutti_optima_find(4, 6, LIMIT, &optima, &error), TUTTI_ERR_ARGUMENT, error, "1 to 5 blocks");
  assert_ok(tutti_optima_find(8, 3, 100, &optima, &error), error);
  assert_false(optima.proven);
}
