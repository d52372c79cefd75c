/* Plans: what is missing, how it is cut, and the points file. */
#include <time.h>

#include "tutti/job.h"
#include "unit/test.h"

static int three_ranks[] = {2, 4, 8};
static uint64_t four_sizes[] = {1, 1024, 8192, 100000};
static uint64_t no_size[] = {0};

static tutti_method method_of(const char *text)
{
  tutti_method method;
  assert_int_equal(tutti_method_parse(text, &method, REASON), TUTTI_OK);
  return method;
}

static tutti_experiment experiment_of(tutti_sweep *sweeps, int count)
{
  return (tutti_experiment){.path = "test.xml",
                            .name = "test",
                            .flavor = "smpi",
                            .measure = {TUTTI_SCHEME_OCC, 3, 200, 0.05},
                            .sweep_count = count,
                            .sweeps = sweeps};
}

static tutti_sweep bcast_sweep(tutti_method *methods, int count)
{
  return (tutti_sweep){.collective = TUTTI_COLL_BCAST,
                       .ranks_count = 3,
                       .ranks = three_ranks,
                       .size_count = 4,
                       .sizes = four_sizes,
                       .method_count = count,
                       .methods = methods};
}

static tutti_plan plan_of(const tutti_experiment *experiment, size_t chunk, int jobs, const tutti_measurement *present,
                          size_t present_count)
{
  tutti_plan_options options = {.ranks_per_node = 1, .chunk_points = chunk, .jobs = jobs};
  tutti_plan plan;
  tutti_present there = {.rows = present, .row_count = present_count};
  assert_int_equal(tutti_plan_create(experiment, &options, &there, &plan, REASON), TUTTI_OK);
  return plan;
}

/* Every point of the plan is in exactly one chunk, of its own ranks, and no point is there twice. */
static void check_plan(const tutti_plan *plan)
{
  FREED_BY(free_memory) char *used = calloc(plan->point_count + 1, 1);
  double cost = 0;
  for (size_t c = 0; c < plan->chunk_count; c++) {
    const tutti_chunk *chunk = &plan->chunks[c];
    double chunk_cost = 0;
    assert_true(c == 0 || chunk->cost <= chunk[-1].cost);
    for (size_t i = chunk->first; i < chunk->first + chunk->count; i++) {
      assert_false(used[i]);
      used[i] = 1;
      assert_int_equal(plan->points[i].ranks, chunk->ranks);
      assert_true(i == chunk->first || plan->points[i].cost <= plan->points[i - 1].cost);
      chunk_cost += plan->points[i].cost;
    }
    assert_true(chunk_cost == chunk->cost);
    cost += chunk_cost;
  }
  assert_null(memchr(used, 0, plan->point_count));
  assert_true(cost == plan->cost);
}

TEST(test_all_points_are_planned)
{
  tutti_method methods[] = {method_of("bcast/linear"), method_of("bcast/binomial/8KB")};
  tutti_sweep sweep = bcast_sweep(methods, 2);
  tutti_experiment experiment = experiment_of(&sweep, 1);
  FREED_BY(tutti_plan_free) tutti_plan plan = plan_of(&experiment, 0, 1, NULL, 0);
  assert_int_equal(plan.point_count, 3 * 4 * 2);
  assert_int_equal(plan.chunk_count, 3);
  assert_int_equal(plan.chunks[0].ranks, 8);
  assert_int_equal(plan.present, 0);
  assert_int_equal(plan.outside, 0);
  /* 100000 bytes are 13 segments of 8 KiB: the costliest point of its chunk. */
  assert_int_equal(plan.points[plan.chunks[0].first].count, 100000);
  assert_true(plan.points[plan.chunks[0].first].cost == 8 * 13);
  check_plan(&plan);
}

TEST(test_repeated_points_are_planned_once)
{
  tutti_method methods[] = {method_of("bcast/linear"), method_of("bcast/binomial/8KB")};
  tutti_sweep sweeps[] = {bcast_sweep(methods, 2), bcast_sweep(&methods[1], 1)};
  tutti_experiment experiment = experiment_of(sweeps, 2);
  FREED_BY(tutti_plan_free) tutti_plan plan = plan_of(&experiment, 0, 1, NULL, 0);
  assert_int_equal(plan.point_count, 3 * 4 * 2);
  check_plan(&plan);
}

TEST(test_present_points_are_left_out)
{
  tutti_method methods[] = {method_of("bcast/linear"), method_of("bcast/binomial/8KB")};
  tutti_sweep sweep = bcast_sweep(methods, 2);
  tutti_experiment experiment = experiment_of(&sweep, 1);
  tutti_measurement there = {.method = methods[1], .ranks = 4, .ranks_per_node = 1, .count = 8192, .type_size = 1};
  tutti_measurement present[] = {there, there, there, there, there};
  present[1].scheme = TUTTI_SCHEME_WINDOW; /* these four are other points */
  present[2].ranks_per_node = 2;
  present[3].root = 1;
  present[4].type_size = 4;
  FREED_BY(tutti_plan_free) tutti_plan plan = plan_of(&experiment, 0, 1, present, 5);
  assert_int_equal(plan.present, 1);
  assert_int_equal(plan.point_count, 3 * 4 * 2 - 1);
  for (size_t i = 0; i < plan.point_count; i++)
    assert_false(plan.points[i].ranks == 4 && plan.points[i].count == 8192 &&
                 tutti_method_compare(&plan.points[i].method, &methods[1]) == 0);
  check_plan(&plan);
}

/* By the fast engine a point is measured in several orders, of which those that are there are left out. */
TEST(test_orders)
{
  tutti_method linear = method_of("bcast/linear");
  tutti_sweep sweep = bcast_sweep(&linear, 1);
  tutti_experiment experiment = experiment_of(&sweep, 1);
  const tutti_measurement present[] = {
      {.method = linear, .ranks = 2, .ranks_per_node = 1, .count = 1, .type_size = 1},
      {.method = linear, .ranks = 2, .ranks_per_node = 1, .count = 1, .type_size = 1, .launch = 2}};
  experiment.platform_path = "grig.xml";
  experiment.measure.orders = 3;
  tutti_plan plan = plan_of(&experiment, 5, 2, present, 2);
  assert_int_equal(plan.point_count, 12 - 1);
  tutti_plan_free(&plan);
  experiment.flavor = "fast";
  plan = plan_of(&experiment, 5, 2, present, 2);
  assert_int_equal(plan.point_count, 36 - 2);
  check_plan(&plan);
  tutti_plan_free(&plan);
}

TEST(test_nothing_missing)
{
  tutti_method methods[] = {method_of("bcast/linear")};
  tutti_sweep sweep = bcast_sweep(methods, 1);
  sweep.ranks_count = sweep.size_count = 1;
  tutti_experiment experiment = experiment_of(&sweep, 1);
  tutti_measurement there = {.method = methods[0], .ranks = 2, .ranks_per_node = 1, .count = 1, .type_size = 1};
  FREED_BY(tutti_plan_free) tutti_plan plan = plan_of(&experiment, 0, 4, &there, 1);
  assert_int_equal(plan.point_count, 0);
  assert_int_equal(plan.chunk_count, 0);
  assert_int_equal(plan.present, 1);
}

TEST(test_domains_are_respected)
{
  int ranks[] = {2, 3, 4, 5, 6, 7, 8};
  tutti_method methods[] = {method_of("barrier/recursive-doubling"), method_of("barrier/bruck")};
  tutti_algorithm narrow = *methods[0].algorithm;
  narrow.domain = TUTTI_NEEDS_POWER_OF_TWO;
  methods[0].algorithm = &narrow;
  tutti_sweep sweep = {.collective = TUTTI_COLL_BARRIER,
                       .ranks_count = 7,
                       .ranks = ranks,
                       .size_count = 1,
                       .sizes = no_size,
                       .method_count = 2,
                       .methods = methods};
  tutti_experiment experiment = experiment_of(&sweep, 1);
  FREED_BY(tutti_plan_free) tutti_plan plan = plan_of(&experiment, 0, 1, NULL, 0);
  assert_int_equal(plan.outside, 4);
  assert_int_equal(plan.point_count, 14 - 4);
  for (size_t i = 0; i < plan.point_count; i++)
    assert_true(plan.points[i].method.algorithm != &narrow || (plan.points[i].ranks & (plan.points[i].ranks - 1)) == 0);
  check_plan(&plan);
}

/* A method of a sweep and one that a decision picks; sides of its own are kept. */
TEST(test_sides_come_from_the_torus)
{
  uint64_t size[] = {8};
  tutti_method methods[] = {method_of("bcast/torus-trees"), method_of("bcast/torus-trees/torus=8")};
  tutti_pick pick = {.ranks = 4, .size = 9, .method = methods[0]};
  static const char *const expected[] = {"bcast/torus-trees/torus=2", "bcast/torus-trees/torus=2x2",
                                         "bcast/torus-trees/torus=8"};
  tutti_sweep sweep = bcast_sweep(methods, 2);
  sweep.size_count = 1;
  sweep.sizes = size;
  sweep.picks = &pick;
  sweep.pick_count = 1;
  sweep.places = (tutti_places){.ranks_per_host = 1, .torus = tutti_sides_pack((const int[]){2, 3}, 2)};
  tutti_experiment experiment = experiment_of(&sweep, 1);
  FREED_BY(tutti_plan_free) tutti_plan plan = plan_of(&experiment, 0, 1, NULL, 0);
  assert_int_equal(plan.outside, 3); /* on 8 ranks, and of torus=8 on 2 and 4 */
  assert_int_equal(plan.point_count, 4);
  for (size_t i = 0; i < plan.point_count; i++) {
    const tutti_method wanted = method_of(expected[plan.points[i].ranks / 4]);
    assert_int_equal(tutti_method_compare(&plan.points[i].method, &wanted), 0);
  }
}

/* What needs a power of two, an even number of ranks, or two, and what knows nodes only if told. */
TEST(test_domains_of_the_catalogue)
{
  int ranks[] = {2, 3, 4, 6};
  uint64_t size[] = {8};
  tutti_method methods[] = {method_of("allgather/recursive-doubling"), method_of("allgather/neighbor-exchange"),
                            method_of("allgather/two-process"), method_of("allgather/two-level"),
                            method_of("allgather/two-level/ranks_per_node=2")};
  static const size_t served[] = {2, 3, 1, 0, 4};
  for (size_t i = 0; i < 5; i++) {
    tutti_sweep sweep = {.collective = TUTTI_COLL_ALLGATHER,
                         .ranks_count = 4,
                         .ranks = ranks,
                         .size_count = 1,
                         .sizes = size,
                         .method_count = 1,
                         .methods = &methods[i]};
    tutti_experiment experiment = experiment_of(&sweep, 1);
    tutti_plan plan = plan_of(&experiment, 0, 1, NULL, 0);
    assert_int_equal(plan.point_count, served[i]);
    assert_int_equal(plan.outside, 4 - served[i]);
    for (size_t p = 0; p < plan.point_count; p++) /* all ranks send to all */
      assert_true(plan.points[p].cost == plan.points[p].ranks * plan.points[p].ranks);
    check_plan(&plan);
    tutti_plan_free(&plan);
  }
}

TEST(test_impossible_root_is_an_error)
{
  tutti_method methods[] = {method_of("bcast/linear")};
  tutti_sweep sweep = bcast_sweep(methods, 1);
  sweep.root = 3;
  tutti_experiment experiment = experiment_of(&sweep, 1);
  tutti_plan_options options = {.ranks_per_node = 1};
  const tutti_present nothing = {.row_count = 0};
  tutti_plan plan;
  assert_fails(tutti_plan_create(&experiment, &options, &nothing, &plan, REASON), TUTTI_ERR_ARGUMENT, error,
               "test.xml");
  assert_non_null(strstr(error.message, "bcast/linear"));
  assert_non_null(strstr(error.message, "2 ranks"));
}

TEST(test_chunks_are_bounded_and_even)
{
  tutti_method methods[] = {method_of("bcast/linear/1KB"), method_of("bcast/binomial/1KB"),
                            method_of("bcast/binary/1KB")};
  tutti_sweep sweep = bcast_sweep(methods, 3);
  tutti_experiment experiment = experiment_of(&sweep, 1);
  for (size_t limit = 1; limit < 15; limit++) {
    tutti_plan plan = plan_of(&experiment, limit, 1, NULL, 0);
    assert_int_equal(plan.chunk_count, 3 * ((12 + limit - 1) / limit));
    for (size_t i = 0; i < plan.chunk_count; i++)
      assert_true(plan.chunks[i].count <= limit);
    check_plan(&plan);
    tutti_plan_free(&plan);
  }
}

TEST(test_small_plan_keeps_jobs_busy)
{
  tutti_method methods[] = {method_of("bcast/linear"), method_of("bcast/binomial/8KB")};
  tutti_sweep sweep = bcast_sweep(methods, 2);
  sweep.ranks_count = 1;
  tutti_experiment experiment = experiment_of(&sweep, 1);
  FREED_BY(tutti_plan_free) tutti_plan plan = plan_of(&experiment, 0, 4, NULL, 0);
  assert_int_equal(plan.chunk_count, 4);
  check_plan(&plan);
}

/* What a library is told depends on its version, which options name. */
TEST(test_directives_of_versions)
{
  tutti_method method = method_of("barrier/bruck@mpich");
  tutti_sweep sweep = {.collective = TUTTI_COLL_BARRIER,
                       .ranks_count = 1,
                       .ranks = three_ranks,
                       .size_count = 1,
                       .sizes = no_size,
                       .method_count = 1,
                       .methods = &method};
  tutti_experiment experiment = experiment_of(&sweep, 1);
  experiment.flavor = "mpich";
  const char *const told[][2] = {{"MPICH-4.0.2", "dissemination"}, {"MPICH-4.2.1", "k_dissemination"}};
  for (int i = 0; i < 2; i++) {
    const tutti_plan_options options = {.library = told[i][0]};
    const tutti_present nothing = {.row_count = 0};
    tutti_plan plan;
    assert_int_equal(tutti_plan_create(&experiment, &options, &nothing, &plan, NULL), TUTTI_OK);
    assert_int_equal(plan.chunk_count, 1);
    assert_string_equal(plan.chunks[0].directives.items[0].value, told[i][1]);
    tutti_plan_free(&plan);
  }
}

TEST(test_points_file)
{
  tutti_method methods[] = {method_of("bcast/binomial/8KB")};
  tutti_sweep sweep = bcast_sweep(methods, 1);
  sweep.root = 1;
  sweep.size_count = 2;
  tutti_experiment experiment = experiment_of(&sweep, 1);
  FREED_BY(tutti_plan_free) tutti_plan plan = plan_of(&experiment, 0, 1, NULL, 0);
  FREED_BY(free_memory) char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  assert_int_equal(tutti_plan_write_points(&plan, &plan.chunks[2], stream, NULL), TUTTI_OK);
  fclose(stream);
  assert_string_equal(text,
                      "tutti-points v=1 scheme=occ warmup=3 repetitions_max=200 confidence=0.05 ranks_per_node=1\n"
                      "bcast/binomial/8KB root=1 count=1 type_B=1\n"
                      "bcast/binomial/8KB root=1 count=1024 type_B=1\n");
}

TEST(test_points_file_on_a_full_disk)
{
  tutti_method methods[] = {method_of("bcast/linear")};
  tutti_sweep sweep = bcast_sweep(methods, 1);
  tutti_experiment experiment = experiment_of(&sweep, 1);
  FREED_BY(tutti_plan_free) tutti_plan plan = plan_of(&experiment, 0, 1, NULL, 0);
  FREED_BY(close_stream) FILE *stream = fopen("/dev/full", "w");
  assert_non_null(stream);
  setvbuf(stream, NULL, _IONBF, 0);
  assert_int_equal(tutti_plan_write_points(&plan, &plan.chunks[0], stream, REASON), TUTTI_ERR_IO);
}

/* The sweep of the dissertation: 27 sizes of communicators, 52 message sizes, 24 methods, half of them there. */
TEST(test_large_plan_takes_less_than_a_second)
{
  enum { RANKS = 27, SIZES = 52, METHODS = 24, POINTS = RANKS * SIZES * METHODS };
  int ranks[RANKS];
  uint64_t sizes[SIZES];
  tutti_method methods[METHODS];
  for (int i = 0; i < RANKS; i++)
    ranks[i] = i + 2;
  for (int i = 0; i < SIZES; i++)
    sizes[i] = (uint64_t)i * 1000 + 1;
  for (int i = 0; i < METHODS; i++) {
    methods[i] = method_of("bcast/binomial");
    methods[i].parameters.segment_bytes = (uint64_t)i * 1024;
  }
  tutti_sweep sweep = {.collective = TUTTI_COLL_BCAST,
                       .ranks_count = RANKS,
                       .ranks = ranks,
                       .size_count = SIZES,
                       .sizes = sizes,
                       .method_count = METHODS,
                       .methods = methods};
  tutti_experiment experiment = experiment_of(&sweep, 1);
  clock_t started = clock();
  FREED_BY(tutti_plan_free) tutti_plan all = plan_of(&experiment, 0, 2, NULL, 0);
  assert_int_equal(all.point_count, POINTS);
  FREED_BY(free_memory) tutti_measurement *present = calloc(POINTS / 2, sizeof *present);
  for (size_t i = 0; i < POINTS / 2; i++)
    present[i] = (tutti_measurement){.method = all.points[2 * i].method,
                                     .ranks = all.points[2 * i].ranks,
                                     .ranks_per_node = 1,
                                     .count = all.points[2 * i].count,
                                     .type_size = 1};
  FREED_BY(tutti_plan_free) tutti_plan rest = plan_of(&experiment, 0, 2, present, POINTS / 2);
  double seconds = (double)(clock() - started) / CLOCKS_PER_SEC;
  assert_int_equal(rest.point_count, POINTS - POINTS / 2);
  assert_int_equal(rest.present, POINTS / 2);
  check_plan(&rest);
  assert_true(seconds < 1.0);
}
