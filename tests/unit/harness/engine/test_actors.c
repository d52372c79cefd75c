/* Builds of groups: a time that can be computed by hand, the groups that the transport within one process builds, and
   what is refused. */
#include "harness/engine/riders/measure.h"
#include "unit/harness/engine/machine.h"
#include "unit/patience.h"

static tutti_group_point point_of(const tutti_group_builder *builder, int ranks, double fraction)
{
  return (tutti_group_point){.builder = builder,
                             .sample = {.size = ranks, .fraction = fraction, .members = -1, .colors = 1, .seed = 5},
                             .branching = 3,
                             .node_ranks = 1};
}

static double measure(const struct engine_machine *machine, const tutti_group_point *point, tutti_group_counts *counts)
{
  FREED_BY(tutti_start_free) struct engine_start start = {0};
  double seconds;
  if (tutti_engine_measure_group(machine, point, &start, &seconds, counts, &error) != TUTTI_OK)
    fail_msg("%s: %s", tutti_group_builder_name(point->builder), error.message);
  return seconds;
}

/* Some ticks of the clock at the time when builds begin, 16,384 s. */
#define TICK 30e-12

/* Two processes send one message after the other. The group stands before the end is made known. */
TEST(test_two)
{
  enum { FINISH_BYTES = 20 };
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  tutti_group_counts counts;
  read_machine("boba_gige", &machine);
  const tutti_group_point point = point_of(tutti_group_builder_find("centralized", &error), 2, 1);
  const double seconds = measure(&machine, &point, &counts), latency = 2 * machine.network.kinds[0].link.latency;
  const uint64_t *sums = counts.sums;
  const uint64_t messages = sums[TUTTI_MESSAGE_START] + sums[TUTTI_MESSAGE_UPWARD] + sums[TUTTI_MESSAGE_DOWNWARD] +
                            sums[TUTTI_MESSAGE_REDUCTION];
  const uint64_t bytes = sums[TUTTI_GROUP_BYTES] - FINISH_BYTES * sums[TUTTI_MESSAGE_FINISH];
  assert_int_equal(messages, 4);
  assert_float_equal(seconds, 4 * latency + (double)(bytes + 16 * 4) / machine.network.kinds[0].link.bandwidth, TICK);

  /* The runtime charges both ends of each. */
  machine.actor_cost = (tutti_actor_cost){.start = 1e-3, .send = 1e-4, .receive = 1e-5, .byte = 1e-7};
  assert_float_equal(measure(&machine, &point, &counts) - seconds,
                     1e-3 + 4 * (1e-4 + 1e-5) + 2 * 1e-7 * (double)bytes + 1e-4 + 1e-7 * FINISH_BYTES, TICK);
}

/* Lists of candidates cost more than their bytes. */
TEST(test_entries)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  tutti_group_counts counts;
  read_machine("boba_gige", &machine);
  tutti_group_point point = point_of(tutti_group_builder_find("shrink-hash/child-as-filler", &error), 15, 0.5);
  const double seconds = measure(&machine, &point, &counts);
  machine.actor_cost.entry = 1e-3;
  const double with_entries = measure(&machine, &point, &counts);
  assert_true(with_entries > seconds + 1e-3);

  /* A child that fills a hole is found without going through candidates, a leaf is not. */
  machine.actor_cost = (tutti_actor_cost){.candidate = 1e-3};
  assert_float_equal(measure(&machine, &point, &counts), seconds, TICK);
  point.builder = tutti_group_builder_find("shrink-hash/leaf-as-filler", &error);
  assert_true(measure(&machine, &point, &counts) > seconds + 1e-3);
}

/* Kinds of messages whose number does not depend on the order in which they arrive. */
static void compare(const tutti_group_point *point, const tutti_group_counts *counts)
{
  static const int sums[] = {TUTTI_MESSAGE_START, TUTTI_MESSAGE_UPWARD,    TUTTI_MESSAGE_REDUCTION,
                             TUTTI_GROUP_MEMBERS, TUTTI_GROUP_FINGERPRINT, TUTTI_GROUP_GROUPS};
  tutti_group_counts expected;
  assert_int_equal(tutti_group_run_in_process(point, &expected, &error), TUTTI_OK);
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
    if (counts->sums[sums[i]] != expected.sums[sums[i]])
      fail_msg("%s: %s differs", tutti_group_builder_name(point->builder), tutti_group_sum_name(sums[i]));
  assert_int_equal(counts->maxima[TUTTI_GROUP_SIZE], expected.maxima[TUTTI_GROUP_SIZE]);
  assert_int_equal(counts->maxima[TUTTI_GROUP_LARGEST], expected.maxima[TUTTI_GROUP_LARGEST]);
}

/* With and without a limit of flows a link; lists of Centralized are announced before they are sent. */
TEST(test_all_builders)
{
  const tutti_group_builder *builder;
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  read_machine("bgp", &machine);
  for (int queued = 0; queued < 2; queued++) {
    machine.one_flow_a_link = queued;
    for (int b = 0; (builder = tutti_group_builder_at(b)); b++)
      for (int ranks = 1; ranks < UNLESS_WATCHED(700, 100); ranks = 5 * ranks + 2) {
        tutti_group_counts counts, again;
        const tutti_group_point point = point_of(builder, ranks, 0.7);
        const double seconds = measure(&machine, &point, &counts);
        compare(&point, &counts);
        assert_true(measure(&machine, &point, &again) == seconds);
        assert_memory_equal(&counts, &again, sizeof counts);
      }
  }
}

/* Without members it takes until the root knows. */
TEST(test_none)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  tutti_group_counts counts;
  read_machine("bgp", &machine);
  const tutti_group_point point = point_of(tutti_group_builder_at(0), 40, 0);
  assert_true(measure(&machine, &point, &counts) > 2 * machine.actor_cost.start);
  assert_int_equal(counts.sums[TUTTI_GROUP_MEMBERS], 0);
  assert_int_equal(counts.sums[TUTTI_GROUP_GROUPS], 0);
}

static void refuse(const struct engine_machine *machine, const tutti_group_point *point, tutti_status status,
                   const char *expected)
{
  struct engine_start start = {0};
  tutti_group_counts counts;
  double seconds;
  assert_int_equal(tutti_engine_measure_group(machine, point, &start, &seconds, &counts, &error), status);
  tutti_start_free(&start);
  if (!strstr(error.message, expected))
    fail_msg("'%s' without '%s'", error.message, expected);
}

TEST(test_refused)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  read_machine("cisco_infiniband", &machine);
  tutti_group_point point = point_of(tutti_group_builder_at(0), 33, 1);
  refuse(&machine, &point, TUTTI_ERR_ARGUMENT, "33 ranks on 8 hosts with room for 4 each");
  point.sample.size = 8;
  point.sample.colors = 2;
  refuse(&machine, &point, TUTTI_ERR_UNSUPPORTED, "several colours");
}
