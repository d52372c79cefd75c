/* What fitting and predicting by a platform reads: parameters, calls, jobs; and the points that are chosen. */
#include "base/memory.h"
#include "harness/experiments/calibrate/calls.h"
#include "harness/experiments/calibrate/fit.h"
#include "unit/algorithms/catalogue/method_fixture.h"

static const char platform[] = TUTTI_SOURCE_DIR "/platforms/grig_mx.xml";

TEST(test_parameters)
{
  FREED_BY(tutti_fit_parameters_free) struct fit_parameters parameters = {.count = 0};
  FREED_BY(tutti_fit_edits_free) struct fit_edits edits = {.count = 0};
  assert_ok(tutti_fit_parameter_parse("latency=0.5..2", platform, &parameters, REASON), error);
  tutti_fit_parameters_edits(&parameters, &edits);
  assert_int_equal(edits.count, 0); /* a factor of 1 edits nothing */
  parameters.items[0].factor = 1.5;
  tutti_fit_parameters_edits(&parameters, &edits);
  assert_int_equal(edits.count, 1);
  assert_string_equal(edits.items[0], "latency=*1.5");
  assert_int_equal(tutti_fit_parameter_parse("latency=2..3", platform, &parameters, REASON), TUTTI_ERR_ARGUMENT);
  assert_fails(tutti_fit_parameter_parse("latency#9=0.5..2", platform, &parameters, REASON), TUTTI_ERR_ARGUMENT, error,
               "has no number 9");
}

/* Every second of ten points; that of a library's own choice has no schedule. */
TEST(test_choose)
{
  FREED_BY(tutti_fit_points_free) struct fit_points points = {.count = 0};
  for (int i = 0; i < 11; i++) {
    const tutti_measurement measured = {.method = parsed(i == 5 ? "bcast/native" : "bcast/binomial"),
                                        .ranks = i + 2,
                                        .ranks_per_node = 1,
                                        .count = 1,
                                        .type_size = 4};
    tutti_xpush(&points, tutti_fit_point(&measured, tutti_xstrdup("")));
  }
  assert_int_equal(tutti_fit_points_choose(&points, 5), 1);
  assert_int_equal(points.count, 5);
  for (size_t i = 0; i < points.count; i++) { /* one of each two of those that are left */
    const int ranks = points.items[i].measured.ranks, place = ranks - 2 - (ranks > 7);
    assert_int_equal(place / 2, (int)i);
  }
}

static void count_progress(double share)
{
  assert_true(share >= 0 && share < 1);
}

/* A flat broadcast is the slowest of many ranks, and another library's code of a tree takes its time. */
TEST(test_verdicts)
{
  FREED_BY(tutti_simulated_free) struct simulated_points points = {.rounds_apart = true};
  struct spread spread = {.count = 0};
  const struct simulation_request request = {.platform_path = platform, .progress = count_progress};
  for (int i = 0; i < 4; i++) {
    const tutti_method method =
        parsed((const char *const[]){"bcast/linear", "bcast/binomial", "bcast/binomial@openmpi", "bcast/native"}[i]);
    tutti_simulated_add(&points, &method, "16", 16, 1, 4, 4096);
  }
  assert_int_equal(points.unfit, 1);
  assert_ok(tutti_simulated_run(&request, &spread, false, &points, REASON), error);
  assert_int_equal(points.count, 3);
  assert_string_equal(points.items[0].verdict, "slower");
  assert_string_equal(points.items[1].verdict, "best");
  assert_true(points.items[2].point.seconds == points.items[1].point.seconds);
}

TEST(test_jobs)
{
  static const char text[] =
      "machine\trun\tnode_numbers\n# by hand\n\nleft\ta/alloc.csv\t3,5-6\nright\tb\t1\n2\t7,8\n3\t1\n";
  struct tutti_lines lines;
  struct node_job job;
  tutti_guess others = {.word = "left"};
  assert_ok(tutti_lines_open_text(&lines, text, sizeof text - 1, "jobs", REASON), error);
  assert_true(tutti_node_job_next(&lines, "left", &others, NULL, &job));
  assert_string_equal(job.run, "a/alloc.csv");
  assert_true(job.line == 4 && job.nodes.count == 3 && job.nodes.items[2] == 6);
  tutti_node_job_free(&job);
  assert_true(tutti_node_job_next(&lines, "left", &others, NULL, &job)); /* without a machine */
  assert_true(!job.machine && job.line == 6 && job.nodes.items[0] == 7);
  tutti_node_job_free(&job);
  assert_false(tutti_node_job_next(&lines, "left", &others, NULL, &job));
  assert_int_equal(tutti_lines_close(&lines), TUTTI_ERR_ARGUMENT);
  assert_non_null(strstr(error.message, "jobs:7: the first field says 3 nodes, and 1 is listed"));
}

/* Lists of names, as Slurm writes them: a number of a name has all its digits. */
TEST(test_lists_of_names)
{
  static const char text[] =
      "5\tnid[001-003,1000],nid007\nc[1-2]n[0-1] 9\nnid[4-1]\nnid[1\nnid1]\nnid[1-x]\nn[0-2999999]\n";
  static const int named[][5] = {{1, 2, 3, 1000, 7}, {10, 11, 20, 21, 9}};
  tutti_passed passed = {.strict = false};
  struct tutti_lines lines;
  struct node_job job;
  size_t read = 0;
  assert_ok(tutti_lines_open_text(&lines, text, sizeof text - 1, "jobs", REASON), error);
  while (tutti_node_job_next(&lines, NULL, NULL, &passed, &job)) {
    assert_true(read < 2 && job.nodes.count == 5);
    assert_memory_equal(job.nodes.items, named[read++], sizeof named[0]);
    tutti_node_job_free(&job);
  }
  assert_ok(tutti_lines_close(&lines), error);
  assert_true(read == 2 && passed.count == 5);
  assert_string_equal(tutti_passed_first(&passed), "jobs:3: 'nid[4-1]' is no list of names, such as n[1-3,7]");
  tutti_passed_free(&passed);
}

/* Lines with a fault are counted and named, and the others are read. */
TEST(test_bad_jobs)
{
  static const char text[] = "2\t1-2\n2\t3\n1\tx\n1\t\n1\t4\n";
  tutti_passed passed = {.strict = false};
  struct tutti_lines lines;
  struct node_job job;
  int read = 0;
  assert_ok(tutti_lines_open_text(&lines, text, sizeof text - 1, "jobs", REASON), error);
  while (tutti_node_job_next(&lines, NULL, NULL, &passed, &job)) {
    assert_true(job.line == (read++ == 0 ? 1 : 5));
    tutti_node_job_free(&job);
  }
  assert_ok(tutti_lines_close(&lines), error);
  assert_int_equal(read, 2);
  assert_int_equal(passed.count, 3);
  assert_int_equal(passed.reasons.count, 1);
  assert_string_equal(tutti_passed_first(&passed), "jobs:2: the first field says 2 nodes, and 1 is listed");
  tutti_passed_free(&passed);
}
