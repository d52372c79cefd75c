/* Lower bounds of machines: those that a method meets, and terms that can be computed by hand. */
#include "harness/engine/machine/bounds.h"
#include "harness/engine/riders/measure.h"
#include "unit/harness/engine/machine.h"

static tutti_certificate certify(const struct engine_machine *machine, tutti_collective collective, int ranks,
                                 uint64_t bytes)
{
  struct machine_bounds bounds;
  assert_ok(tutti_machine_bounds_find(machine, ranks, 0, &bounds, &error), error);
  const tutti_certificate certificate = tutti_machine_certify(&bounds, collective, bytes);
  tutti_machine_bounds_free(&bounds);
  return certificate;
}

static double measure(const struct engine_machine *machine, const char *method, int ranks, uint64_t count)
{
  FREED_BY(tutti_start_free) struct engine_start start = {0};
  tutti_measurement point = {.scheme = TUTTI_SCHEME_WINDOW, .ranks = ranks, .count = count, .type_size = 1};
  double seconds = NAN;
  assert_ok(tutti_method_parse(method, &point.method, &error), error);
  assert_ok(tutti_engine_measure(machine, &point, NULL, &start, &seconds, &error), error);
  return seconds;
}

/* A message, and, but for the copy of its own block, a root that sends all blocks itself: no method is faster. */
TEST(methods_that_are_optimal)
{
  static const char *const platforms[] = {"boba_gige", "grig_mx", "fast_ethernet"};
  for (size_t i = 0; i < sizeof platforms / sizeof *platforms; i++) {
    FREED_BY(tutti_machine_free) struct engine_machine machine;
    read_machine(platforms[i], &machine);
    for (uint64_t bytes = 1; bytes < 100000; bytes = 10 * bytes + 1) {
      const double message = measure(&machine, "bcast/linear", 2, bytes),
                   least = certify(&machine, TUTTI_COLL_BCAST, 2, bytes).seconds;
      assert_true(least <= message && least > 0.9 * message);
    }
    const tutti_certificate scatter = certify(&machine, TUTTI_COLL_SCATTER, 9, 100000);
    const double linear = measure(&machine, "scatter/linear", 9, 100000);
    assert_int_equal(scatter.binding, TUTTI_TERM_INJECTION);
    assert_true(scatter.seconds <= linear && scatter.seconds > 0.9 * linear);
  }
}

/* Without latency what is left is bytes: the clock, which rounds them, may be before their time. */
TEST(clock_that_rounds)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  read_machine("boba_gige", &machine);
  machine.network.kinds[0].link.latency = 0;
  for (uint64_t bytes = 1; bytes < 100; bytes++) {
    const double message = measure(&machine, "bcast/linear", 2, bytes);
    const double least = certify(&machine, TUTTI_COLL_BCAST, 2, bytes).seconds;
    assert_true(least <= message && least > 0.9 * message);
  }
}

/* A node has one cable: the root of a gather receives seven blocks by it. */
TEST(own_link)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  read_machine("boba_gige", &machine);
  const struct net_link *cable = &machine.network.kinds[0].link;
  const tutti_certificate gather = certify(&machine, TUTTI_COLL_GATHER, 8, 1000000);
  assert_int_equal(gather.binding, TUTTI_TERM_EJECTION);
  assert_float_equal(gather.seconds, 7e6 / cable->bandwidth + 2 * cable->latency, 1e-5);
  /* Without an order of messages SimGrid may overlook the last link for a while: nothing is claimed. */
  machine.one_flow_a_link = false;
  assert_float_equal(certify(&machine, TUTTI_COLL_GATHER, 8, 1000000).terms[TUTTI_TERM_EJECTION], 0, 0);
}

static struct engine_machine ring_of(uint32_t hosts)
{
  struct engine_machine machine = {
      .ranks_per_node = 1,
      .processor = {1e9, 1},
      .one_flow_a_link = true,
      .network = {.topology = {.kind = TOPOLOGY_TORUS, .hosts = (long)hosts, .levels = 1, .sizes = {(long)hosts}},
                  .host_count = hosts,
                  .link_count = 2 * hosts,
                  .backbone = ENGINE_NONE,
                  .limiters = ENGINE_NONE,
                  .loopbacks = ENGINE_NONE,
                  .split_duplex = true,
                  .kind_count = 1,
                  .kinds = {{0, {1e9, 1e-6, false, false}}}}};
  return machine;
}

/* A ring of 9: nodes are 1, 2, 3, 4 links from each other, on both sides; each has two cables to send by. All pairs
   cross 9 * 20 links, of which there are 18, so 10 blocks a link; a node sends 8 blocks over two cables. */
TEST(ring)
{
  const struct engine_machine machine = ring_of(9);
  const tutti_certificate alltoall = certify(&machine, TUTTI_COLL_ALLTOALL, 9, 1000000);
  assert_int_equal(alltoall.binding, TUTTI_TERM_BISECTION);
  assert_float_equal(alltoall.seconds, 10e-3 + 1e-6, 1e-8);
  assert_float_equal(alltoall.terms[TUTTI_TERM_INJECTION], 4e-3 + 1e-6, 1e-8);
  assert_float_equal(alltoall.terms[TUTTI_TERM_DISTANCE], 4e-6 + 16e-9, 2e-8);
}

/* 7 of 8 parts of a vector are combined by each rank, a byte a nanosecond. */
TEST(computation)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  read_machine("boba_gige", &machine);
  machine.processor.speed = 1e6;
  const tutti_certificate allreduce = certify(&machine, TUTTI_COLL_ALLREDUCE, 8, 1000000);
  assert_int_equal(allreduce.binding, TUTTI_TERM_COMPUTATION);
  assert_float_equal(allreduce.seconds, 7.0 / 8, 1e-3);
}

TEST(nothing_to_do)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  read_machine("boba_gige", &machine);
  assert_float_equal(certify(&machine, TUTTI_COLL_BCAST, 1, 1000).seconds, 0, 0);
  assert_float_equal(certify(&machine, TUTTI_COLL_BCAST, 8, 0).seconds, 0, 0);
  assert_true(certify(&machine, TUTTI_COLL_BARRIER, 8, 0).seconds > 0);
  struct machine_bounds bounds;
  assert_fails(tutti_machine_bounds_find(&machine, 100000, 0, &bounds, &error), TUTTI_ERR_ARGUMENT, error, "boba_gige");
}
