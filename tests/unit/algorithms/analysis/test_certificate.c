/* What any method must do, by hand; the broadcast tree of LogP; bounds of models against the prices of all methods. */
#include <math.h>

#include "tutti/certificate.h"
#include "unit/algorithms/models/price_fixture.h"

static tutti_demand demand_of(tutti_collective collective, int ranks, int ranks_per_node, uint64_t bytes)
{
  return (tutti_demand){collective, ranks, ranks_per_node, 0, bytes};
}

TEST(rounds_are_logarithms)
{
  for (int ranks = 1; ranks < 100; ranks++) {
    const tutti_demand barrier = demand_of(TUTTI_COLL_BARRIER, ranks, 1, 0);
    assert_int_equal(tutti_demand_rounds(&barrier, 1), (int)ceil(log2(ranks)));
    assert_int_equal(tutti_demand_rounds(&barrier, 3), (int)ceil(log2(ranks) / 2));
  }
  const tutti_demand empty = demand_of(TUTTI_COLL_BCAST, 8, 1, 0);
  assert_int_equal(tutti_demand_rounds(&empty, 1), 0);
}

/* Of 8 ranks, two of which are first: out, in. 10 bytes a message or block. */
TEST(bytes_of_groups)
{
  static const struct {
    tutti_collective collective;
    double out, in; /* of ranks 0 and 1 */
    double between; /* four nodes of two ranks */
    double work;
  } known[] = {
      {TUTTI_COLL_BCAST, 10, 0, 30, 0},
      {TUTTI_COLL_SCATTER, 60, 0, 60, 0},
      {TUTTI_COLL_GATHER, 0, 60, 60, 0},
      {TUTTI_COLL_ALLGATHER, 20, 60, 240, 0},
      {TUTTI_COLL_ALLTOALL, 120, 120, 480, 0},
      {TUTTI_COLL_REDUCE, 0, 10, 30, 70},
      {TUTTI_COLL_REDUCE_SCATTER_BLOCK, 60, 20, 240, 560},
      {TUTTI_COLL_ALLREDUCE, 10, 10, 60, 70},
      {TUTTI_COLL_SCAN, 10, 0, 30, 70},
      {TUTTI_COLL_EXSCAN, 10, 0, 30, 60},
      {TUTTI_COLL_BARRIER, 0, 0, 0, 0},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const tutti_demand demand = demand_of(known[i].collective, 8, 2, 10);
    assert_float_equal(tutti_demand_out(&demand, 0, 2), known[i].out, 0);
    assert_float_equal(tutti_demand_in(&demand, 0, 2), known[i].in, 0);
    assert_float_equal(tutti_demand_between(&demand), known[i].between, 0);
    assert_float_equal(tutti_demand_work(&demand), known[i].work, 0);
    assert_float_equal(tutti_demand_out(&demand, 0, 8) + tutti_demand_in(&demand, 0, 8), 0, 0);
  }
}

/* LogP with L = 6, g = 4, o = 2: 8 ranks get it at 0, 10, 14, 18, 20, 22, 24, 24. With gap and message alike, rounds.
 */
TEST(spreading_is_the_tree_of_LogP)
{
  assert_float_equal(tutti_spread_time((tutti_spread){6, 4}, 8), 24, 1e-12);
  for (int ranks = 1; ranks < 70; ranks++)
    assert_float_equal(tutti_spread_time((tutti_spread){0, 1}, ranks), ceil(log2(ranks)), 1e-12);
  assert_float_equal(tutti_spread_time((tutti_spread){5, 0}, 1000), 5, 0);
  assert_float_equal(tutti_spread_time((tutti_spread){100, 1}, 11), 110, 1e-12); /* one after the other */
}

/* A broadcast to 4 ranks, a byte a second. If messages take little, the root alone is the limit; if they take 10 s, the
   others have none of the 24 bytes to send before that, and no byte arrives before: 10 + (24 + 3 * 10) / 4. */
TEST(nodes_send_what_has_reached_them)
{
  const tutti_demand demand = demand_of(TUTTI_COLL_BCAST, 4, 1, 8);
  const tutti_limits limits = {.wire = {1, 1e-12}, .first = 1, .out = 1};
  const tutti_certificate bound = tutti_certify(&demand, &limits);
  assert_int_equal(bound.binding, TUTTI_TERM_INJECTION);
  assert_float_equal(bound.seconds, 9, 1e-6); /* one rank alone sends 8 */
  const tutti_demand long_demand = demand_of(TUTTI_COLL_BCAST, 4, 1, 80);
  assert_float_equal(tutti_certify(&long_demand, &limits).seconds, 81, 1e-6);
  const tutti_limits slow = {.wire = {10, 1e-12}, .first = 10, .out = 1};
  assert_float_equal(tutti_certify(&demand, &slow).seconds, 10 + (24 + 30) / 4.0, 1e-6);
  /* So do those of an allreduce and of a scan, of what the first one has. */
  const tutti_demand allreduce = demand_of(TUTTI_COLL_ALLREDUCE, 4, 1, 8), scan = demand_of(TUTTI_COLL_SCAN, 4, 1, 8);
  assert_float_equal(tutti_certify(&allreduce, &slow).seconds, 10 + (24 + 30) / 4.0, 1e-6);
  assert_float_equal(tutti_certify(&scan, &slow).seconds, 10 + (24 + 30) / 4.0, 1e-6);
}

/* A root that takes 80 s to send all has three to reach with what it sends last, a message every quarter. */
TEST(what_leaves_last_must_spread)
{
  const tutti_demand demand = demand_of(TUTTI_COLL_BCAST, 4, 1, 80);
  const tutti_limits limits = {.wire = {1, 0.25}, .first = 1, .out = 1};
  assert_float_equal(tutti_certify(&demand, &limits).seconds, 81 + 2 * 0.25, 1e-9);
  const tutti_demand backwards = demand_of(TUTTI_COLL_REDUCE, 4, 1, 80);
  const tutti_limits limits_in = {.into = {1, 0.25}, .first = 1, .in = 1};
  assert_float_equal(tutti_certify(&backwards, &limits_in).seconds, 81 + 2 * 0.25, 1e-9);
}

/* Three bytes of a rank, a byte a second, an overhead of a second: two messages, of two bytes and of one, arrive after
   three seconds; one message or three are no faster. */
TEST(messages_begin_one_after_the_other)
{
  const tutti_demand demand = demand_of(TUTTI_COLL_ALLTOALL, 2, 2, 3);
  const tutti_limits limits = {.within = {5, 1}, .apart = 5, .moving = 1};
  const tutti_certificate bound = tutti_certify(&demand, &limits);
  assert_int_equal(bound.binding, TUTTI_TERM_PROCESSOR);
  assert_float_equal(bound.seconds, 5 + 3, 1e-9);
  const tutti_demand large = demand_of(TUTTI_COLL_ALLTOALL, 2, 2, 5000);
  assert_float_equal(tutti_certify(&large, &limits).seconds, 5 + 5000 / 100.0 + 101 / 2.0, 1e-9);
}

/* ---- models ---- */

static long compare_all(const tutti_model *model, int ranks, uint64_t bytes, double *closest)
{
  static struct priced_call priced;
  const tutti_limits limits = tutti_limits_of_model(model, ranks);
  long compared = 0;
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    const tutti_method method = tutti_method_default(tutti_algorithm_at(i));
    if (tutti_method_is_library(&method) || !priced_call(&priced, &method, ranks, bytes))
      continue;
    const tutti_demand demand = demand_of(method.algorithm->collective, ranks, 1, bytes);
    const tutti_certificate bound = tutti_certify(&demand, &limits);
    const double price = fixture_price(model, &method, &priced.call);
    if (bound.seconds > price * (1 + 1e-9))
      fail_msg("%s/%s, %d ranks, %d bytes: %g s by %s, and it takes %g s", tutti_collective_name(demand.collective),
               method.algorithm->name, ranks, (int)bytes, bound.seconds, tutti_term_name(bound.binding), price);
    *closest = bound.seconds > 0 ? fmin(*closest, price / bound.seconds) : *closest;
    compared++;
  }
  return compared;
}

TEST(no_price_is_below_the_bound)
{
  static const tutti_model models[] = {
      {.kind = TUTTI_MODEL_HOCKNEY, .network.hockney = {50e-6, 8e-9}, .gamma = 1e-9},
      {.kind = TUTTI_MODEL_LOGGP, .network.loggp = {20e-6, 3e-6, 8e-6, 9e-9}, .gamma = 2e-9},
      {.kind = TUTTI_MODEL_LOGGP, .network.loggp = {2e-6, 4e-6, 1e-6, 1e-9}, .gamma = 1e-10},
  };
  static const int ranks[] = {2, 3, 8, 13};
  static const uint64_t sizes[] = {1, 100, 80000};
  for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
    double closest = INFINITY;
    long compared = 0;
    for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++)
      for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        compared += compare_all(&models[m], ranks[r], sizes[s], &closest);
    assert_true(compared > 1000);
    assert_true(closest < 1.001); /* and some method is optimal */
  }
}
