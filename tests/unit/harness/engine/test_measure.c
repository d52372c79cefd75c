/* Times that can be computed by hand, and what is refused. */
#include "harness/engine/riders/measure.h"
#include "unit/harness/engine/machine.h"

static tutti_measurement point_of(const char *method, int ranks, uint64_t count)
{
  tutti_measurement point = {.scheme = TUTTI_SCHEME_WINDOW, .ranks = ranks, .count = count, .type_size = 1};
  assert_int_equal(tutti_method_parse(method, &point.method, &error), TUTTI_OK);
  return point;
}

static double measure_from(const struct engine_machine *machine, const tutti_measurement *point,
                           struct engine_start *start)
{
  double seconds = NAN;
  assert_ok(tutti_engine_measure(machine, point, NULL, start, &seconds, &error), error);
  return seconds;
}

static double measure(const struct engine_machine *machine, const tutti_measurement *point)
{
  FREED_BY(tutti_start_free) struct engine_start start = {0};
  return measure_from(machine, point, &start);
}

/* Some ticks of the clock at the time when operations begin, 16,384 s. */
#define TICK 12e-12

/* The last copies of Bruck's allgather, all blocks of each rank, take what the platform says a copied byte costs. */
TEST(test_copies)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  read_machine("grig_mx_ob1", &machine);
  assert_true(machine.copy_cost == 5);
  const tutti_measurement point = point_of("allgather/bruck", 3, 1000);
  const double dear = measure(&machine, &point);
  machine.copy_cost = 1;
  const double cheap = measure(&machine, &point);
  assert_float_equal(dear - cheap, 4 * (1000 + 3000) / machine.processor.speed, 4 * TICK); /* the own block first */
}

/* The root of a gather receives four messages, 1 us apart or more: the last one three gaps after the first. */
TEST(test_receive_gap)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  read_machine("grig_mx", &machine);
  const tutti_measurement point = point_of("gather/linear-nonblocking", 5, 1);
  double times[3];
  for (int i = 0; i < 3; i++) {
    machine.receive_gap = 1e-3 * i;
    times[i] = measure(&machine, &point);
  }
  assert_float_equal(times[2] - times[1], 3e-3, 4 * TICK);
  assert_true(times[1] > times[0] + 2e-3 && times[1] < times[0] + 3e-3);
}

/* One message: twice the latency of a cable, and the bytes with their envelope of 16. */
TEST(test_message)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  read_machine("boba_gige", &machine);
  const struct net_link *cable = &machine.network.kinds[0].link;
  for (uint64_t bytes = 1; bytes < 100000; bytes = 10 * bytes + 1) {
    tutti_measurement point = point_of("bcast/linear", 2, bytes);
    assert_float_equal(measure(&machine, &point), 2 * cable->latency + (double)(bytes + 16) / cable->bandwidth, TICK);
  }
  /* One after the other out of one port. */
  tutti_measurement linear = point_of("bcast/linear", 5, 1000);
  assert_float_equal(measure(&machine, &linear), 2 * cable->latency + 4 * 1016 / cable->bandwidth, 4 * TICK);
}

/* All latencies and bandwidths so many times as slow: so is a message, and the operation with it. Under the scheme occ
   the ranks know the start too late at first. */
TEST(test_slow_network)
{
  for (double slow = 1; slow <= 1e9; slow *= 10)
    for (int i = 0; i < 6; i++) {
      struct engine_machine machine;
      read_machine("boba_gige", &machine);
      tutti_measurement point = point_of(i % 3 == 0   ? "bcast/linear"
                                         : i % 3 == 1 ? "allreduce/ring"
                                                      : "barrier/bruck",
                                         13, i % 3 == 2 ? 0 : 1000);
      point.scheme = i / 3 ? TUTTI_SCHEME_OCC : TUTTI_SCHEME_WINDOW;
      point.launch = i % 2; /* whose places are taken before */
      const double quick = measure(&machine, &point);
      for (int k = 0; k < machine.network.kind_count; k++) {
        machine.network.kinds[k].link.latency *= slow;
        machine.network.kinds[k].link.bandwidth /= slow;
      }
      machine.processor.speed /= slow;
      assert_float_equal(measure(&machine, &point) / (slow * quick), 1, 1e-5);
      tutti_machine_free(&machine);
    }
}

/* Beyond that the clock of the simulation is too coarse, and the reason is said. */
TEST(test_too_slow_network)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  FREED_BY(tutti_start_free) struct engine_start start = {0};
  double seconds;
  read_machine("boba_gige", &machine);
  const tutti_measurement point = point_of("bcast/linear", 13, 1000);
  machine.network.kinds[0].link.latency = 1e7;
  assert_fails(tutti_engine_measure(&machine, &point, NULL, &start, &seconds, &error), TUTTI_ERR_UNSUPPORTED, error,
               "the messages of this platform take too long");
}

/* A late rank is waited for, but what it is late does not count. */
TEST(test_arrival)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  read_machine("boba_gige", &machine);
  tutti_measurement point = point_of("bcast/linear", 2, 1000);
  const double alone = measure(&machine, &point);
  assert_int_equal(tutti_arrival_parse("straggler/1ms/rank=0", &point.arrival, &error), TUTTI_OK);
  assert_float_equal(measure(&machine, &point), alone, 2 * TICK);
  assert_int_equal(tutti_arrival_parse("straggler/1ms/rank=1", &point.arrival, &error), TUTTI_OK);
  assert_float_equal(measure(&machine, &point), alone, 2 * TICK);
}

/* An order of start is drawn by the number of the launch: the same again, and not that of SMPI. */
TEST(test_orders)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  double times[4], least = INFINITY, most = 0;
  read_machine("grig_mx", &machine);
  tutti_measurement point = point_of("allreduce/two-tree", 16, 65536);
  for (int i = 0; i < 4; i++) {
    point.launch = i;
    times[i] = measure(&machine, &point);
    least = fmin(least, times[i]);
    most = fmax(most, times[i]);
    assert_true(measure(&machine, &point) == times[i]);
  }
  assert_true(least < 0.999 * most && most < 1.2 * least);
  /* One message goes its way in any order. */
  point = point_of("bcast/linear", 2, 1000);
  const double first = measure(&machine, &point);
  point.launch = 7;
  assert_true(measure(&machine, &point) == first);
}

/* Points that share a start have the times that they have alone: schemes, orders, delays and ranks in turn. */
TEST(test_shared_start)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  FREED_BY(tutti_start_free) struct engine_start start = {0};
  read_machine("cisco_infiniband", &machine);
  for (int i = 0; i < 48; i++) {
    tutti_measurement point = point_of(i % 5 ? "allreduce/ring" : "bcast/pipeline/1KB", i % 32 < 20 ? 30 : 17, 5000);
    point.scheme = i / 2 % 2 ? TUTTI_SCHEME_OCC : TUTTI_SCHEME_WINDOW;
    point.launch = i / 4 % 3;
    if (i / 8 % 2)
      point.arrival = (tutti_arrival){.kind = TUTTI_ARRIVAL_UNIFORM, .span = 50000, .seed = 3};
    const double alone = measure(&machine, &point);
    assert_true(alone > 0);
    assert_true(measure_from(&machine, &point, &start) == alone);
    assert_true(measure_from(&machine, &point, &start) == alone);
  }
}

static double measure_range(const struct engine_machine *machine, enum range_operation operation, const char *way,
                            int ranks, int uses)
{
  const struct engine_range_cost cost = {.range = 1e-3, .mpich = {.entry = 1e-3, .compare = 0}};
  struct range_point point = {.operation = operation, .count = uses > 0 ? 100 : 0, .uses = uses};
  FREED_BY(tutti_start_free) struct engine_start start = {0};
  double seconds = NAN;
  assert_int_equal(tutti_range_way_parse(way, &point, &error), TUTTI_OK);
  if (operation == RANGE_OVERLAPPING)
    point.order = ORDER_CASCADED;
  assert_ok(tutti_engine_measure_range(machine, &point, ranks, &cost, &start, &seconds, &error), error);
  return seconds;
}

/* What is charged, once for each group of a rank; a group of two on one broadcast has one message. */
TEST(test_ranges)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  read_machine("boba_gige", &machine);
  const struct net_link *cable = &machine.network.kinds[0].link;
  const double message = 2 * cable->latency + (8 * 100 + 16) / cable->bandwidth;
  assert_float_equal(measure_range(&machine, RANGE_CREATE, "ranges", 5, 0), 1e-3, 2 * TICK);
  assert_float_equal(measure_range(&machine, RANGE_OVERLAPPING, "ranges", 9, 0), 2e-3, 2 * TICK);
  assert_float_equal(measure_range(&machine, RANGE_SUBRANGE_BCAST, "ranges", 4, 1), 1e-3 + message, 2 * TICK);
  assert_float_equal(measure_range(&machine, RANGE_SUBRANGE_BCAST, "ranges", 4, 3), 1e-3 + 3 * message, 4 * TICK);
  /* The second group of 5 has three members; a table takes 1 ms an entry, and the agreement 3 messages. */
  const double made = measure_range(&machine, RANGE_CREATE, "create-group/mpich", 5, 0);
  assert_true(made > 3e-3 && made < 3e-3 + 4 * message);
}

TEST(test_ranges_refused)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  FREED_BY(tutti_start_free) struct engine_start start = {0};
  const struct engine_range_cost cost = {.range = 0};
  struct range_point point = {.operation = RANGE_CREATE};
  double seconds;
  read_machine("boba_gige", &machine);
  assert_int_equal(tutti_range_way_parse("split", &point, &error), TUTTI_OK);
  assert_fails(tutti_engine_measure_range(&machine, &point, 4, &cost, &start, &seconds, &error), TUTTI_ERR_UNSUPPORTED,
               error, "create by split: the engine runs schedules, not a library");
  assert_int_equal(tutti_range_way_parse("ranges", &point, &error), TUTTI_OK);
  assert_int_equal(tutti_engine_measure_range(&machine, &point, 1000000, &cost, &start, &seconds, &error),
                   TUTTI_ERR_ARGUMENT);
}

static void refuse(tutti_status status, const char *method, int ranks, const char *expected)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  FREED_BY(tutti_start_free) struct engine_start start = {0};
  double seconds;
  read_machine("cisco_infiniband", &machine);
  tutti_measurement point = point_of(method, ranks, 8);
  assert_int_equal(tutti_engine_measure(&machine, &point, NULL, &start, &seconds, &error), status);
  if (!strstr(error.message, expected))
    fail_msg("'%s' without '%s'", error.message, expected);
}

TEST(test_refused)
{
  refuse(TUTTI_ERR_ARGUMENT, "bcast/linear", 33, "33 ranks on 8 hosts with room for 4 each");
  refuse(TUTTI_ERR_UNSUPPORTED, "bcast/native", 4, "runs schedules, not a library");
  refuse(TUTTI_ERR_UNSUPPORTED, "allgather/neighbor-exchange", 5, "even");
}
