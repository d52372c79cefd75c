/* Records of tutti-pingpong are believed only when all of them arrived. */
#include <sys/stat.h>

#include "harness/experiments/launch/launcher.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

#define SIZE "tutti-pingpong v=1 bytes=8 time_s=1e-06\n"
#define FIT  "tutti-pingpong-fit v=1 alpha_s=0.0001 beta_s_per_B=8.51e-08\n"

static void check_refused(const char *output, const char *message)
{
  char copy[512];
  platform_probe probe;
  snprintf(copy, sizeof copy, "%s", output);
  assert_fails(tutti_platform_probe_parse(copy, &probe, 1, REASON), TUTTI_ERR_LAUNCH, error, message);
}

TEST(complete_output_is_read)
{
  char output[] = "noise\n" SIZE SIZE FIT "tutti-end v=1 measurements=2\n";
  platform_probe probe;
  assert_int_equal(tutti_platform_probe_parse(output, &probe, 1, &error), TUTTI_OK);
  assert_true(probe.alpha == 0.0001 && probe.beta == 8.51e-08);
  assert_int_equal(probe.sizes, 2);
}

/* Rank 0 with each other rank, one after the other. */
TEST(partners_have_a_fit_each)
{
  char output[] = SIZE FIT SIZE "tutti-pingpong-fit v=1 alpha_s=0.0002 beta_s_per_B=1e-09\n"
                                "tutti-end v=1 measurements=2\n",
       missing[] = SIZE FIT SIZE "tutti-end v=1 measurements=2\n",
       infinite[] = SIZE "tutti-pingpong-fit v=1 alpha_s=inf beta_s_per_B=1e-09\ntutti-end v=1 measurements=1\n";
  platform_probe probes[2];
  assert_int_equal(tutti_platform_probe_parse(output, probes, 2, &error), TUTTI_OK);
  assert_true(probes[0].alpha == 0.0001 && probes[1].alpha == 0.0002 && probes[1].beta == 1e-09);
  assert_true(probes[0].sizes == 1 && probes[1].sizes == 1);
  assert_int_equal(tutti_platform_probe_parse(missing, probes, 2, &error), TUTTI_ERR_LAUNCH);
  assert_int_equal(tutti_platform_probe_parse(infinite, probes, 1, &error), TUTTI_ERR_LAUNCH);
}

TEST(incomplete_output_is_refused)
{
  check_refused("", "no closing record for 0 measurements");
  check_refused(SIZE FIT, "no closing record for 1 measurement");
  check_refused(SIZE FIT "tutti-end v=1 measurements=2\n", "no closing record for 1 measurement");
  check_refused(SIZE "tutti-end v=1 measurements=1\n", "no fit of alpha and beta");
  check_refused(SIZE FIT "tutti-end v=1 measurements=\n", "measurements");
}

/* smpirun itself ends with 0 after a deadlock: a program that says nothing must not pass. */
TEST(a_silent_or_missing_program_is_refused)
{
  tutti_platform platform;
  const tutti_platform_partner second = {.host = 1, .links = 2};
  platform_probe probe;
  if (system("command -v smpirun > /dev/null") != 0) {
    print_message("skipped: a_silent_or_missing_program: no smpirun (Debian: apt-get install libsimgrid-dev)\n");
    skip();
  }
  const char *path = TUTTI_SOURCE_DIR "/platforms/grig_fast_ethernet.xml";
  assert_int_equal(tutti_platform_read(path, &platform, REASON), TUTTI_OK);
  SCRATCH_FILE(file, "silent program", "#!/bin/sh\nexit 0\n");
  chmod(file.path, 0700);
  tutti_status silent = tutti_platform_probe_run(&platform, &second, 1, file.path, 60, &probe, REASON);
  assert_int_equal(silent, TUTTI_ERR_LAUNCH);
  assert_non_null(strstr(error.message, "grig_fast_ethernet.xml: "));
  assert_fails(tutti_platform_probe_run(&platform, &second, 1, "/nowhere/pingpong", 60, &probe, REASON),
               TUTTI_ERR_LAUNCH, error, "no measuring program for flavor smpi: /nowhere/pingpong");
  tutti_platform_free(&platform);
}
