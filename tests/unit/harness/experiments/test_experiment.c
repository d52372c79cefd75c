/* Experiment files that are right. */
#include "tutti/experiment.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

#define PLATFORM "<platform file=\"" TUTTI_SOURCE_DIR "/platforms/grig_fast_ethernet.xml\"/>\n"
#define LINEAR   "<method algorithm=\"linear\"/>\n"

static void read_text(const char *text, tutti_experiment *experiment)
{
  SCRATCH_FILE(file, "test.xml", text);
  assert_ok(tutti_experiment_read(file.path, experiment, REASON), error);
}

static void check_methods(const tutti_sweep *sweep, const char *expected)
{
  char names[1024] = "", name[TUTTI_METHOD_LENGTH];
  for (int i = 0; i < sweep->method_count; i++) {
    strncat(names, tutti_method_format(&sweep->methods[i], name), sizeof names - strlen(names) - 1);
    strncat(names, " ", sizeof names - strlen(names) - 1);
  }
  assert_string_equal(names, expected);
}

TEST(ranks_and_sizes_are_sorted_and_unique)
{
  static const int ranks[] = {2, 3, 4, 5, 8, 16, 24, 48};
  static const uint64_t sizes[] = {0, 1, 3, 9, 1000, 1024, 2048, 393216};
  FREED_BY(tutti_experiment_free) tutti_experiment experiment;
  read_text("<experiment name=\"t\">" PLATFORM "<sweep collective=\"bcast\">"
            "<ranks>24 48 2..16*2 5\n\t3..5 24</ranks>"
            "<sizes>384KB 1..9*3 1000B <!-- once more --> 1024 0 1KB 2KB..2KB 1KB</sizes>" LINEAR
            "</sweep></experiment>",
            &experiment);
  const tutti_sweep *sweep = &experiment.sweeps[0];
  assert_int_equal(sweep->ranks_count, sizeof ranks / sizeof *ranks);
  assert_memory_equal(sweep->ranks, ranks, sizeof ranks);
  assert_int_equal(sweep->size_count, sizeof sizes / sizeof *sizes);
  assert_memory_equal(sweep->sizes, sizes, sizeof sizes);
}

TEST(defaults_are_those_of_the_header)
{
  FREED_BY(tutti_experiment_free) tutti_experiment experiment;
  read_text("<experiment name=\"t\">" PLATFORM
            "<sweep collective=\"barrier\"><ranks>2</ranks><method algorithm=\"bruck\"/></sweep></experiment>",
            &experiment);
  assert_string_equal(experiment.name, "t");
  assert_null(experiment.source);
  assert_string_equal(experiment.platform_name, "grig_fast_ethernet");
  assert_string_equal(experiment.platform_path, TUTTI_SOURCE_DIR "/platforms/grig_fast_ethernet.xml");
  assert_string_equal(experiment.flavor, "smpi");
  assert_int_equal(experiment.measure.scheme, TUTTI_SCHEME_OCC);
  assert_int_equal(experiment.measure.warmup, 3);
  assert_int_equal(experiment.measure.repetitions_max, 200);
  assert_true(experiment.measure.confidence == 0.05);
  assert_int_equal(experiment.sweeps[0].root, 0);
  assert_int_equal(experiment.sweeps[0].size_count, 1);
  assert_int_equal(experiment.sweeps[0].sizes[0], 0);
}

/* The file names the engine and the orders; a command may choose others. */
TEST(the_engine_is_a_flavor)
{
  FREED_BY(tutti_experiment_free) tutti_experiment experiment;
  read_text("<experiment name=\"t\" engine=\"fast\">" PLATFORM "<measure orders=\"5\"/>"
            "<sweep collective=\"barrier\"><ranks>2</ranks></sweep></experiment>",
            &experiment);
  assert_string_equal(experiment.flavor, "fast");
  assert_int_equal(experiment.measure.orders, 5);
  assert_int_equal(tutti_experiment_choose_engine(&experiment, NULL, 3, REASON), TUTTI_OK);
  assert_int_equal(experiment.measure.orders, 3);
  assert_int_equal(tutti_experiment_choose_engine(&experiment, "smpi", 0, REASON), TUTTI_OK);
  assert_string_equal(experiment.flavor, "smpi");
  assert_fails(tutti_experiment_choose_engine(&experiment, NULL, 2, REASON), TUTTI_ERR_ARGUMENT, error,
               "test.xml: only the engines fast and flow start the ranks in several orders");
}

TEST(methods_are_expanded_in_file_order)
{
  FREED_BY(tutti_experiment_free) tutti_experiment experiment;
  read_text("<experiment name=\"t\">" PLATFORM "<sweep collective=\"bcast\" root=\"1\"><ranks>4</ranks><sizes>1</sizes>"
            "<method algorithm=\"pipeline\" segments=\"none 1KB\" outstanding=\"1 16\"/>"
            "<method algorithm=\"chain\" segments=\"8KB\" k=\"2 4\"/>"
            "<method name=\"bcast/pipeline/1024B\"/><method name=\"bcast/linear\"/></sweep></experiment>",
            &experiment);
  assert_int_equal(experiment.sweeps[0].root, 1);
  check_methods(&experiment.sweeps[0], "bcast/pipeline/outstanding=1 bcast/pipeline bcast/pipeline/1KB/outstanding=1 "
                                       "bcast/pipeline/1KB bcast/chain/8KB/k=2 bcast/chain/8KB bcast/linear ");
}

/* The lists of a <method> are of its own parameters; those of parts are written in a name. */
TEST(parameters_go_by_their_names)
{
  FREED_BY(tutti_experiment_free) tutti_experiment experiment;
  read_text("<experiment name=\"t\">" PLATFORM "<sweep collective=\"alltoall\"><ranks>4</ranks><sizes>1</sizes>"
            "<method algorithm=\"bruck\" k=\"2 3\"/><method algorithm=\"linear-sync\" k=\"1\"/></sweep>"
            "<sweep collective=\"allreduce\"><ranks>4</ranks><sizes>1</sizes>"
            "<method algorithm=\"two-level\" k=\"2\"/><method algorithm=\"ring-segmented\" segments=\"none 1KB\"/>"
            "<method name=\"allreduce/reduce-bcast/reduce=binary:8KB\"/></sweep></experiment>",
            &experiment);
  check_methods(&experiment.sweeps[0], "alltoall/bruck alltoall/bruck/radix=3 alltoall/linear-sync/max_requests=1 ");
  check_methods(&experiment.sweeps[1], "allreduce/two-level/ranks_per_node=2 allreduce/ring-segmented "
                                       "allreduce/ring-segmented/1KB allreduce/reduce-bcast/reduce=binary:8KB ");
}

/* The algorithms of a collective with default parameters, those made of nodes as the platform says. */
TEST(a_sweep_without_methods_means_all)
{
  static const char sweeps[] = "<sweep collective=\"barrier\"><ranks>4</ranks></sweep>"
                               "<sweep collective=\"exscan\"><ranks>4</ranks><sizes>1</sizes></sweep></experiment>";
  char text[1024];
  tutti_experiment experiment;
  snprintf(text, sizeof text, "<experiment name=\"t\">%s%s", PLATFORM, sweeps);
  read_text(text, &experiment);
  check_methods(&experiment.sweeps[0],
                "barrier/linear barrier/tree barrier/two-process barrier/double-ring barrier/recursive-doubling "
                "barrier/bruck barrier/k-dissemination barrier/recursive-exchange ");
  check_methods(&experiment.sweeps[1], "exscan/linear exscan/binomial exscan/binary ");
  tutti_experiment_free(&experiment);
  snprintf(text, sizeof text, "<experiment name=\"t\"><platform file=\"%s/platforms/bgp.xml\"/>%s", TUTTI_SOURCE_DIR,
           sweeps);
  read_text(text, &experiment);
  check_methods(&experiment.sweeps[0], "barrier/linear barrier/tree barrier/two-process barrier/double-ring "
                                       "barrier/recursive-doubling barrier/bruck barrier/k-dissemination "
                                       "barrier/recursive-exchange barrier/two-level/ranks_per_node=4 ");
  tutti_experiment_free(&experiment);
}

/* The file that the end-to-end test runs: all of the catalogue is asked for. */
static bool is_asked_for(const tutti_experiment *experiment, const tutti_algorithm *algorithm)
{
  for (int i = 0; i < experiment->sweep_count; i++)
    for (int m = 0; m < experiment->sweeps[i].method_count; m++)
      if (experiment->sweeps[i].methods[m].algorithm == algorithm)
        return true;
  return false;
}

TEST(every_collective_asks_for_every_algorithm)
{
  tutti_experiment experiment;
  setenv("TUTTI_PLATFORM_PATH", TUTTI_SOURCE_DIR "/platforms", 1);
  assert_ok(tutti_experiment_read(TUTTI_SOURCE_DIR "/experiments/every_collective.xml", &experiment, &error), error);
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    const tutti_algorithm *algorithm = tutti_algorithm_at(i);
    /* The platform is no torus, and no call of MPI knows all counts. */
    if (algorithm->domain & (TUTTI_NEEDS_TORUS | TUTTI_NEEDS_COUNTS))
      continue;
    if (!is_asked_for(&experiment, algorithm))
      fail_msg("%s/%s is missing", tutti_collective_name(algorithm->collective), algorithm->name);
  }
  tutti_experiment_free(&experiment);
  unsetenv("TUTTI_PLATFORM_PATH");
}

TEST(a_real_cluster_needs_no_file)
{
  FREED_BY(tutti_experiment_free) tutti_experiment experiment;
  read_text("<experiment name=\"t\"><platform kind=\"real\" name=\"here\" flavor=\"mpich\"/>"
            "<measure scheme=\"window\" warmup=\"0\" repetitions-max=\"7\" confidence=\"0.1\"/>"
            "<sweep collective=\"bcast\"><ranks>2</ranks><sizes>1</sizes>" LINEAR "</sweep></experiment>",
            &experiment);
  assert_string_equal(experiment.platform_name, "here");
  assert_null(experiment.platform_path);
  assert_string_equal(experiment.flavor, "mpich");
  assert_int_equal(experiment.measure.scheme, TUTTI_SCHEME_WINDOW);
  assert_int_equal(experiment.measure.warmup, 0);
  assert_int_equal(experiment.measure.repetitions_max, 7);
  assert_true(experiment.measure.confidence == 0.1);
}

TEST(a_file_is_relative_to_the_experiment)
{
  struct scratch_file machine =
      scratch_write("tiny.xml", "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\"><platform version=\"4\">"
                                "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-1\" speed=\"1Gf\" bw=\"1MBps\" "
                                "lat=\"1us\"/></platform>");
  char path[128], expected[128];
  FREED_BY(tutti_experiment_free) tutti_experiment experiment;
  snprintf(path, sizeof path, "%s/test.xml", machine.directory);
  write_file(path, "<experiment name=\"t\"><platform file=\"./tiny.xml\"/><sweep collective=\"bcast\"><ranks>2</ranks>"
                   "<sizes>1</sizes>" LINEAR "</sweep></experiment>");
  tutti_status status = tutti_experiment_read(path, &experiment, REASON);
  remove(path);
  scratch_remove(&machine);
  assert_ok(status, error);
  snprintf(expected, sizeof expected, "%s/./tiny.xml", machine.directory);
  assert_string_equal(experiment.platform_path, expected);
}

/* Section 6.1.2 and 6.3.1 of the dissertation: 2 to 28 processes, 48 sizes from 1 B to 384 KB, 5 algorithms. */
TEST(grig_bcast_is_the_published_sweep)
{
  tutti_experiment experiment;
  setenv("TUTTI_PLATFORM_PATH", TUTTI_SOURCE_DIR "/platforms", 1);
  assert_ok(tutti_experiment_read(TUTTI_SOURCE_DIR "/experiments/pjesivac_figure_6_3.xml", &experiment, &error), error);
  const tutti_sweep *sweep = &experiment.sweeps[0];
  assert_int_equal(experiment.sweep_count, 1);
  assert_int_equal(sweep->ranks_count, 27);
  assert_int_equal(sweep->ranks[0], 2);
  assert_int_equal(sweep->ranks[26], 28);
  assert_int_equal(sweep->size_count, 48);
  assert_int_equal(sweep->sizes[0], 1);
  assert_int_equal(sweep->sizes[47], 384 * 1024);
  assert_int_equal(sweep->method_count, 25);
  tutti_experiment_free(&experiment);
  assert_int_equal(tutti_experiment_read(TUTTI_SOURCE_DIR "/experiments/demo.xml", &experiment, &error), TUTTI_OK);
  assert_int_equal(experiment.sweeps[0].ranks_count, 6);
  assert_int_equal(experiment.sweeps[0].size_count, 14);
  assert_int_equal(experiment.sweeps[0].method_count, 25);
  tutti_experiment_free(&experiment);
  unsetenv("TUTTI_PLATFORM_PATH");
}

TEST(schemes_have_names)
{
  tutti_scheme scheme;
  for (int i = 0; i < TUTTI_SCHEME_COUNT; i++) {
    assert_int_equal(tutti_scheme_parse(tutti_scheme_name((tutti_scheme)i), &scheme, &error), TUTTI_OK);
    assert_int_equal(scheme, i);
  }
  assert_null(tutti_scheme_name(TUTTI_SCHEME_COUNT));
  assert_int_equal(tutti_scheme_parse("clock", &scheme, &error), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message,
                      "unknown measuring scheme 'clock': known are occ, window, and of imports osu, imb, "
                      "repro, pico, nccl, ompi, csv");
  assert_int_equal(tutti_scheme_parse_ours("occ", &scheme, &error), TUTTI_OK);
  assert_int_equal(tutti_scheme_parse_ours("osu", &scheme, &error), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message, "unknown measuring scheme 'osu': known are occ, window");
}
