/* Jobs: what is measured is stored, once, under the right environment. */
#include "unit/harness/experiments/job_fixture.h"

JOB_TEST(test_everything_is_measured_once)
{
  assert_int_equal(run(fixture), TUTTI_OK);
  assert_int_equal(fixture->summary.measured, POINTS);
  assert_int_equal(fixture->summary.present, 0);
  assert_int_equal(count_stored("a store.db"), POINTS);
  assert_int_equal(access("a store.db.work", F_OK), -1);
  assert_int_equal(run(fixture), TUTTI_OK);
  assert_int_equal(fixture->summary.measured, 0);
  assert_int_equal(fixture->summary.present, POINTS);
}

/* What was told must be in the store: the times that the stand-in makes up depend on the point. */
JOB_TEST(test_values_arrive)
{
  FREED_BY(close_store) tutti_store *store;
  FREED_BY(free_memory) tutti_measurement *found;
  size_t count;
  assert_int_equal(run(fixture), TUTTI_OK);
  assert_int_equal(tutti_store_open("a store.db", &store, NULL), TUTTI_OK);
  tutti_selection selection = {.platform = "a machine",
                               .flavor = "smpi",
                               .library = "SimGrid-3.32",
                               .tutti = TUTTI_VERSION,
                               .collective = TUTTI_COLL_BCAST,
                               .scheme = TUTTI_SCHEME_OCC};
  assert_int_equal(tutti_store_read(store, &selection, &found, &count, NULL), TUTTI_OK);
  assert_int_equal(count, POINTS);
  for (size_t i = 0; i < count; i++) {
    char name[TUTTI_METHOD_LENGTH];
    size_t length = strlen(tutti_method_format(&found[i].method, name));
    double fraction = length < 10 ? (double)length / 10 : (double)length / 100;
    double expected = ((double)found[i].ranks * 1000 + (double)found[i].count + fraction) * 1e-6;
    assert_true(found[i].median > expected * 0.999999999 && found[i].median < expected * 1.000000001);
    assert_int_equal(found[i].ranks_per_node, 1);
  }
}

JOB_TEST(test_keep_leaves_files_until_the_next_run)
{
  fixture->options.keep = true;
  assert_int_equal(run(fixture), TUTTI_OK);
  assert_int_equal(access("a store.db.work/000001.records", F_OK), 0);
  assert_int_equal(access("a store.db.work/000004.points", F_OK), 0);
  fixture->options.keep = false;
  assert_int_equal(run(fixture), TUTTI_OK);
  assert_int_equal(fixture->summary.measured, 0);
  assert_int_equal(access("a store.db.work", F_OK), -1);
}

/* On a real machine the library is known from a first run without points, and becomes part of the environment. */
JOB_TEST(test_real_machine_is_asked_for_its_library)
{
  fixture->experiment.platform_path = NULL;
  fixture->experiment.platform_name = "a cluster";
  fixture->experiment.flavor = "mpich";
  fixture->options.launch.oversubscribe = true;
  assert_int_equal(run(fixture), TUTTI_OK);
  assert_int_equal(fixture->summary.measured, POINTS);
  assert_int_equal(run(fixture), TUTTI_OK);
  assert_int_equal(fixture->summary.present, POINTS);

  FREED_BY(close_store) tutti_store *store;
  FREED_BY(free_memory) tutti_measurement *found;
  size_t count;
  tutti_selection selection = {.platform = "a cluster",
                               .platform_hash = "",
                               .flavor = "mpich",
                               .library = "MPICH-4.0.2",
                               .collective = TUTTI_COLL_BCAST,
                               .scheme = -1};
  assert_int_equal(tutti_store_open("a store.db", &store, NULL), TUTTI_OK);
  assert_int_equal(tutti_store_read(store, &selection, &found, &count, NULL), TUTTI_OK);
  assert_int_equal(count, POINTS);
}
