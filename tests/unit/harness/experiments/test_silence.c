/* How long a job may be silent: an hour, or 20 times as long as the point that it is at should take. */
#include <sys/wait.h>

#include "base/clock.h"
#include "harness/experiments/jobs/job.h"
#include "unit/test.h"

enum { POINTS = 3 };

/* A job of three points that has just started, in repetitions of which each takes 11 times as long as a message. */
struct situation {
  tutti_point points[POINTS];
  tutti_run_options options;
  tutti_chunk chunk;
  struct run run;
  struct job job;
};

static void begin(struct situation *s, double cost)
{
  *s = (struct situation){.chunk = {.count = 2, .first = 1}};
  for (int i = 0; i < POINTS; i++)
    s->points[i] = (tutti_point){.count = 1000000, .type_size = 8, .cost = cost};
  s->run = (struct run){
      .options = &s->options,
      .job_count = 2,
      .launcher = {.simulated = true},
      .plan = {.points = s->points, .point_count = POINTS, .measure = {.warmup = 2, .repetitions_max = 8}}};
  s->job = (struct job){.reader = {.chunk = &s->chunk}};
}

static double silence(const struct situation *s)
{
  return tutti_run_silence(&s->run, &s->job);
}

/* The point that a run waits for is named, once. */
TEST(a_slow_point_is_named)
{
  struct situation s;
  const struct job_setting setting = {.program = "tutti-bench"};
  begin(&s, 1);
  assert_int_equal(tutti_method_parse("bcast/chain/8KB", &s.points[2].method, NULL), TUTTI_OK);
  s.points[1].method = s.points[2].method;
  s.points[1].ranks = s.points[2].ranks = 128;
  s.job.manifest.ranks = 128;
  s.job.reader.begun = true;
  s.job.reader.received = 1;
  s.job.reader.plan = &s.run.plan;
  s.job.heard = tutti_clock(CLOCK_MONOTONIC) - 5;
  assert_null(tutti_job_slow(&s.job, &setting));
  assert_string_equal(
      tutti_job_name_slow(&s.job),
      "bcast/chain/8KB with 8000000 B on 128 ranks, about 1.241e+05 messages"); /* 127 receivers, 977 each */
  s.job.heard -= 60;
  char *message = tutti_job_slow(&s.job, &setting);
  assert_non_null(message);
  assert_string_equal(message,
                      "tutti-bench on 128 ranks has printed nothing for 65 s while measuring bcast/chain/8KB with "
                      "8000000 B, about 1.241e+05 messages");
  free(message);
  assert_null(tutti_job_slow(&s.job, &setting));
  s.job.reader.received = 0;
  message = tutti_job_slow(&s.job, &setting);
  assert_non_null(message);
  free(message);
}

/* A launcher that says nothing is named, once, and how long it still has; a queue is another matter. */
TEST(a_silent_launch_is_named)
{
  struct situation s;
  struct launcher launcher = {.simulated = true};
  const struct work nowhere = {.directory = -1, .lock = -1};
  const struct job_setting setting = {.program = "tutti-bench", .launcher = &launcher, .work = &nowhere};
  begin(&s, 1);
  s.job.manifest.ranks = 1;
  s.job.limit = 3600;
  s.job.heard = tutti_clock(CLOCK_MONOTONIC);
  s.job.awaited = s.job.heard - 30;
  assert_null(tutti_job_news(&s.job, &setting));
  launcher.simulated = false;
  strcpy(s.job.where, "element 3 of Slurm job 17");
  assert_null(tutti_job_news(&s.job, &setting));
  s.job.where[0] = '\0';
  char *message = tutti_job_news(&s.job, &setting);
  assert_non_null(message);
  assert_string_equal(message, "tutti-bench on 1 rank has printed no record yet and is ended in 60 min unless it does "
                               "(--job-timeout); it says nothing on standard error");
  free(message);
  assert_null(tutti_job_news(&s.job, &setting));
}

/* A launcher may wait for ever for a host that it has not reached. What it prints meanwhile gives it another minute. */
TEST(a_launch_without_its_host_is_ended)
{
  struct situation s;
  struct launcher launcher = {.simulated = false};
  const struct work nowhere = {.directory = -1, .lock = -1};
  const struct job_setting setting = {.program = "tutti-bench", .launcher = &launcher, .work = &nowhere};
  int status = 0;
  begin(&s, 1);
  s.job.process = fork();
  if (s.job.process == 0)
    for (;;)
      pause();
  s.job.unreached = tutti_clock(CLOCK_MONOTONIC) - 50;
  assert_null(tutti_job_news(&s.job, &setting));
  assert_string_equal(s.job.reason, "");
  s.job.unreached -= 11;
  assert_null(tutti_job_news(&s.job, &setting));
  assert_string_equal(s.job.reason, "printed nothing for 60 s after a host was not reached");
  assert_int_equal(waitpid(s.job.process, &status, 0), s.job.process);
  assert_true(WIFSIGNALED(status));
}

TEST(short_points_have_an_hour)
{
  struct situation s;
  begin(&s, 1000); /* 20 * 1000 * 1.1 ms = 22 s */
  assert_float_equal(silence(&s), 3600, 1e-9);
}

TEST(a_message_takes_a_tenth_of_a_millisecond)
{
  struct situation s;
  begin(&s, 1e6);
  assert_float_equal(silence(&s), 20 * 1e6 * 1e-4 * 11, 1e-6);
}

TEST(real_machines_move_bytes)
{
  struct situation s;
  begin(&s, 1e6);
  s.run.launcher.simulated = false; /* 8 MB at 100 MB/s */
  assert_float_equal(silence(&s), 20 * 1e6 * (1e-4 + 0.08) * 11, 1e-3);
}

TEST(what_was_measured_counts_if_it_is_more)
{
  struct situation s;
  begin(&s, 1e6);
  s.run.started = 50;
  s.run.heard = 150;
  s.run.cost_measured = 50000; /* two jobs: 4 ms a message */
  assert_float_equal(silence(&s), 20 * 1e6 * 4e-3, 1e-6);
  s.run.cost_measured = 1e6; /* 0.2 ms */
  assert_float_equal(silence(&s), 20 * 1e6 * 1.1e-3, 1e-6);
}

/* The estimate is that of the first point that did not arrive. */
TEST(each_point_has_its_own)
{
  struct situation s;
  begin(&s, 1e6);
  s.points[0].cost = 5e6; /* of another job */
  s.points[2].cost = 3e6;
  assert_float_equal(silence(&s), 20 * 1e6 * 1.1e-3, 1e-6);
  s.job.reader.received = 1;
  assert_float_equal(silence(&s), 20 * 3e6 * 1.1e-3, 1e-6);
  s.job.reader.received = 2;
  assert_float_equal(silence(&s), 3600, 1e-9);
}

TEST(an_option_is_taken_as_it_is)
{
  struct situation s;
  begin(&s, 1e6);
  s.options.job_timeout = 2;
  assert_float_equal(silence(&s), 2, 0);
}
