/* Native methods: their names, their place in orders, maps and plans; decisions in experiments; improvements over a
   decision. */
#include "tutti/job.h"
#include "unit/base/scratch_file.h"

#include "unit/decision/map_fixture.h"

#define BEGIN "<experiment name=\"t\"><platform file=\"" TUTTI_SOURCE_DIR "/platforms/grig_fast_ethernet.xml\"/>\n"
#define SWEEP "<sweep collective=\"bcast\"><ranks>2 8</ranks><sizes>1 64KB</sizes>\n"
#define END   "</sweep></experiment>"

TEST(names_are_read_and_written)
{
  static const char *const names[] = {"native", "native/selector=ompi", "native/selector=mpich",
                                      "native/selector=mvapich2", "native/selector=impi"};
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    for (int i = 0; i < 5; i++) {
      char text[TUTTI_METHOD_LENGTH], again[TUTTI_METHOD_LENGTH];
      snprintf(text, sizeof text, "%s/%s", tutti_collective_name((tutti_collective)c), names[i]);
      tutti_method method = parsed(text);
      assert_true(tutti_method_is_native(&method));
      assert_int_equal(method.algorithm->collective, c);
      assert_int_equal(method.parameters.k, i);
      assert_string_equal(tutti_method_format(&method, again), text);
    }
}

static void assert_refused(const char *text, const char *reason)
{
  tutti_method method;
  assert_fails(tutti_method_parse(text, &method, REASON), TUTTI_ERR_ARGUMENT, error, reason);
}

TEST(bad_names_are_refused)
{
  assert_refused("bcast/native/selector=open", "unknown selector 'open': known are ompi");
  assert_refused("bcast/native/selector=", "unknown selector ''");
  assert_refused("bcast/native/selector=ompi/selector=mpich", "second time");
  assert_refused("bcast/native/k=1", "bcast/native takes no k");
  assert_refused("bcast/native/8KB", "takes no segment size");
  assert_refused("bcast/linear/selector=ompi", "bcast/linear takes no selector");
  assert_refused("allreduce/reduce-bcast/bcast=native", "it can be no part");
}

TEST(they_are_behind_all_others)
{
  tutti_method native = parsed("bcast/native"), ompi = parsed("bcast/native/selector=ompi");
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    tutti_method method = tutti_method_default(tutti_algorithm_at(i));
    assert_false(tutti_method_is_native(&method));
    assert_true(tutti_method_compare(&method, &native) < 0);
  }
  assert_true(tutti_method_compare(&native, &ompi) < 0);
  assert_int_equal(tutti_method_compare(&ompi, &ompi), 0);
}

TEST(they_are_best_only_if_asked_for)
{
  const tutti_measurement points[] = {map_point("bcast/native", 2, 1, 1e-6), map_point("bcast/linear", 2, 1, 2e-6),
                                      map_point("bcast/native", 4, 1, 3e-6)};
  FREED_BY(tutti_decision_map_free) tutti_decision_map map;
  assert_int_equal(tutti_decision_map_create(points, 3, &map, NULL), TUTTI_OK);
  assert_int_equal(map.method_count, 2);
  assert_int_equal(map.best[0], 0);
  assert_int_equal(map.best[1], -1);
  tutti_decision_map_choose(&map, (tutti_candidates){.native = true});
  assert_int_equal(map.best[0], 1);
  assert_int_equal(map.best[1], 1);
  tutti_decision_map_choose(&map, (tutti_candidates){.native = false});
  assert_int_equal(map.best[0], 0);
  assert_true(tutti_decision_map_time(&map, 0, 0, 1) == 1e-6);
}

TEST(improvements_are_percents_of_the_other)
{
  static const double times[] = {1, 3, 5, NAN, 1, 1}, reference[] = {2, 2, 5, 1, NAN, 0};
  tutti_improvement improvement = tutti_improvement_over(times, reference, 6);
  assert_int_equal(improvement.points, 3);
  assert_int_equal(improvement.missing, 3);
  assert_true(improvement.max == 50);
  assert_true(improvement.min == -50);
  assert_true(improvement.mean == 0 && improvement.median == 0);
  improvement = tutti_improvement_over(times + 3, reference + 3, 2);
  assert_int_equal(improvement.points, 0);
  assert_true(isnan(improvement.mean));
}

TEST(times_are_those_of_the_picks)
{
  const tutti_measurement points[] = {map_point("bcast/linear", 2, 1, 1), map_point("bcast/linear", 2, 8, 2),
                                      map_point("bcast/binomial", 2, 8, 3), map_point("bcast/linear", 4, 1, 4)};
  FREED_BY(tutti_decision_map_free) tutti_decision_map map;
  FREED_BY(tutti_decision_free) tutti_decision decision;
  double times[4];
  assert_int_equal(tutti_decision_map_create(points, 4, &map, NULL), TUTTI_OK);
  assert_int_equal(tutti_decision_parse_rules("bcast/binomial bytes=8\nbcast/linear ranks=2", "r", &decision, NULL),
                   TUTTI_OK);
  tutti_decision_times(&map, &decision, times);
  assert_true(times[0] == 1 && times[1] == 3 && isnan(times[2]) && isnan(times[3]));
}

static tutti_status read_text(const char *text, tutti_experiment *experiment, tutti_error *error)
{
  SCRATCH_FILE(file, "t.xml", text);
  return tutti_experiment_read(file.path, experiment, error);
}

static tutti_experiment read_right(const char *text)
{
  tutti_experiment experiment;
  assert_ok(read_text(text, &experiment, &error), error);
  return experiment;
}

static void assert_wrong(const char *text, const char *reason)
{
  tutti_experiment experiment;
  assert_fails(read_text(text, &experiment, REASON), TUTTI_ERR_ARGUMENT, error, reason);
}

static void assert_pick(const tutti_sweep *sweep, size_t index, int ranks, uint64_t size, const char *method)
{
  char name[TUTTI_METHOD_LENGTH];
  assert_int_equal(sweep->picks[index].ranks, ranks);
  assert_int_equal(sweep->picks[index].size, size);
  assert_string_equal(tutti_method_format(&sweep->picks[index].method, name), method);
}

TEST(decisions_pick_at_each_point)
{
  FREED_BY(tutti_experiment_free)
  tutti_experiment experiment = read_right(BEGIN SWEEP "<decision name=\"library:openmpi-1.x\"/>" END);
  const tutti_sweep *sweep = &experiment.sweeps[0];
  assert_int_equal(sweep->method_count, 0);
  assert_int_equal(sweep->pick_count, 4);
  assert_pick(sweep, 0, 2, 1, "bcast/binomial");
  assert_pick(sweep, 1, 2, 65536, "bcast/split-binary/1KB");
  assert_pick(sweep, 3, 8, 65536, "bcast/split-binary/1KB");
}

TEST(decision_files_lie_beside_the_experiment)
{
  tutti_experiment experiment;
  SCRATCH_FILE(file, "t.xml", BEGIN SWEEP "<decision file=\"r.txt\"/>" END);
  char rules[160];
  snprintf(rules, sizeof rules, "%s/r.txt", file.directory);
  write_file(rules, "bcast/chain/k=2 ranks=8 bytes=1\n");
  assert_ok(tutti_experiment_read(file.path, &experiment, &error), error);
  assert_int_equal(experiment.sweeps[0].pick_count, 1);
  assert_pick(&experiment.sweeps[0], 0, 8, 1, "bcast/chain/k=2");
  tutti_experiment_free(&experiment);
  unlink(rules);
}

TEST(bad_decisions_are_refused)
{
  assert_wrong(BEGIN SWEEP "<decision/>" END, "t.xml:3: <decision> takes either a name or a file");
  assert_wrong(BEGIN SWEEP "<decision name=\"library:none\"/>" END, "t.xml:3: unknown library 'library:none'");
  assert_wrong(BEGIN SWEEP "<decision file=\"no.txt\"/>" END, "no.txt");
  assert_wrong(BEGIN SWEEP "<decision name=\"library:mpich-4.0\" file=\"r\"/>" END, "either a name or a file");
  assert_wrong(BEGIN SWEEP "<method algorithm=\"native\" selector=\"ompi\" outstanding=\"2\"/>" END,
               "either selectors");
}

static tutti_plan plan_of(const tutti_experiment *experiment)
{
  tutti_plan plan;
  const tutti_plan_options options = {.ranks_per_node = 1, .jobs = 1};
  const tutti_present nothing = {0};
  assert_ok(tutti_plan_create(experiment, &options, &nothing, &plan, &error), error);
  return plan;
}

/* bcast/linear and what the library picks on two ranks meet in one chunk, native methods have their own. */
TEST(chunks_have_one_launch)
{
  tutti_experiment experiment =
      read_right(BEGIN SWEEP "<method algorithm=\"linear\"/><method algorithm=\"native\"/>"
                             "<method algorithm=\"native\" selector=\"ompi impi\"/>"
                             "<decision name=\"library:mpich-4.0\"/><decision name=\"library:mpich2-1.0\"/>" END);
  FREED_BY(tutti_plan_free) tutti_plan plan = plan_of(&experiment);
  size_t seen = 0;
  assert_int_equal(plan.point_count, 2 * 2 * (1 + 1 + 2 + 1));
  assert_int_equal(plan.chunk_count, 2 * (1 + 1 + 2 * 2));
  for (size_t c = 0; c < plan.chunk_count; c++) {
    const tutti_chunk *chunk = &plan.chunks[c];
    assert_int_equal(chunk->count, chunk->selector ? 1 : chunk->native ? 2 : 4);
    for (size_t i = chunk->first; i < chunk->first + chunk->count; i++, seen++) {
      const tutti_method *method = &plan.points[i].method;
      assert_int_equal(tutti_method_is_native(method), chunk->native);
      if (chunk->native)
        assert_ptr_equal(tutti_selector_name(method->parameters.k), chunk->selector);
    }
  }
  assert_int_equal(seen, plan.point_count);
  tutti_experiment_free(&experiment);
}

/* Each method that the library is told has a launch of its own, for all its sizes. */
TEST(told_methods_have_a_launch_each)
{
  tutti_experiment experiment =
      read_right("<experiment name=\"t\"><platform kind=\"real\" name=\"here\" flavor=\"openmpi\"/>" SWEEP
                 "<method algorithm=\"linear\"/><method algorithm=\"native\"/>"
                 "<method algorithm=\"binomial\" implementation=\"openmpi\" segments=\"none 8KB\"/>"
                 "<method name=\"bcast/binary@openmpi\"/>" END);
  FREED_BY(tutti_plan_free) tutti_plan plan = plan_of(&experiment);
  int told = 0;
  assert_int_equal(plan.point_count, 2 * 2 * 5);
  assert_int_equal(plan.chunk_count, 2 * 5);
  for (size_t c = 0; c < plan.chunk_count; c++) {
    const tutti_chunk *chunk = &plan.chunks[c];
    const tutti_method *method = &plan.points[chunk->first].method;
    assert_int_equal(chunk->count, 2);
    assert_int_equal(tutti_method_is_library(method), chunk->native);
    assert_int_equal(tutti_method_compare(method, &plan.points[chunk->first + 1].method), 0);
    assert_int_equal(chunk->directives.count > 0, method->implementation != TUTTI_IMPLEMENTATION_TUTTI);
    told += chunk->directives.count > 0;
  }
  assert_int_equal(told, 6);
  tutti_experiment_free(&experiment);
}

TEST(all_of_an_implementation)
{
  tutti_experiment experiment =
      read_right("<experiment name=\"t\"><platform kind=\"real\" name=\"here\" flavor=\"openmpi\"/>" SWEEP
                 "<method implementation=\"openmpi\" segments=\"none 8KB\"/>" END);
  int with_id = 0, segmented = 0;
  for (size_t i = 0; i < tutti_algorithm_count(); i++)
    with_id += tutti_algorithm_at(i)->collective == TUTTI_COLL_BCAST && tutti_algorithm_at(i)->openmpi_id;
  for (int i = 0; i < experiment.sweeps->method_count; i++) {
    const tutti_method *method = &experiment.sweeps->methods[i];
    assert_int_equal(method->implementation, TUTTI_IMPLEMENTATION_OPENMPI);
    segmented += method->parameters.segment_bytes > 0;
  }
  assert_int_equal(segmented, 6); /* chain, pipeline, split-binary, binary, binomial, k-nomial */
  assert_int_equal(experiment.sweeps->method_count, with_id + segmented);
  tutti_experiment_free(&experiment);
}

TEST(what_cannot_be_told_is_refused)
{
  static const struct {
    const char *method, *reason;
  } wrong[] = {
      {"name=\"bcast/linear/8KB@openmpi\"",
       "bcast/linear/8KB@openmpi: openmpi cannot be told to run this on 64 ranks with 1MB: it has no setting for these "
       "parameters, and takes bcast/linear@openmpi"},
      {"name=\"bcast/in-order-binomial/8KB@mpich\"", "mpich cannot be told to run"},
      {"name=\"bcast/linear@openmpi\" implementation=\"openmpi\"", "it is part of the name (@openmpi)"},
      {"implementation=\"lam\" algorithm=\"linear\"", "implementation=\"lam\": expected one of openmpi mpich smpi"},
      {"implementation=\"openmpi\" k=\"2\"", "takes no list but segments"},
      {"segments=\"8KB\"", "takes either a name or an algorithm"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char text[1024];
    snprintf(text, sizeof text, BEGIN SWEEP "<method %s/>" END, wrong[i].method);
    assert_wrong(text, wrong[i].reason);
  }
}

TEST(another_library_has_other_methods)
{
  FREED_BY(tutti_experiment_free)
  tutti_experiment experiment = read_right(BEGIN SWEEP "<method name=\"bcast/linear@openmpi\"/>" END);
  tutti_plan plan;
  assert_fails(
      tutti_plan_create(&experiment, &(tutti_plan_options){.ranks_per_node = 1}, &(tutti_present){0}, &plan, &error),
      TUTTI_ERR_ARGUMENT, error,
      "bcast/linear@openmpi on 2 ranks: methods of openmpi are measured with its "
      "flavor, not with smpi");
}

TEST(real_machines_have_no_selectors)
{
  tutti_experiment experiment =
      read_right("<experiment name=\"t\"><platform kind=\"real\" name=\"here\" flavor=\"mpich\"/>" SWEEP
                 "<method algorithm=\"native\" selector=\"ompi\"/>" END);
  tutti_plan plan;
  const tutti_plan_options options = {.ranks_per_node = 1, .jobs = 1};
  const tutti_present nothing = {0};
  assert_fails(tutti_plan_create(&experiment, &options, &nothing, &plan, &error), TUTTI_ERR_ARGUMENT, error,
               "bcast/native/selector=ompi on 2 ranks: selector=ompi is one of smpi, not of mpich");
  tutti_experiment_free(&experiment);
}
