/* Experiments that are read for another machine than that of their file. */
#include "tutti/experiment.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

#define BGP  TUTTI_SOURCE_DIR "/platforms/bgp.xml"
#define GRIG TUTTI_SOURCE_DIR "/platforms/grig_fast_ethernet.xml"

static tutti_status read_on(const char *text, tutti_experiment_setting *setting, tutti_experiment *experiment,
                            tutti_error *error)
{
  SCRATCH_FILE(file, "e.xml", text);
  return tutti_experiment_read_on(file.path, setting, experiment, error);
}

#define SWEEP(ranks, more)                                                                                             \
  "<experiment name=\"e\"><platform kind=\"real\" name=\"here\" flavor=\"mpich\"/><sweep collective=\"bcast\">"        \
  "<ranks>" ranks "</ranks><sizes>1 8</sizes>" more "</sweep></experiment>"

TEST(test_platform)
{
  tutti_experiment_setting setting = {.platform = GRIG, .room = 64};
  FREED_BY(tutti_experiment_free) tutti_experiment experiment;
  assert_ok(read_on(SWEEP("2 64 100 200", ""), &setting, &experiment, REASON), error);
  assert_string_equal(experiment.platform_name, "grig_fast_ethernet");
  assert_string_equal(experiment.platform_path, GRIG);
  assert_string_equal(experiment.flavor, "smpi");
  assert_int_equal(experiment.sweeps[0].ranks_count, 2);
  assert_int_equal(experiment.sweeps[0].ranks[1], 64);
  assert_int_equal(setting.left_out, 200);
}

TEST(test_ranks_and_sizes)
{
  const uint64_t ranks[] = {16, 131072}, sizes[] = {4096};
  tutti_experiment_setting setting = {
      .platform = BGP, .ranks_count = 2, .ranks = ranks, .size_count = 1, .sizes = sizes, .room = 131072};
  FREED_BY(tutti_experiment_free) tutti_experiment experiment;
  const char *text = SWEEP("2", "<decision name=\"library:mpich-4.0\"/>");
  assert_ok(read_on(text, &setting, &experiment, REASON), error);
  assert_int_equal(setting.left_out, 0);
  assert_int_equal(experiment.sweeps[0].ranks_count, 2);
  assert_int_equal(experiment.sweeps[0].size_count, 1);
  assert_int_equal(experiment.sweeps[0].pick_count, 2); /* decisions are asked about the new points */
  assert_int_equal(experiment.sweeps[0].picks[1].ranks, 131072);
  assert_int_equal(experiment.sweeps[0].picks[1].size, 4096);
}

TEST(test_results)
{
  const uint64_t ranks[] = {4, 8, 4096};
  tutti_experiment_setting setting = {.platform = GRIG, .ranks_count = 3, .ranks = ranks, .room = 64};
  FREED_BY(tutti_experiment_free) tutti_experiment experiment;
  const char *text = "<experiment name=\"e\"><platform name=\"bgp\"/>"
                     "<range operation=\"create\" way=\"ranges\" ranks=\"1024\" size=\"ranks/2\"/></experiment>";
  assert_ok(read_on(text, &setting, &experiment, REASON), error);
  assert_int_equal(experiment.results[0].point_count, 2);
  assert_int_equal(experiment.results[0].points[1].values[TUTTI_RANGE_FIELD_RANKS].integer, 8);
  assert_int_equal(experiment.results[0].points[1].values[TUTTI_RANGE_FIELD_SIZE].integer, 4);
  assert_int_equal(setting.left_out, 4096);
}

TEST(test_nothing_left)
{
  tutti_experiment_setting setting = {.platform = GRIG, .room = 64};
  tutti_experiment experiment;
  assert_fails(read_on(SWEEP("100 200", ""), &setting, &experiment, REASON), TUTTI_ERR_ARGUMENT, error,
               "100 ranks: the platform has room for 64");
}
