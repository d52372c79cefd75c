/* Experiments that sort or make groups of processes: what their elements stand for, the plan, and running it, with a
 * stand-in for the launcher, until nothing is missing. */
#include "unit/harness/experiments/job_fixture.h"

#define HEAD "<experiment name=\"t\">\n<platform file=\"a machine.xml\"/>\n"
#define TAIL "</experiment>\n"

static void read_text(const char *text, tutti_experiment *experiment)
{
  write_file("an experiment.xml", text);
  assert_ok(tutti_experiment_read("an experiment.xml", experiment, REASON), error);
}

/* The points file of the whole plan, which the caller frees. */
static char *points_of(const tutti_experiment *experiment, const tutti_present *present, tutti_plan *plan)
{
  const tutti_plan_options options = {.ranks_per_node = 1, .jobs = 1};
  char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  assert_ok(tutti_plan_create(experiment, &options, present, plan, REASON), error);
  for (size_t c = 0; c < plan->chunk_count; c++)
    assert_int_equal(tutti_plan_write_points(plan, &plan->chunks[c], stream, NULL), TUTTI_OK);
  fclose(stream);
  return text;
}

static int count_lines(const char *text, const char *part)
{
  int count = 0;
  for (; (text = strstr(text, part)); text++)
    count++;
  return count;
}

JOB_TEST(test_sort_has_usual_values)
{
  const tutti_present nothing = {.row_count = 0};
  FREED_BY(tutti_experiment_free) tutti_experiment experiment;
  FREED_BY(tutti_plan_free) tutti_plan plan;
  read_text(HEAD "<sort ranks=\"8\" count=\"16\"/>" TAIL, &experiment);
  assert_string_equal(tutti_experiment_program(&experiment), "tutti-sort");
  FREED_BY(free_memory) char *points = points_of(&experiment, &nothing, &plan);
  assert_string_equal(points, "tutti-points v=1 scheme=occ warmup=3 repetitions_max=200 confidence=0.05 "
                              "ranks_per_node=1\njanus layer=ranges order=alternating assignment=greedy "
                              "distribution=uniform type=double count=16 seed=1\n");
  assert_int_equal(plan.chunks[0].ranks, 8);
}

JOB_TEST(test_all_combinations_are_planned_once)
{
  const tutti_present nothing = {.row_count = 0};
  FREED_BY(tutti_experiment_free) tutti_experiment experiment;
  FREED_BY(tutti_plan_free) tutti_plan plan;
  read_text(HEAD "<measure repetitions-max=\"7\"/>"
                 "<sort ranks=\"2..8*2 3\" count=\"1..16*4 4\" layer=\"ranges split\" seed=\"1 2\"/>"
                 "<sort ranks=\"8\" count=\"1\" layer=\"split\" algorithm=\"janus sample\"/>" TAIL,
            &experiment);
  FREED_BY(free_memory) char *points = points_of(&experiment, &nothing, &plan);
  /* 4 numbers of ranks, 3 counts, 2 layers, 2 seeds, of which the other list has one; and its sample sort. */
  assert_int_equal(plan.point_count, 4 * 3 * 2 * 2 + 1);
  assert_int_equal(plan.outside, 0);
  assert_int_equal(plan.chunk_count, 4);
  assert_int_equal(count_lines(points, "layer=split order=alternating assignment=greedy distribution=uniform "
                                       "type=double count=4 seed=2\n"),
                   4);
  assert_int_equal(count_lines(points, "sample layer=- order=- assignment=- distribution=uniform type=double "
                                       "count=1 seed=1\n"),
                   1);
  assert_int_equal(count_lines(points, "repetitions_max=7 "), 4);
}

JOB_TEST(test_sizes_follow_the_number_of_ranks)
{
  const tutti_present nothing = {.row_count = 0};
  FREED_BY(tutti_experiment_free) tutti_experiment experiment;
  FREED_BY(tutti_plan_free) tutti_plan plan;
  read_text(HEAD "<range operation=\"create\" way=\"ranges\" ranks=\"4 8\" size=\"ranks/2 ranks\"/>"
                 "<range operation=\"bcast\" way=\"native\" ranks=\"4 8\" size=\"2 ranks/2 8\" count=\"5\"/>" TAIL,
            &experiment);
  assert_string_equal(tutti_experiment_program(&experiment), "tutti-range");
  FREED_BY(free_memory) char *points = points_of(&experiment, &nothing, &plan);
  assert_int_equal(plan.point_count, 2 * 2 + 1 + 3);
  assert_int_equal(plan.outside, 1); /* 8 of 4 ranks */
  assert_int_equal(count_lines(points, "create way=ranges order=- size=4 count=0 type_B=8 uses=0\n"), 2);
  assert_int_equal(count_lines(points, "size=2 "), 3);
  assert_int_equal(count_lines(points, "size=8 "), 2);
}

JOB_TEST(test_hypercubes_are_powers_of_two)
{
  const tutti_present nothing = {.row_count = 0};
  FREED_BY(tutti_experiment_free) tutti_experiment experiment;
  FREED_BY(tutti_plan_free) tutti_plan plan;
  read_text(HEAD "<sort ranks=\"2..8\" count=\"1\" algorithm=\"hypercube janus\"/>" TAIL, &experiment);
  free(points_of(&experiment, &nothing, &plan));
  assert_int_equal(plan.outside, 4);
  assert_int_equal(plan.point_count, 7 + 3);
}

JOB_TEST(test_present_points_are_left_out)
{
  FREED_BY(tutti_experiment_free) tutti_experiment experiment;
  FREED_BY(tutti_plan_free) tutti_plan plan;
  read_text(HEAD "<sort ranks=\"2 4\" count=\"1 2\"/>" TAIL, &experiment);
  tutti_result there[2] = {experiment.results[0].points[1], experiment.results[0].points[2]};
  there[1].ranks_per_node = 4;
  const tutti_present present = {.rows = there, .row_count = 2};
  free(points_of(&experiment, &present, &plan));
  assert_int_equal(plan.present, 1);
  assert_int_equal(plan.point_count, 3);
}

static const struct fault {
  const char *text, *named;
} faults[] = {
    {HEAD "<sort count=\"1\"/>" TAIL, ":3: <sort> lacks its attribute 'ranks'"},
    {HEAD "<sort ranks=\"2\"/>" TAIL, ":3: <sort> lacks its attribute 'count'"},
    {HEAD "<range ranks=\"2\" size=\"1\"/>" TAIL, ":3: <range> lacks its attribute 'operation'"},
    {HEAD "<sort ranks=\"2\" count=\"1\" pivot=\"x\"/>" TAIL, ":3: <sort> has no attribute 'pivot'"},
    {HEAD "<sort ranks=\"2\" count=\"1\" minimum_s=\"1\"/>" TAIL, "no attribute 'minimum_s'"},
    {HEAD "<sort ranks=\"2\" count=\"1\" layer=\"range\"/>" TAIL, ":3: layer=\"range\": tutti-sort: field 'layer' is "},
    {HEAD "<sort ranks=\"2\" count=\"\"/>" TAIL, ":3: count=\"\": the list is empty"},
    {HEAD "<sort ranks=\"2\" count=\"-1\"/>" TAIL, "'-1' is not a whole number"},
    {HEAD "<sort ranks=\"2\" count=\"4..2\"/>" TAIL, "runs downwards"},
    {HEAD "<sort ranks=\"0\" count=\"1\"/>" TAIL, "0 is not from 1 to"},
    {HEAD "<sort ranks=\"9\" count=\"1\"/>" TAIL, ":3: 9 ranks: the platform has room for 8"},
    {HEAD "<sort ranks=\"ranks\" count=\"1\"/>" TAIL, "'ranks' is not a whole number"},
    {HEAD "<sort ranks=\"2\" count=\"ranks/0\"/>" TAIL, "'ranks/0' is not a whole number"},
    {HEAD "<sort ranks=\"2\" count=\"1..1000\" seed=\"1..1000\"/>" TAIL, ":3: more than 131072 points"},
    {HEAD "<sort ranks=\"2\" count=\"1\"/>\n<range operation=\"create\" ranks=\"2\" size=\"1\"/>" TAIL,
     ":4: <range> beside <sort>: one experiment is measured by one program"},
    {HEAD "<range operation=\"creat\" ranks=\"2\" size=\"1\"/>" TAIL,
     ":3: operation=\"creat\": tutti-range: field 'operation' is 'creat', not one of: create"},
    {HEAD "<range operation=\"create\" way=\"range\" ranks=\"2\" size=\"1\"/>" TAIL,
     ":3: tutti-range: create has no way 'range': it has ranges, create-group, split"},
    {HEAD "<range operation=\"create bcast\" way=\"ranges split\" ranks=\"2\" size=\"1\"/>" TAIL,
     ":3: tutti-range: bcast has no way 'split': it has ranges, view, native"},
    {HEAD "<range operation=\"bcast\" way=\"ranges/quick\" ranks=\"2\" size=\"2\"/>" TAIL, ":3: tutti-range: "},
    {HEAD "<range operation=\"create\" ranks=\"2 8\" size=\"4 9\"/>" TAIL, ":3: size=\"9\": there are 8 ranks at most"},
    {HEAD "<map group=\"random\"/>" TAIL, ":3: unknown element <map>"},
    {HEAD "<sort ranks=\"2\" count=\"1\"><ranks>2</ranks></sort>" TAIL, ":3: <ranks> cannot stand here"},
};

JOB_TEST(test_faults_are_named)
{
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    tutti_experiment experiment;
    write_file("an experiment.xml", faults[i].text);
    assert_fails(tutti_experiment_read("an experiment.xml", &experiment, REASON), TUTTI_ERR_ARGUMENT, error,
                 faults[i].named);
  }
}

static const char create_text[] = HEAD "<range operation=\"create\" way=\"ranges split/mpich\" ranks=\"4 8\" "
                                       "size=\"1..2 ranks/2\"/>" TAIL;
enum { CREATES = 2 * (2 + 3) };

/* All that is in the store, by ranks. */
static size_t count_results(tutti_result **results)
{
  const tutti_selection all = {.platform = "a machine"};
  FREED_BY(close_store) tutti_store *store;
  size_t count;
  assert_int_equal(tutti_store_open("a store.db", &store, NULL), TUTTI_OK);
  assert_int_equal(tutti_store_read_results(store, &all, TUTTI_RESULT_RANGE, results, &count, NULL), TUTTI_OK);
  return count;
}

static tutti_status run_text(struct fixture *fixture, const char *text)
{
  read_text(text, &fixture->experiment);
  tutti_status status = run(fixture);
  tutti_experiment_free(&fixture->experiment);
  return status;
}

JOB_TEST(test_runs_until_nothing_is_missing)
{
  tutti_result *results;
  setenv("FAKE_LOG", "log", 1);
  if (run_text(fixture, create_text) != TUTTI_OK)
    fail_msg("%s", fixture->error.message);
  assert_int_equal(fixture->summary.measured, CREATES);
  assert_int_equal(count_results(&results), CREATES);
  assert_string_equal(results[0].values[TUTTI_RANGE_FIELD_OPERATION].string, "create");
  assert_true(results[0].values[TUTTI_RANGE_FIELD_MEDIAN].seconds == 1e-6);
  free(results);
  unlink("log");
  assert_int_equal(run_text(fixture, create_text), TUTTI_OK);
  assert_int_equal(fixture->summary.measured, 0);
  assert_int_equal(fixture->summary.present, CREATES);
  assert_int_equal(access("log", F_OK), -1);
}

JOB_TEST(test_failures_keep_what_came)
{
  tutti_result *results;
  setenv("FAKE_MODE", "exit", 1);
  setenv("FAKE_AFTER", "1", 1);
  fixture->options.jobs = 1;
  assert_int_equal(run_text(fixture, create_text), TUTTI_ERR_LAUNCH);
  assert_says(fixture, "tutti-range on 8 ranks ended with status 7 while measuring create way=");
  size_t came = count_results(&results);
  free(results);
  assert_int_equal(came, fixture->summary.measured);
  assert_true(came >= 1 && came < CREATES);
  unsetenv("FAKE_MODE");
  assert_int_equal(run_text(fixture, create_text), TUTTI_OK);
  assert_int_equal(fixture->summary.measured, CREATES - came);
}

/* A program that measures something else than it was asked has failed. */
JOB_TEST(test_believes_only_what_was_asked)
{
  setenv("FAKE_MODE", "wrong-order", 1);
  setenv("FAKE_AFTER", "0", 1);
  assert_int_equal(run_text(fixture, create_text), TUTTI_ERR_LAUNCH);
  assert_says(fixture, "a tutti-measurement record came where something else was asked");
  setenv("FAKE_MODE", "wrong-range", 1);
  assert_int_equal(run_text(fixture, create_text), TUTTI_ERR_LAUNCH);
  assert_says(fixture, "size=1 count=77777 type_B=8 uses=0 was measured where create way=");
}
