/* The launcher: arguments for each flavor, and the last words of a job. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

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
  launcher = (struct launcher){
      .flavor = "openmpi", .kind = LAUNCHER_OPENMPI, .command = "/bin/mpiexec", .program = "/b/tutti-bench"};
  assert_string_equal(joined_arguments(&launcher, 4, text, sizeof text),
                      "/bin/mpiexec|--oversubscribe|-np|4|/b/tutti-bench|--points|000005.points");
  launcher.hosts = launcher.placed = true;
  launcher.extra = (char *[]){"--bind-to", "core", NULL};
  assert_string_equal(
      joined_arguments(&launcher, 4, text, sizeof text),
      "/bin/mpiexec|-np|4|--hostfile|000005.hosts|--bind-to|core|/b/tutti-bench|--points|000005.points");
  launcher.kind = LAUNCHER_MPICH;
  assert_string_equal(joined_arguments(&launcher, 4, text, sizeof text),
                      "/bin/mpiexec|-n|4|-f|000005.hosts|--bind-to|core|/b/tutti-bench|--points|000005.points");
  launcher = (struct launcher){
      .flavor = "mpich", .kind = LAUNCHER_MPICH, .command = "/bin/mpiexec", .program = "/b/tutti-bench"};
  assert_string_equal(joined_arguments(&launcher, 4, text, sizeof text),
                      "/bin/mpiexec|-n|4|/b/tutti-bench|--points|000005.points");
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
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arguments),
      cmocka_unit_test(test_selector),
      cmocka_unit_test(test_last_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
