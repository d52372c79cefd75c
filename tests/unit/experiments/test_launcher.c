/* The launcher: arguments for each flavor, and the last words of a job. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/job.h"

static char *joined(const struct launcher *launcher, const struct launch *launch, char *text, size_t length)
{
  char **arguments = tutti_launcher_arguments(launcher, launch);
  text[0] = '\0';
  for (int i = 0; arguments[i]; i++)
    snprintf(text + strlen(text), length - strlen(text), "%s%s", i ? "|" : "", arguments[i]);
  free(arguments);
  return text;
}

static char *joined_arguments(const struct launcher *launcher, int ranks, char *text, size_t length)
{
  const struct launch launch = {.ranks = ranks, .chunk = 5};
  return joined(launcher, &launch, text, length);
}

static void test_selector(void **state)
{
  (void)state;
  char text[1024];
  struct launcher launcher = {.flavor = "smpi",
                              .command = "/bin/smpirun",
                              .program = "/b/tutti-bench",
                              .platform = "/p.xml",
                              .simulated = true};
  const struct launch launch = {.ranks = 28, .chunk = 5, .native = true, .selector = "mvapich2"};
  assert_string_equal(joined(&launcher, &launch, text, sizeof text),
                      "/bin/smpirun|-np|28|-platform|/p.xml|-hostfile|000005.hosts|-no-privatize|"
                      "--log=root.thres:warning|--cfg=smpi/send-is-detached-thresh:65536|"
                      "--cfg=smpi/coll-selector:mvapich2|/b/tutti-bench|--points|000005.points");
}

/* A simulator is told by options, a library by its environment. */
static void test_directives(void **state)
{
  (void)state;
  char text[1024], preload[LAUNCH_PRELOAD_LENGTH];
  struct launcher launcher = {.flavor = "smpi",
                              .command = "/bin/smpirun",
                              .program = "/b/tutti-bench",
                              .platform = "/p.xml",
                              .simulated = true};
  const tutti_directives directives = {1, {{"smpi/bcast", "flattree"}}};
  const struct launch launch = {.ranks = 28, .chunk = 5, .native = true, .directives = &directives};
  struct tutti_variable variables[LAUNCH_VARIABLES + 1];
  assert_string_equal(joined(&launcher, &launch, text, sizeof text),
                      "/bin/smpirun|-np|28|-platform|/p.xml|-hostfile|000005.hosts|-no-privatize|"
                      "--log=root.thres:warning|--cfg=smpi/send-is-detached-thresh:65536|"
                      "--cfg=smpi/bcast:flattree|/b/tutti-bench|--points|000005.points");
  launcher = (struct launcher){
      .flavor = "mpich", .kind = LAUNCHER_MPICH, .command = "/bin/mpiexec", .program = "/b/tutti-bench"};
  const tutti_directives cvars = {1, {{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "binomial"}}};
  const struct launch real = {.ranks = 4, .chunk = 5, .native = true, .directives = &cvars};
  assert_string_equal(joined(&launcher, &real, text, sizeof text),
                      "/bin/mpiexec|-n|4|/b/tutti-bench|--points|000005.points");
  tutti_launcher_environment(&launcher, &real, preload, variables);
  assert_string_equal(variables[0].name, "MPIR_CVAR_BCAST_INTRA_ALGORITHM");
  assert_string_equal(variables[0].value, "binomial");
  assert_null(variables[1].name);
}

static void test_arguments(void **state)
{
  (void)state;
  char text[1024];
  struct launcher launcher = {.flavor = "smpi",
                              .command = "/bin/smpirun",
                              .program = "/b/tutti-bench",
                              .platform = "/p.xml",
                              .simulated = true};
  assert_string_equal(joined_arguments(&launcher, 28, text, sizeof text),
                      "/bin/smpirun|-np|28|-platform|/p.xml|-hostfile|000005.hosts|-no-privatize|"
                      "--log=root.thres:warning|/b/tutti-bench|--points|000005.points");
  assert_string_equal(joined_arguments(&launcher, 131072, text, sizeof text),
                      "/bin/smpirun|-np|131072|-platform|/p.xml|-hostfile|"
                      "000005.hosts|-no-privatize|--log=root.thres:warning|--cfg=contexts/stack-size:64|"
                      "--cfg=contexts/guard-size:0|/b/tutti-bench|--points|000005.points");
  launcher.options = (tutti_platform_options){.count = 2, .items = {"--cfg=smpi/os:0.5", "--cfg=smpi/ois:0.5"}};
  assert_string_equal(joined_arguments(&launcher, 28, text, sizeof text),
                      "/bin/smpirun|-np|28|-platform|/p.xml|-hostfile|000005.hosts|-no-privatize|"
                      "--log=root.thres:warning|--cfg=smpi/os:0.5|--cfg=smpi/ois:0.5|/b/tutti-bench|--points|"
                      "000005.points");
  launcher = (struct launcher){
      .flavor = "openmpi", .kind = LAUNCHER_OPENMPI, .command = "/bin/mpiexec", .program = "/b/tutti-bench"};
  assert_string_equal(joined_arguments(&launcher, 4, text, sizeof text),
                      "/bin/mpiexec|-np|4|/b/tutti-bench|--points|000005.points");
  launcher.oversubscribe = true;
  assert_string_equal(joined_arguments(&launcher, 4, text, sizeof text),
                      "/bin/mpiexec|--oversubscribe|-np|4|/b/tutti-bench|--points|000005.points");
  launcher.oversubscribe = false;
  setenv("TUTTI_PLUGINS", "/x.so", 1); /* handed on to other hosts */
  assert_string_equal(joined_arguments(&launcher, 4, text, sizeof text),
                      "/bin/mpiexec|-np|4|-x|TUTTI_PLUGINS|/b/tutti-bench|--points|000005.points");
  unsetenv("TUTTI_PLUGINS");
  launcher.hosts = launcher.placed = true;
  launcher.extra = (char *[]){"--bind-to", "core", NULL};
  assert_string_equal(
      joined_arguments(&launcher, 4, text, sizeof text),
      "/bin/mpiexec|-np|4|--hostfile|000005.hosts|--bind-to|core|/b/tutti-bench|--points|000005.points");
  launcher.kind = LAUNCHER_MPICH;
  assert_string_equal(joined_arguments(&launcher, 4, text, sizeof text),
                      "/bin/mpiexec|-n|4|-f|000005.hosts|--bind-to|core|/b/tutti-bench|--points|000005.points");
  launcher.kind = LAUNCHER_SRUN;
  launcher.hosts = false;
  launcher.extra = (char *[]){"--mpi=pmix", NULL};
  assert_string_equal(joined_arguments(&launcher, 4, text, sizeof text),
                      "/bin/mpiexec|--export=ALL|-n|4|--mpi=pmix|/b/tutti-bench|--points|000005.points");
  launcher.oversubscribe = true;
  assert_string_equal(joined_arguments(&launcher, 4, text, sizeof text),
                      "/bin/mpiexec|--overcommit|--export=ALL|-n|4|--mpi=pmix|/b/tutti-bench|--points|000005.points");
  launcher = (struct launcher){
      .flavor = "mpich", .kind = LAUNCHER_MPICH, .command = "/bin/mpiexec", .program = "/b/tutti-bench"};
  assert_string_equal(joined_arguments(&launcher, 4, text, sizeof text),
                      "/bin/mpiexec|-n|4|/b/tutti-bench|--points|000005.points");
}

/* This process may run on one core: two ranks are one too many. */
static void test_more_ranks_than_cores(void **state)
{
  (void)state;
  cpu_set_t before, one;
  tutti_error error = {0};
  struct launcher launcher = {.flavor = "mpich"};
  unsetenv("SLURM_JOB_CPUS_PER_NODE");
  assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
  assert_int_equal(tutti_launcher_cores(&launcher), CPU_COUNT(&before));
  CPU_ZERO(&one);
  for (int i = 0; CPU_COUNT(&one) == 0; i++)
    if (CPU_ISSET(i, &before))
      CPU_SET(i, &one);
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
  assert_int_equal(tutti_launcher_check_ranks(&launcher, 1, "x.xml", &error), TUTTI_OK);
  assert_int_equal(tutti_launcher_check_ranks(&launcher, 2, "x.xml", &error), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message,
                      "x.xml: 2 ranks are more than the 1 core that they can have, so that times would be "
                      "those of ranks that wait for a core: --oversubscribe measures them all the same");
  launcher.oversubscribe = true;
  assert_int_equal(tutti_launcher_check_ranks(&launcher, 2, "x.xml", &error), TUTTI_OK);
  launcher.oversubscribe = false;
  setenv("SLURM_JOB_CPUS_PER_NODE", "4(x2),3", 1);
  assert_int_equal(tutti_launcher_check_ranks(&launcher, 11, "x.xml", &error), TUTTI_OK);
  assert_int_equal(tutti_launcher_check_ranks(&launcher, 12, "x.xml", &error), TUTTI_ERR_ARGUMENT);
  unsetenv("SLURM_JOB_CPUS_PER_NODE");
  launcher.placed = true;
  assert_int_equal(tutti_launcher_check_ranks(&launcher, 100, "x.xml", &error), TUTTI_OK);
  assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

static void test_allocations(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    int cores;
  } cases[] = {{"1", 1},
               {"2,3", 5},
               {"4(x2),3", 11},
               {"72(x128)", 9216},
               {"", 0},
               {"x", 0},
               {"4(x", 0},
               {"4(x2", 0},
               {"4(x0)", 0},
               {"-1", 0},
               {"4;3", 0},
               {"4(x2)3", 0},
               {"2147483647(x2)", 0},
               {"0", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (tutti_launcher_count_allocated(cases[i].text) != cases[i].cores)
      fail_msg("'%s' is not %d cores", cases[i].text, cases[i].cores);
}

static const char *last_words(const char *text, char *line)
{
  FILE *stream = tmpfile();
  assert_non_null(stream);
  fputs(text, stream);
  fflush(stream);
  tutti_job_last_words(fileno(stream), line, 64);
  fclose(stream);
  return line;
}

static void test_last_words(void **state)
{
  (void)state;
  char line[64];
  assert_string_equal(last_words("", line), "");
  assert_string_equal(last_words("\n  \n----\n", line), "");
  assert_string_equal(last_words("first\n  last\t\n\n", line), "last ");
  assert_string_equal(last_words("an error came up\nbacktrace\n", line), "an error came up");
  assert_string_equal(last_words("first error\nsecond error\n", line), "first error");
  assert_string_equal(last_words("tutti-bench: rank 3 is ill\nMPI_Abort was called\nbye\n", line), "rank 3 is ill");
  assert_string_equal(last_words("no newline", line), "no newline");
  assert_string_equal(last_words("note: 4 ranks take turns\n", line), "");
}

#define RULE "--------------------------------------------------------------------------\n"

/* Of the texts of Open MPI the first paragraph says what is wrong, all others what one could do. */
static void test_last_words_of_launchers(void **state)
{
  (void)state;
  char line[64];
  assert_string_equal(last_words(RULE "The policy is not recognized:\n\n  Policy: odd\n\nCheck for an error, or ensure "
                                      "that it is\none.\n" RULE,
                                 line),
                      "The policy is not recognized: Policy: odd");
  assert_string_equal(last_words("ssh: Could not resolve hostname a: x\n" RULE "ORTE was unable to start.\n\n* an "
                                 "error\n" RULE "this is an internal error\n",
                                 line),
                      "ssh: Could not resolve hostname a: x");
  assert_string_equal(last_words("it broke here\n" RULE "Primary job  terminated normally, but one\n" RULE, line),
                      "it broke here");
  assert_string_equal(
      last_words(RULE "Primary job  terminated\n" RULE RULE "mpirun noticed that rank 0\nwas killed.\n" RULE, line),
      "mpirun noticed that rank 0 was killed.");
  assert_string_equal(last_words("[mpiexec@a] match_arg: unrecognized\n[mpiexec@a] main: error parsing\n", line),
                      "[mpiexec@a] match_arg: unrecognized");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arguments),
      cmocka_unit_test(test_selector),
      cmocka_unit_test(test_directives),
      cmocka_unit_test(test_last_words),
      cmocka_unit_test(test_last_words_of_launchers),
      cmocka_unit_test(test_more_ranks_than_cores),
      cmocka_unit_test(test_allocations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
