/* An experiment of a few points in a directory of its own, measured by a stand-in for the launcher. */
#ifndef TUTTI_TESTS_JOB_FIXTURE_H
#define TUTTI_TESTS_JOB_FIXTURE_H

#include <sys/stat.h>

#include "tutti/job.h"
#include "unit/base/scratch_file.h"
#include "unit/harness/store/close_store.h"

enum { POINTS = 4 * 3 * 2 };

/* A directory of its own, and an experiment of POINTS points in it. Blanks in the paths, which smpirun cannot take. */
struct fixture {
  char directory[64];
  char *old_path;
  tutti_method methods[2];
  int ranks[4];
  uint64_t sizes[3];
  tutti_sweep sweep;
  tutti_experiment experiment;
  tutti_run_options options;
  tutti_run_summary summary;
  tutti_error error;
};

static inline void use_launchers(struct fixture *fixture)
{
  static const char fake[] = TUTTI_SOURCE_DIR "/tests/e2e/fake/smpirun";
  char *path;
  assert_int_equal(mkdir("bin", 0777), 0);
  assert_int_equal(symlink(fake, "bin/smpirun"), 0);
  assert_int_equal(symlink(fake, "bin/mpiexec.mpich"), 0);
  fixture->old_path = strdup(getenv("PATH"));
  assert_true(asprintf(&path, "bin:%s", fixture->old_path) > 0);
  setenv("PATH", path, 1);
  free(path);
  setenv("FAKE_TUTTI", TUTTI_VERSION, 1);
}

static inline void write_inputs(void)
{
  write_file("a machine.xml", "<?xml version='1.0'?>\n"
                              "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                              "<platform version=\"4.1\">\n"
                              "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-7\" speed=\"1Gf\" bw=\"1GBps\" "
                              "lat=\"1us\"/>\n</platform>\n");
  write_file("a program", "#!/bin/sh\n");
  assert_int_equal(chmod("a program", 0755), 0);
}

static inline void make_experiment(struct fixture *fixture)
{
  assert_int_equal(tutti_method_parse("bcast/linear", &fixture->methods[0], NULL), TUTTI_OK);
  assert_int_equal(tutti_method_parse("bcast/binomial/8KB", &fixture->methods[1], NULL), TUTTI_OK);
  memcpy(fixture->ranks, (int[]){2, 3, 4, 8}, sizeof fixture->ranks);
  memcpy(fixture->sizes, (uint64_t[]){1, 1024, 100000}, sizeof fixture->sizes);
  fixture->sweep = (tutti_sweep){.collective = TUTTI_COLL_BCAST,
                                 .ranks_count = 4,
                                 .ranks = fixture->ranks,
                                 .size_count = 3,
                                 .sizes = fixture->sizes,
                                 .method_count = 2,
                                 .methods = fixture->methods};
  fixture->experiment = (tutti_experiment){.path = "an experiment.xml",
                                           .name = "test",
                                           .platform_name = "a machine",
                                           .platform_path = "a machine.xml",
                                           .flavor = "smpi",
                                           .measure = {TUTTI_SCHEME_OCC, 3, 200, 0.05},
                                           .sweep_count = 1,
                                           .sweeps = &fixture->sweep};
  fixture->options = (tutti_run_options){.database = "a store.db", .program = "a program", .jobs = 2};
}

static inline int set_up(void **state)
{
  struct fixture *fixture = calloc(1, sizeof *fixture);
  strcpy(fixture->directory, "/tmp/tutti-job-XXXXXX");
  assert_non_null(mkdtemp(fixture->directory));
  assert_int_equal(chdir(fixture->directory), 0);
  use_launchers(fixture);
  write_inputs();
  make_experiment(fixture);
  *state = fixture;
  return 0;
}

static inline int tear_down(void **state)
{
  FREED_BY(free_memory) struct fixture *fixture = *state;
  static const char *const names[] = {"FAKE_MODE", "FAKE_AFTER", "FAKE_RANKS", "FAKE_LOG", "FAKE_TUTTI"};
  char *command;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    unsetenv(names[i]);
  setenv("PATH", fixture->old_path, 1);
  assert_int_equal(chdir("/"), 0);
  assert_true(asprintf(&command, "rm -rf %s", fixture->directory) > 0);
  assert_int_equal(system(command), 0);
  free(command);
  free(fixture->old_path);
  return 0;
}

#define JOB_TEST(name) TEST_ON(name, set_up, tear_down, struct fixture, fixture)

static inline tutti_status run(struct fixture *fixture)
{
  fixture->error = (tutti_error){0};
  return tutti_experiment_run(&fixture->experiment, &fixture->options, &fixture->summary, &fixture->error);
}

static inline size_t count_stored(const char *path)
{
  FREED_BY(close_store) tutti_store *store;
  tutti_selection selection = {.collective = TUTTI_COLL_BCAST, .scheme = -1};
  FREED_BY(free_memory) tutti_measurement *measurements;
  size_t count;
  assert_int_equal(tutti_store_open(path, &store, NULL), TUTTI_OK);
  assert_int_equal(tutti_store_read(store, &selection, &measurements, &count, NULL), TUTTI_OK);
  return count;
}

static inline void assert_says(const struct fixture *fixture, const char *part)
{
  if (!strstr(fixture->error.message, part))
    fail_msg("'%s' does not say '%s'", fixture->error.message, part);
}

#endif
