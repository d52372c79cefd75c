/* Jobs that fail: the fault is told in one sentence, and nothing that arrived is lost. */
#include "unit/harness/experiments/job_fixture.h"

#include <fcntl.h>
#include <sys/file.h>

struct failure {
  const char *mode;
  const char *says;
};

/* The job of 4 ranks fails after three points: these are stored, the fault is told, a second run does the rest. */
JOB_TEST(test_failures_are_told_and_nothing_is_lost)
{
  static const struct failure failures[] = {
      {"deadlock", "was aborted"},
      {"deadlock", "Deadlock detected"},
      {"abort", "rank 3: out of memory"},
      {"kill", "killed by signal 9"},
      {"exit", "status 7"},
      {"exit", "it broke here"},
      {"no-end", "without its closing"},
      {"wrong-end", "ended with 6 measurements, counting 7"},
      {"wrong-order", "count=77777 type_B=1 was measured where"},
      {"garbage", "tutti-measurement: field"},
      {"wrong-run", "SimGrid-3.31 where SimGrid-3.32 was expected"},
  };
  setenv("FAKE_RANKS", "4", 1);
  for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
    setenv("FAKE_MODE", failures[i].mode, 1);
    assert_int_equal(run(fixture), TUTTI_ERR_LAUNCH);
    assert_says(fixture, failures[i].says);
    assert_says(fixture, "an experiment.xml: tutti-bench on 4 ranks");
    assert_int_equal(count_stored("a store.db"), fixture->summary.measured);
    size_t measured = fixture->summary.measured;
    setenv("FAKE_MODE", "ok", 1);
    assert_int_equal(run(fixture), TUTTI_OK);
    assert_int_equal(fixture->summary.present, measured);
    assert_int_equal(fixture->summary.measured, POINTS - measured);
    assert_int_equal(access("a store.db.work", F_OK), -1);
    assert_int_equal(unlink("a store.db"), 0);
  }
}

JOB_TEST(test_point_in_flight_is_named)
{
  setenv("FAKE_MODE", "exit", 1);
  setenv("FAKE_AFTER", "1", 1);
  fixture->sweep.ranks_count = 1;
  fixture->options.jobs = 1;
  assert_int_equal(run(fixture), TUTTI_ERR_LAUNCH);
  assert_says(fixture, "on 2 ranks ended with status 7 while measuring bcast/linear with 1 B: it broke here");
  assert_int_equal(count_stored("a store.db"), 1);
}

JOB_TEST(test_missing_tools_are_named)
{
  fixture->options.program = "nowhere/tutti-bench";
  assert_int_equal(run(fixture), TUTTI_ERR_LAUNCH);
  assert_says(fixture, "no measuring program for flavor smpi: nowhere/tutti-bench");
  fixture->options.program = "a program";
  setenv("PATH", "/nonexistent", 1);
  assert_int_equal(run(fixture), TUTTI_ERR_LAUNCH);
  assert_says(fixture, "smpirun not found in PATH: install SimGrid (Debian: libsimgrid-dev)");
  assert_int_equal(access("a store.db", F_OK), -1);
}

JOB_TEST(test_too_many_ranks_are_told_at_once)
{
  fixture->ranks[3] = 9;
  assert_int_equal(run(fixture), TUTTI_ERR_ARGUMENT);
  assert_says(fixture, "an experiment.xml");
  assert_says(fixture, "9");
  assert_int_equal(access("a store.db", F_OK), -1);
}

JOB_TEST(test_second_run_names_the_first)
{
  char text[64];
  assert_int_equal(mkdir("a store.db.work", 0777), 0);
  int lock = open("a store.db.work/lock", O_RDWR | O_CREAT, 0666);
  assert_int_equal(flock(lock, LOCK_EX), 0);
  assert_true(dprintf(lock, "%d\n", 4711) > 0);
  assert_int_equal(run(fixture), TUTTI_ERR_IO);
  assert_says(fixture, "a store.db.work is in use by another run, process 4711");
  snprintf(text, sizeof text, "%s", "a store.db.work/lock");
  assert_int_equal(access(text, F_OK), 0);
  close(lock);
  assert_int_equal(run(fixture), TUTTI_OK);
  assert_int_equal(fixture->summary.measured, POINTS);
}
