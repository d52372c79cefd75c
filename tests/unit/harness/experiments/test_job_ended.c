/* Runs that are ended from outside: no job outlives them, and the next run takes in what they left. */
#include "unit/harness/experiments/job_fixture.h"

#include <signal.h>
#include <sys/wait.h>

static void write_leftover(const char *number, const char *library, const char *records)
{
  char path[128], card[512];
  mkdir("a store.db.work", 0777);
  snprintf(path, sizeof path, "a store.db.work/%s.card", number);
  snprintf(card, sizeof card,
           "tutti-card v=1\nplatform=other\nplatform_hash=\nflavor=mpich\nlibrary=%s\ntutti=9.9\nscheme=occ\nranks=4\n"
           "ranks_per_node=2\n",
           library);
  write_file(path, card);
  snprintf(path, sizeof path, "a store.db.work/%s.records", number);
  write_file(path, records);
}

#define MEASUREMENT(count)                                                                                             \
  "tutti-measurement v=1 method=bcast/linear scheme=occ ranks=4 root=0 count=" #count                                  \
  " type_B=1 repetitions=9 minimum_s=1 median_s=2 mean_s=2 maximum_s=3"

/* Leftovers of a killed run are stored under the conditions on their card, all but the line that was being written. */
JOB_TEST(test_leftovers_are_taken_in)
{
  write_leftover("000007", "MPICH-4.0.2",
                 "some other output\ntutti-run v=1 tutti=9.9 flavor=mpich library=MPICH-4.0.2 ranks=4 "
                 "ranks_per_node=2\n" MEASUREMENT(1) "\n" MEASUREMENT(
                     2) "\ntutti-measurement v=1 method=bro\n" MEASUREMENT(3) "\n" MEASUREMENT(4));
  write_leftover(
      "000009", "MPICH-4.0.2",
      "tutti-run v=1 tutti=9.9 flavor=mpich library=MPICH-4.0.3 ranks=4 ranks_per_node=2\n" MEASUREMENT(5) "\n");
  write_file("a store.db.work/000012.card", "something else\n");
  assert_int_equal(run(fixture), TUTTI_OK);
  assert_int_equal(fixture->summary.recovered, 3);
  assert_int_equal(fixture->summary.measured, POINTS);
  assert_int_equal(access("a store.db.work/000007.card", F_OK), -1);
  assert_int_equal(access("a store.db.work/000009.records", F_OK), -1);
  assert_int_equal(access("a store.db.work/000012.card", F_OK), 0);

  FREED_BY(close_store) tutti_store *store;
  FREED_BY(free_memory) tutti_measurement *found;
  size_t count;
  tutti_selection selection = {.platform = "other",
                               .platform_hash = "",
                               .flavor = "mpich",
                               .library = "MPICH-4.0.2",
                               .tutti = "9.9",
                               .collective = TUTTI_COLL_BCAST,
                               .scheme = TUTTI_SCHEME_OCC};
  assert_int_equal(tutti_store_open("a store.db", &store, NULL), TUTTI_OK);
  assert_int_equal(tutti_store_read(store, &selection, &found, &count, NULL), TUTTI_OK);
  assert_int_equal(count, 3);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(found[i].count, i + 1);
    assert_int_equal(found[i].ranks_per_node, 2);
    assert_true(found[i].median == 2);
  }
}

static size_t count_lines(const char *path)
{
  size_t lines = 0;
  FILE *stream = fopen(path, "r");
  for (int c; stream && (c = fgetc(stream)) != EOF;)
    lines += c == '\n';
  if (stream)
    fclose(stream);
  return lines;
}

/* A run in a process of its own, ended by a signal once some points are measured. Returns its wait status. */
static int run_and_signal(struct fixture *fixture, int number, const char *log)
{
  int wait_status;
  pid_t process = fork();
  if (process == 0) {
    tutti_status status = run(fixture);
    _exit(status == TUTTI_ERR_LAUNCH && fixture->summary.signal ? fixture->summary.signal : 100);
  }
  for (int i = 0; i < 10000 && count_lines(log) < 3; i++)
    usleep(2000);
  kill(process, number);
  assert_int_equal(waitpid(process, &wait_status, 0), process);
  return wait_status;
}

JOB_TEST(test_termination_stores_what_arrived)
{
  char log[128];
  snprintf(log, sizeof log, "%s/log", fixture->directory);
  setenv("FAKE_MODE", "slow", 1);
  setenv("FAKE_LOG", log, 1);
  int wait_status = run_and_signal(fixture, SIGTERM, log);
  assert_true(WIFEXITED(wait_status));
  assert_int_equal(WEXITSTATUS(wait_status), SIGTERM);
  size_t stored = count_stored("a store.db"), logged = count_lines(log);
  assert_uint_in_range(stored, 1, POINTS - 1);
  /* The log is written after the record: one more record may have been printed by each job. */
  assert_uint_in_range(stored, logged, logged + 2);
  usleep(200000);
  assert_int_equal(count_lines(log), logged);
  assert_int_equal(access("a store.db.work", F_OK), -1);
}

JOB_TEST(test_killed_run_leaves_no_job_and_is_resumed)
{
  char log[128];
  snprintf(log, sizeof log, "%s/log", fixture->directory);
  setenv("FAKE_MODE", "slow", 1);
  setenv("FAKE_LOG", log, 1);
  int wait_status = run_and_signal(fixture, SIGKILL, log);
  assert_true(WIFSIGNALED(wait_status));
  usleep(50000);
  size_t logged = count_lines(log);
  assert_uint_in_range(logged, 1, POINTS - 1);
  usleep(200000);
  assert_int_equal(count_lines(log), logged);
  setenv("FAKE_MODE", "ok", 1);
  assert_int_equal(run(fixture), TUTTI_OK);
  assert_int_equal(fixture->summary.present + fixture->summary.measured, POINTS);
  assert_uint_in_range(fixture->summary.present, logged, logged + 2);
  assert_int_equal(count_stored("a store.db"), POINTS);
  assert_int_equal(access("a store.db.work", F_OK), -1);
}
