/* Foreign methods: what replaces them, by measurements, and what that costs. */
#include "unit/decision/libraries/target_fixture.h"

enum { RANKS = 2, SIZES = 4 };
static const int ranks_of[RANKS] = {4, 16};
static const uint64_t size_of[SIZES] = {1, 100, 10000, 1000000};

/* Seconds by ranks and size; 0: not measured. Open MPI has neither in-order-binomial nor linear/1KB. */
static const struct {
  const char *method;
  double seconds[RANKS][SIZES];
} times[] = {
    {"bcast/in-order-binomial", {{1, 1, 1, 5}, {1, 1, 9, 9}}}, {"bcast/linear/1KB", {{9, 9, 9, 1}, {9, 9, 9, 9}}},
    {"bcast/linear", {{1.1, 2, 3, 9}, {4, 4, 4, 4}}},          {"bcast/binomial", {{1.3, 1.2, 1.9, 2}, {2, 1.5, 3, 3}}},
    {"bcast/pipeline/1KB", {{5, 5, 5, 1.25}, {0, 0, 2, 1}}},
};
enum { METHODS = sizeof times / sizeof *times };

static tutti_decision_map make_map(void)
{
  tutti_measurement measurements[METHODS * RANKS * SIZES];
  tutti_decision_map map;
  size_t count = 0;
  memset(measurements, 0, sizeof measurements);
  for (int m = 0; m < METHODS; m++)
    for (int i = 0; i < RANKS; i++)
      for (int j = 0; j < SIZES; j++) {
        tutti_measurement *measurement = &measurements[count];
        double seconds = times[m].seconds[i][j];
        if (seconds == 0 || tutti_method_parse(times[m].method, &measurement->method, &error) != TUTTI_OK)
          continue;
        measurement->ranks = ranks_of[i];
        measurement->ranks_per_node = 1;
        measurement->count = measurement->rank_bytes = size_of[j];
        measurement->type_size = 1;
        measurement->minimum = measurement->median = measurement->mean = measurement->maximum = seconds;
        count++;
      }
  assert_ok(tutti_decision_map_create(measurements, count, &map, &error), error);
  return map;
}

static const char *name_at(const tutti_export_part *part, int ranks, uint64_t bytes)
{
  static char name[TUTTI_METHOD_LENGTH];
  int index = tutti_step_table_find(&part->table, ranks, bytes);
  return index < 0 ? "-" : tutti_method_format(&part->table.methods[index], name);
}

/* The best of each point; in one step the method that loses least over all its points. */
static const char best[] = "bcast/in-order-binomial bytes=..9999\n"
                           "bcast/in-order-binomial ranks=..9 bytes=..99999\n"
                           "bcast/linear/1KB ranks=..9\n"
                           "bcast/pipeline/1KB\n";

TEST(test_least_loss_stands)
{
  FREED_BY(tutti_decision_free) tutti_decision decision = fixture_rules(best);
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make_map();
  tutti_range range = tutti_range_of_map(&map);
  FREED_BY(tutti_export_part_free)
  tutti_export_part part = fixture_take("openmpi", &decision, TUTTI_COLL_BCAST, &range);
  /* 4 ranks, 1 B to 10000 B: linear 10 + 100 + 200, binomial 30 + 20 + 90. */
  assert_string_equal(name_at(&part, 4, 1), "bcast/binomial");
  assert_string_equal(name_at(&part, 4, 99999), "bcast/binomial");
  assert_string_equal(name_at(&part, 4, 100000), "bcast/pipeline/1KB");
  /* 16 ranks: the step up to 9999 B has two points, and 12 ranks are nearer to 16. */
  assert_string_equal(name_at(&part, 16, 100), "bcast/binomial");
  assert_string_equal(name_at(&part, 12, 9999), "bcast/binomial");
  assert_string_equal(name_at(&part, 12, 10000), "bcast/pipeline/1KB");
  /* Outside of the map nothing is claimed. */
  assert_string_equal(name_at(&part, 4, 0), "-");
  assert_string_equal(name_at(&part, 4, 1000001), "-");
  assert_string_equal(name_at(&part, 3, 1), "-");
  assert_string_equal(name_at(&part, 17, 1), "-");
  /* Two of eight points are as decided, those of the pipeline at 16 ranks. */
  assert_int_equal(part.points, 8);
  assert_int_equal(part.replaced, 6);
  assert_float_equal(part.before.mean, 0, 1e-4);
  assert_float_equal(part.after.mean, (30 + 20 + 90 + 25 + 100 + 50 + 0 + 0) / 8.0, 1e-4);
  assert_float_equal(part.after.max, 100, 1e-4);
}

TEST(test_extended)
{
  FREED_BY(tutti_decision_free) tutti_decision decision = fixture_rules(best);
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make_map();
  tutti_range range = tutti_range_of_map(&map);
  range.extend = true;
  FREED_BY(tutti_export_part_free)
  tutti_export_part part = fixture_take("openmpi", &decision, TUTTI_COLL_BCAST, &range);
  assert_string_equal(name_at(&part, 2, 0), "bcast/binomial");
  assert_string_equal(name_at(&part, 1000, 1 << 30), "bcast/pipeline/1KB");
}

/* What runs on two ranks only is never the answer for all larger communicators. */
TEST(test_extended_from_two)
{
  static const char *const names[] = {"allgather/two-process", "allgather/ring"};
  tutti_measurement measurements[2] = {{.ranks = 2}, {.ranks = 2}};
  FREED_BY(tutti_decision_free) tutti_decision decision = fixture_rules("allgather/two-process\n");
  FREED_BY(tutti_decision_map_free) tutti_decision_map map;
  for (int m = 0; m < 2; m++) {
    tutti_measurement *measurement = &measurements[m];
    assert_int_equal(tutti_method_parse(names[m], &measurement->method, &error), TUTTI_OK);
    measurement->ranks_per_node = 1;
    measurement->count = measurement->rank_bytes = measurement->type_size = 1;
    measurement->minimum = measurement->median = measurement->mean = measurement->maximum = 1 + m;
  }
  assert_int_equal(tutti_decision_map_create(measurements, 2, &map, &error), TUTTI_OK);
  tutti_range range = tutti_range_of_map(&map);
  range.extend = true;
  FREED_BY(tutti_export_part_free)
  tutti_export_part part = fixture_take("openmpi", &decision, TUTTI_COLL_ALLGATHER, &range);
  FREED_BY(free_memory) char *text = fixture_write("openmpi", &part, 1);
  assert_string_equal(name_at(&part, 2, 100), "allgather/two-process");
  assert_string_equal(name_at(&part, 3, 100), "allgather/bruck");
  assert_string_equal(name_at(&part, 1000, 100), "allgather/bruck");
  assert_non_null(strstr(text, "\n2  # ranks\n1\n0 6 0 0  # allgather/two-process\n"
                               "3  # ranks\n1\n0 2 0 0  # allgather/bruck\n"));
}

/* A method measured at fewer points of a step does not win by its absence. */
TEST(test_absence_is_no_gain)
{
  FREED_BY(tutti_decision_free) tutti_decision decision = fixture_rules("bcast/in-order-binomial\n");
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make_map();
  tutti_range range = tutti_range_of_map(&map);
  FREED_BY(tutti_export_part_free)
  tutti_export_part part = fixture_take("openmpi", &decision, TUTTI_COLL_BCAST, &range);
  /* 16 ranks: pipeline 0 + 0 at two points, binomial 100 + 50 + 50 + 200 at four. */
  assert_string_equal(name_at(&part, 16, 1000000), "bcast/binomial");
}

/* SMPI has one method for all: flattree is linear, binomial_tree is in-order-binomial. */
TEST(test_one_method_for_all)
{
  FREED_BY(tutti_decision_free) tutti_decision decision = fixture_rules(best);
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make_map();
  tutti_range range = tutti_range_of_map(&map);
  FREED_BY(tutti_export_part_free) tutti_export_part part = fixture_take("smpi", &decision, TUTTI_COLL_BCAST, &range);
  FREED_BY(free_memory) char *text = fixture_write("smpi", &part, 1);
  /* In-order-binomial 0 0 0 400, 0 0 350 800; linear 10 100 200 800, 300 300 100 300. */
  assert_string_equal(text, "--cfg=smpi/bcast:binomial_tree\n");
  assert_int_equal(part.points, 8);
  assert_int_equal(part.replaced, 3);
  assert_float_equal(part.after.mean, (400 + 350 + 800) / 8.0, 1e-4);
}

/* Nothing that was measured is known to the target. */
TEST(test_nothing_native)
{
  FREED_BY(tutti_decision_free) tutti_decision decision = fixture_rules("bcast/k-ary/k=3\n");
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make_map();
  tutti_range range = tutti_range_of_map(&map);
  tutti_export_part part;
  for (int m = 0; m < map.method_count; m++) /* all methods get parameters that Open MPI does not have */
    map.methods[m].parameters.outstanding = 3;
  assert_fails(
      tutti_export_part_create(fixture_target("openmpi"), &decision, TUTTI_COLL_BCAST, &range, NULL, 0, &part, REASON),
      TUTTI_ERR_ARGUMENT, error, "bcast/k-ary/k=3");
  assert_non_null(strstr(error.message, "no method was measured there"));
}
