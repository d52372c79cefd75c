/* Jobs as processes of this machine, a few at once. The first that fails ends the run. */
#include <signal.h>

#include "experiments/job_run.h"

#define POLL_SECONDS  0.1
#define GRACE_SECONDS 2.0 /* between SIGTERM and SIGKILL */

/* A real machine is measured by one job at a time. */
static int jobs_of(const struct run *run)
{
  return run->launcher.simulated && run->options->jobs > 1 ? run->options->jobs : 1;
}

static void start(struct run *run)
{
  for (int i = 0; i < run->job_count && !tutti_run_must_stop(run); i++) {
    if (run->jobs[i].active || run->next == run->plan.chunk_count)
      continue;
    tutti_error failure = {0};
    const tutti_chunk *chunk = &run->plan.chunks[run->next++];
    if (tutti_job_start(&run->jobs[i], &run->setting, chunk, run->work.next++, &failure) != TUTTI_OK)
      tutti_run_fail(run, &failure);
  }
}

static double interval(const struct run *run)
{
  (void)run;
  return POLL_SECONDS;
}

static bool ended(struct run *run, struct job *job)
{
  (void)run;
  if (job->fault.status != TUTTI_OK)
    tutti_job_kill(job, SIGKILL);
  return tutti_job_reap(job, &job->wait_status);
}

static void signal_jobs(struct run *run, int number)
{
  for (int i = 0; i < run->job_count; i++)
    if (run->jobs[i].active)
      tutti_job_kill(&run->jobs[i], number);
}

static void stop(struct run *run)
{
  if (run->stopped == 0) {
    run->stopped = tutti_job_clock();
    signal_jobs(run, SIGTERM);
  } else if (tutti_job_clock() - run->stopped > GRACE_SECONDS) {
    signal_jobs(run, SIGKILL);
  }
}

const struct backend tutti_backend_local = {
    .share = jobs_of, .slots = jobs_of, .start = start, .interval = interval, .ended = ended, .stop = stop};
