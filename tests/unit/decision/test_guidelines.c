/* Guidelines: each of them held, and violated, by times made for it alone, with the sizes converted by hand; why checks
 * cannot be made; what violations cost. */
#include "tutti/guideline.h"

#include "unit/decision/map_fixture.h"

static void add(tutti_guideline_times *times, tutti_collective collective, int ranks, uint64_t bytes, double seconds)
{
  tutti_guideline_time time = {
      .collective = collective, .ranks = ranks, .ranks_per_node = 1, .rank_bytes = bytes, .seconds = seconds};
  time.method.algorithm = tutti_algorithm_find(collective, "native");
  tutti_guideline_times_add(times, &time);
}

static void check(tutti_guideline_times *times, double tolerance, tutti_guideline_report *report)
{
  assert_ok(tutti_guidelines_check(times, 0, tolerance, report, REASON), error);
}

static size_t index_of(const char *formula)
{
  char text[TUTTI_GUIDELINE_LENGTH];
  for (size_t i = 0; i < tutti_guideline_count(); i++)
    if (strcmp(tutti_guideline_format(tutti_guideline_at(i), TUTTI_COLL_COUNT, text), formula) == 0)
      return i;
  fail_msg("no guideline is '%s'", formula);
  return 0;
}

struct call {
  double times;
  tutti_collective collective;
  int ranks;
  uint64_t bytes;
};

struct example {
  const char *formula;
  struct call left, right[TUTTI_GUIDELINE_TERMS];
};

#define CALL(times, collective, ranks, bytes)                                                                          \
  {                                                                                                                    \
    times, TUTTI_COLL_##collective, ranks, bytes                                                                       \
  }

static const struct example examples[] = {
    {"bcast(m) <= scatter(m/P) + allgather(m/P)",
     CALL(1, BCAST, 8, 64),
     {CALL(1, SCATTER, 8, 8), CALL(1, ALLGATHER, 8, 8)}},
    {"bcast(m) <= scatterv(m/P) + allgatherv(m/P)",
     CALL(1, BCAST, 5, 60),
     {CALL(1, SCATTERV, 5, 12), CALL(1, ALLGATHERV, 5, 12)}},
    {"barrier <= allreduce(least size)", CALL(1, BARRIER, 8, 0), {CALL(1, ALLREDUCE, 8, 4)}},
    {"scatter(m) <= bcast(P m)", CALL(1, SCATTER, 8, 8), {CALL(1, BCAST, 8, 64)}},
    {"scatter(m) <= scatterv(m)", CALL(1, SCATTER, 8, 8), {CALL(1, SCATTERV, 8, 8)}},
    {"scatterv(m) <= bcast(P m)", CALL(1, SCATTERV, 6, 8), {CALL(1, BCAST, 6, 48)}},
    {"gather(m) <= allgather(m)", CALL(1, GATHER, 8, 8), {CALL(1, ALLGATHER, 8, 8)}},
    {"gather(m) <= reduce(P m)", CALL(1, GATHER, 3, 8), {CALL(1, REDUCE, 3, 24)}},
    {"gather(m) <= gatherv(m)", CALL(1, GATHER, 8, 8), {CALL(1, GATHERV, 8, 8)}},
    {"gatherv(m) <= allgatherv(m)", CALL(1, GATHERV, 8, 8), {CALL(1, ALLGATHERV, 8, 8)}},
    {"allgather(m) <= gather(m) + bcast(P m)",
     CALL(1, ALLGATHER, 8, 8),
     {CALL(1, GATHER, 8, 8), CALL(1, BCAST, 8, 64)}},
    {"allgather(m) <= allreduce(P m)", CALL(1, ALLGATHER, 8, 8), {CALL(1, ALLREDUCE, 8, 64)}},
    {"allgather(m) <= alltoall(m)", CALL(1, ALLGATHER, 8, 8), {CALL(1, ALLTOALL, 8, 8)}},
    {"allgather(m) <= allgatherv(m)", CALL(1, ALLGATHER, 8, 8), {CALL(1, ALLGATHERV, 8, 8)}},
    {"allgatherv(m) <= gatherv(m) + bcast(P m)",
     CALL(1, ALLGATHERV, 8, 8),
     {CALL(1, GATHERV, 8, 8), CALL(1, BCAST, 8, 64)}},
    {"allgatherv(m) <= allgather(m)", CALL(1, ALLGATHERV, 8, 8), {CALL(1, ALLGATHER, 8, 8)}},
    {"alltoall(m) <= alltoallv(m)", CALL(1, ALLTOALL, 8, 8), {CALL(1, ALLTOALLV, 8, 8)}},
    {"alltoallv(m) <= alltoallw(m)", CALL(1, ALLTOALLV, 8, 8), {CALL(1, ALLTOALLW, 8, 8)}},
    {"reduce(m) <= allreduce(m)", CALL(1, REDUCE, 8, 8), {CALL(1, ALLREDUCE, 8, 8)}},
    {"reduce(m) <= reduce_scatter_block(m/P) + gather(m/P)",
     CALL(1, REDUCE, 8, 64),
     {CALL(1, REDUCE_SCATTER_BLOCK, 8, 8), CALL(1, GATHER, 8, 8)}},
    {"reduce(m) <= reduce_scatter(m/P) + gatherv(m/P)",
     CALL(1, REDUCE, 8, 64),
     {CALL(1, REDUCE_SCATTER, 8, 8), CALL(1, GATHERV, 8, 8)}},
    {"allreduce(m) <= reduce(m) + bcast(m)", CALL(1, ALLREDUCE, 7, 8), {CALL(1, REDUCE, 7, 8), CALL(1, BCAST, 7, 8)}},
    {"allreduce(m) <= reduce_scatter_block(m/P) + allgather(m/P)",
     CALL(1, ALLREDUCE, 8, 64),
     {CALL(1, REDUCE_SCATTER_BLOCK, 8, 8), CALL(1, ALLGATHER, 8, 8)}},
    {"allreduce(m) <= reduce_scatter(m/P) + allgatherv(m/P)",
     CALL(1, ALLREDUCE, 8, 64),
     {CALL(1, REDUCE_SCATTER, 8, 8), CALL(1, ALLGATHERV, 8, 8)}},
    {"reduce_scatter_block(m) <= reduce(P m) + scatter(m)",
     CALL(1, REDUCE_SCATTER_BLOCK, 8, 8),
     {CALL(1, REDUCE, 8, 64), CALL(1, SCATTER, 8, 8)}},
    {"reduce_scatter_block(m) <= allreduce(P m)", CALL(1, REDUCE_SCATTER_BLOCK, 8, 8), {CALL(1, ALLREDUCE, 8, 64)}},
    {"reduce_scatter_block(m) <= reduce_scatter(m)",
     CALL(1, REDUCE_SCATTER_BLOCK, 8, 8),
     {CALL(1, REDUCE_SCATTER, 8, 8)}},
    {"reduce_scatter(m) <= reduce(P m) + scatterv(m)",
     CALL(1, REDUCE_SCATTER, 8, 8),
     {CALL(1, REDUCE, 8, 64), CALL(1, SCATTERV, 8, 8)}},
    {"reduce_scatter(m) <= allreduce(P m)", CALL(1, REDUCE_SCATTER, 8, 8), {CALL(1, ALLREDUCE, 8, 64)}},
    {"reduce_scatter(m) <= reduce_scatter_block(m)",
     CALL(1, REDUCE_SCATTER, 8, 8),
     {CALL(1, REDUCE_SCATTER_BLOCK, 8, 8)}},
    {"scan(P, m) <= exscan(P, m) + reduce(2, m)", CALL(1, SCAN, 8, 8), {CALL(1, EXSCAN, 8, 8), CALL(1, REDUCE, 2, 8)}},
    {"exscan(P, m) <= scan(P, m) + bcast(2, m)", CALL(1, EXSCAN, 8, 8), {CALL(1, SCAN, 8, 8), CALL(1, BCAST, 2, 8)}},
    {"bcast(P, m) <= bcast(P-1, m) + bcast(2, m)", CALL(1, BCAST, 8, 8), {CALL(1, BCAST, 7, 8), CALL(1, BCAST, 2, 8)}},
    {"barrier(P) <= barrier(P-1) + 2 barrier(2)",
     CALL(1, BARRIER, 8, 0),
     {CALL(1, BARRIER, 7, 0), CALL(2, BARRIER, 2, 0)}},
    {"scatter(P, m) <= scatter(P-1, m) + scatter(2, m)",
     CALL(1, SCATTER, 8, 8),
     {CALL(1, SCATTER, 7, 8), CALL(1, SCATTER, 2, 8)}},
    {"gather(P, m) <= gather(P-1, m) + gather(2, m)",
     CALL(1, GATHER, 8, 8),
     {CALL(1, GATHER, 7, 8), CALL(1, GATHER, 2, 8)}},
    {"reduce(P, m) <= reduce(P-1, m) + reduce(2, m)",
     CALL(1, REDUCE, 8, 8),
     {CALL(1, REDUCE, 7, 8), CALL(1, REDUCE, 2, 8)}},
    {"allreduce(P, m) <= reduce(2, m) + allreduce(P-1, m) + bcast(2, m)",
     CALL(1, ALLREDUCE, 8, 8),
     {CALL(1, REDUCE, 2, 8), CALL(1, ALLREDUCE, 7, 8), CALL(1, BCAST, 2, 8)}},
    {"allgather(P, m) <= allgather(P-1, m) + bcast(P, m) + bcast(2, (P-1) m)",
     CALL(1, ALLGATHER, 8, 8),
     {CALL(1, ALLGATHER, 7, 8), CALL(1, BCAST, 8, 8), CALL(1, BCAST, 2, 56)}},
    {"alltoall(P, m) <= alltoall(P-1, m) + scatter(P, m) + gather(P, m)",
     CALL(1, ALLTOALL, 8, 8),
     {CALL(1, ALLTOALL, 7, 8), CALL(1, SCATTER, 8, 8), CALL(1, GATHER, 8, 8)}},
    {"scan(P, m) <= scan(P-1, m) + scan(2, m)", CALL(1, SCAN, 8, 8), {CALL(1, SCAN, 7, 8), CALL(1, SCAN, 2, 8)}},
    {"any(m) <= 2 any(m/2)", CALL(1, ALLTOALLW, 8, 10), {CALL(2, ALLTOALLW, 8, 5)}},
    {"any(m) <= any(m' > m)", CALL(1, EXSCAN, 8, 10), {CALL(1, EXSCAN, 8, 11)}},
    {"any(P, m) <= any(P' > P, m)", CALL(1, REDUCE, 8, 10), {CALL(1, REDUCE, 13, 10)}},
    {"any(P, m) <= (1+2/k) any(2^k beside P, m)", CALL(1, GATHERV, 9, 10), {CALL(1 + 2. / 3, GATHERV, 8, 10)}},
};

enum { EXAMPLES = sizeof examples / sizeof *examples };

/* Right sides that differ from each other, and the left side as their sum times @p factor; returns the sum. */
static double fill(const struct example *example, double factor, tutti_guideline_times *times)
{
  double sum = 0;
  for (int i = 0; i < TUTTI_GUIDELINE_TERMS && example->right[i].times > 0; i++) {
    const struct call *call = &example->right[i];
    add(times, call->collective, call->ranks, call->bytes, 1e-6 * (i + 2));
    sum += call->times * 1e-6 * (i + 2);
  }
  add(times, example->left.collective, example->left.ranks, example->left.bytes, factor * sum);
  return sum;
}

/* The violation of a guideline; NULL if there is none. */
static const tutti_violation *violation_of(const tutti_guideline_report *report, size_t guideline)
{
  for (size_t i = 0; i < report->violation_count; i++)
    if (report->violations[i].guideline == tutti_guideline_at(guideline))
      return &report->violations[i];
  return NULL;
}

static void assert_points(const struct example *example, const tutti_violation *violation)
{
  assert_int_equal(violation->left.collective, example->left.collective);
  assert_int_equal(violation->left.ranks, example->left.ranks);
  for (int i = 0; i < TUTTI_GUIDELINE_TERMS && example->right[i].times > 0; i++) {
    assert_int_equal(violation->right[i].collective, example->right[i].collective);
    assert_int_equal(violation->right[i].ranks, example->right[i].ranks);
    assert_int_equal(violation->right[i].rank_bytes, example->right[i].bytes);
  }
}

TEST(test_each_is_caught_and_held)
{
  bool seen[256] = {false};
  for (int i = 0; i < EXAMPLES; i++) {
    tutti_guideline_times held = {0}, slow = {0};
    tutti_guideline_report report;
    size_t guideline = index_of(examples[i].formula);
    seen[guideline] = true;
    fill(&examples[i], 1.04, &held);
    check(&held, 0.05, &report);
    assert_true(report.tallies[guideline].checked >= 1);
    assert_null(violation_of(&report, guideline));
    tutti_guideline_report_free(&report);
    double sum = fill(&examples[i], 1.06, &slow);
    check(&slow, 0.05, &report);
    const tutti_violation *violation = violation_of(&report, guideline);
    if (!violation)
      fail_msg("not caught: %s", examples[i].formula);
    assert_points(&examples[i], violation);
    assert_true(fabs(violation->seconds - sum) < 1e-15 && fabs(violation->lost - 0.06 * sum) < 1e-15);
    tutti_guideline_report_free(&report);
    tutti_guideline_times_free(&held);
    tutti_guideline_times_free(&slow);
  }
  for (size_t i = 0; i < tutti_guideline_count(); i++)
    assert_true(seen[i]);
}

/* Beside powers of two: 2^k - 1 and 2^k + 1 look at 2^k, which looks at 2^k - 1; nothing is said of 6, or of 2. */
TEST(test_cliffs)
{
  static const int ranks[] = {2, 3, 4, 5, 6, 7, 8, 9}, at[] = {0, 4, 3, 4, 0, 8, 7, 8};
  for (int i = 0; i < 8; i++) {
    tutti_guideline_times times = {0};
    tutti_guideline_report report;
    for (int j = 0; j < 8; j++)
      add(&times, TUTTI_COLL_SCAN, ranks[j], 0, i == j ? 4e-6 : 1e-6);
    check(&times, 0, &report);
    const tutti_violation *found = violation_of(&report, index_of("any(P, m) <= (1+2/k) any(2^k beside P, m)"));
    assert_int_equal(found ? found->right[0].ranks : 0, at[i]);
    assert_true(!found || found->left.ranks == ranks[i]);
    tutti_guideline_report_free(&report);
    tutti_guideline_times_free(&times);
  }
}

/* Sides that differ by less than their noise do not violate a guideline. */
TEST(test_noise)
{
  for (int noisy = 0; noisy < 2; noisy++) {
    tutti_guideline_times times = {0};
    tutti_guideline_report report;
    add(&times, TUTTI_COLL_ALLREDUCE, 8, 8, 10e-6);
    add(&times, TUTTI_COLL_REDUCE, 8, 8, 5e-6);
    add(&times, TUTTI_COLL_BCAST, 8, 8, 4e-6);
    times.items[0].noise = 0.4e-6;
    times.items[1].noise = times.items[2].noise = noisy ? 0.31e-6 : 0.29e-6;
    check(&times, 0, &report);
    assert_true(noisy == !violation_of(&report, index_of("allreduce(m) <= reduce(m) + bcast(m)")));
    tutti_guideline_report_free(&report);
    tutti_guideline_times_free(&times);
  }
}

/* ---- what cannot be checked ---- */

TEST(test_gaps)
{
  FREED_BY(tutti_guideline_times_free) tutti_guideline_times times = {0};
  FREED_BY(tutti_guideline_report_free) tutti_guideline_report report;
  size_t halves = index_of("any(m) <= 2 any(m/2)"), cut = index_of("bcast(m) <= scatter(m/P) + allgather(m/P)");
  add(&times, TUTTI_COLL_BCAST, 8, 63, 1);
  add(&times, TUTTI_COLL_BCAST, 8, 64, 1);
  add(&times, TUTTI_COLL_BCAST, 8, 128, -1);
  add(&times, TUTTI_COLL_SCATTER, 8, 8, 1);
  check(&times, 0.05, &report);
  assert_int_equal(report.violation_count, 0);
  assert_int_equal(report.tallies[cut].checked, 0);
  assert_int_equal(report.tallies[cut].gaps[TUTTI_GAP_DIVISIBLE], 1); /* 63 */
  assert_int_equal(report.tallies[cut].gaps[TUTTI_GAP_MEASURED], 2);  /* 64: no allgather; 128: no scatter of 16 */
  assert_int_equal(report.tallies[cut].lacking, 1u << TUTTI_COLL_ALLGATHER);
  assert_int_equal(report.tallies[halves].gaps[TUTTI_GAP_DIVISIBLE], 1); /* 63 */
  assert_int_equal(report.tallies[halves].gaps[TUTTI_GAP_MEASURED], 2);  /* 32 and, of the scatter, 4 */
  assert_int_equal(report.tallies[halves].gaps[TUTTI_GAP_POSITIVE], 1);  /* 128 */
  assert_int_equal(report.points, 4);
}

/* On one node each, or spread alike. */
TEST(test_other_nodes)
{
  FREED_BY(tutti_guideline_times_free) tutti_guideline_times times = {0};
  tutti_guideline_report report;
  size_t reduced = index_of("reduce(m) <= allreduce(m)"), more = index_of("any(P, m) <= any(P' > P, m)");
  add(&times, TUTTI_COLL_REDUCE, 8, 8, 2);
  add(&times, TUTTI_COLL_ALLREDUCE, 8, 8, 1);
  add(&times, TUTTI_COLL_REDUCE, 16, 8, 1);
  times.items[1].ranks_per_node = 8;
  check(&times, 0.05, &report);
  assert_int_equal(report.tallies[reduced].gaps[TUTTI_GAP_NODES], 1);
  assert_int_equal(report.tallies[more].violated, 1);
  tutti_guideline_report_free(&report);
  for (size_t i = 0; i < times.count; i++)
    times.items[i].ranks_per_node = times.items[i].ranks;
  check(&times, 0.05, &report);
  assert_int_equal(report.tallies[reduced].violated, 1);
  assert_int_equal(report.tallies[more].violated, 1);
  tutti_guideline_report_free(&report);
}

TEST(test_sizes_too_large)
{
  FREED_BY(tutti_guideline_times_free) tutti_guideline_times times = {0};
  FREED_BY(tutti_guideline_report_free) tutti_guideline_report report;
  add(&times, TUTTI_COLL_SCATTER, 8, UINT64_MAX / 4, 1);
  check(&times, 0.05, &report);
  assert_int_equal(report.tallies[index_of("scatter(m) <= bcast(P m)")].gaps[TUTTI_GAP_DIVISIBLE], 1);
}

/* One point that violates two guidelines counts once, by the costlier; the list is sorted by cost. What cannot be run
 * in place of the left side is listed, but not counted as lost. */
TEST(test_totals)
{
  FREED_BY(tutti_guideline_times_free) tutti_guideline_times times = {0};
  tutti_guideline_report report;
  add(&times, TUTTI_COLL_REDUCE, 8, 8, 10);
  add(&times, TUTTI_COLL_REDUCE, 8, 9, 4);
  add(&times, TUTTI_COLL_ALLREDUCE, 8, 8, 3);
  add(&times, TUTTI_COLL_ALLREDUCE, 8, 9, 2);
  check(&times, 0.05, &report);
  assert_int_equal(report.violation_count, 4);
  static const double lost[] = {7, 6, 2, 1};
  for (int i = 0; i < 4; i++)
    assert_true(report.violations[i].lost == lost[i]);
  assert_int_equal(report.points, 4);
  assert_int_equal(report.points_violating, 3);
  assert_true(report.lost == 7 + 2 + 1);
  tutti_guideline_report_free(&report);
  assert_int_equal(tutti_guidelines_check(&times, 1u << TUTTI_COLL_ALLREDUCE, 0, &report, REASON), TUTTI_OK);
  assert_int_equal(report.violation_count, 1);
  assert_int_equal(report.points, 2);
  tutti_guideline_report_free(&report);
  add(&times, TUTTI_COLL_ALLREDUCE, 16, 9, 0.5);
  assert_int_equal(tutti_guidelines_check(&times, 1u << TUTTI_COLL_ALLREDUCE, 0, &report, REASON), TUTTI_OK);
  assert_int_equal(report.violation_count, 2);
  assert_true(report.violations[0].lost == 1.5 && report.lost == 1 && report.points_violating == 2);
  tutti_guideline_report_free(&report);
}

TEST(test_refusals)
{
  FREED_BY(tutti_guideline_times_free) tutti_guideline_times times = {0};
  tutti_guideline_report report;
  assert_int_equal(tutti_guidelines_check(&times, 0, -0.1, &report, REASON), TUTTI_ERR_ARGUMENT);
  assert_int_equal(tutti_guidelines_check(&times, 0, NAN, &report, REASON), TUTTI_ERR_ARGUMENT);
  add(&times, TUTTI_COLL_BCAST, 8, 1024, 1);
  add(&times, TUTTI_COLL_BCAST, 8, 1024, 2);
  assert_int_equal(tutti_guidelines_check(&times, 0, 0, &report, REASON), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message, "two times of bcast on 8 ranks with 1KB");
}

TEST(test_times_of_a_map)
{
  const tutti_measurement m[] = {map_point("bcast/linear", 2, 1, 1.0), map_point("bcast/binomial", 2, 1, 2.0),
                                 map_point("bcast/linear", 4, 1, 3.0), map_point("bcast/binomial", 4, 8, 5.0)};
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(m, 4);
  tutti_method binomial = parsed("bcast/binomial");
  FREED_BY(tutti_guideline_times_free) tutti_guideline_times best = {0}, picked = {0};
  FREED_BY(tutti_decision_free) tutti_decision decision;
  const int per_node[] = {2, 4};
  size_t unknown;
  tutti_guideline_times_of_map(&best, &map, NULL, per_node, &unknown);
  assert_true(best.count == 3 && unknown == 0);
  assert_true(best.items[0].seconds == 1.0 && best.items[0].ranks_per_node == 2);
  assert_true(best.items[2].seconds == 5.0 && best.items[2].rank_bytes == 8 && best.items[2].ranks_per_node == 4);
  decision = tutti_decision_single(&binomial);
  tutti_guideline_times_of_map(&picked, &map, &decision, per_node, &unknown);
  assert_true(picked.count == 2 && unknown == 1); /* on 4 ranks with 1 byte it was not measured */
  assert_true(picked.items[0].seconds == 2.0 && picked.items[1].seconds == 5.0);
  assert_string_equal(picked.items[0].method.algorithm->name, "binomial");
}
