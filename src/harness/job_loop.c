/* Several jobs at once: start, take in, reap, until all is measured or something failed. */
#include <signal.h>
#include <stdlib.h>

#include "harness/job_run.h"

#define POLL_SECONDS  0.1
#define GRACE_SECONDS 2.0 /* between SIGTERM and SIGKILL */

/* The first failure is the one that is told. */
static void fail_run(struct run *run, const tutti_error *failure)
{
  if (run->error->status == TUTTI_OK)
    *run->error = *failure;
}

static int count_active(const struct run *run)
{
  int active = 0;
  for (int i = 0; i < run->job_count; i++)
    active += run->jobs[i].active;
  return active;
}

static void signal_jobs(struct run *run, int number)
{
  for (int i = 0; i < run->job_count; i++)
    if (run->jobs[i].active)
      tutti_job_kill(&run->jobs[i], number);
}

static void stop_jobs(struct run *run)
{
  if (run->stopped == 0) {
    run->stopped = tutti_job_clock();
    signal_jobs(run, SIGTERM);
  } else if (tutti_job_clock() - run->stopped > GRACE_SECONDS) {
    signal_jobs(run, SIGKILL);
  }
}

static bool must_stop(const struct run *run)
{
  return run->interruption || run->error->status != TUTTI_OK;
}

static void start_jobs(struct run *run)
{
  for (int i = 0; i < run->job_count && !must_stop(run); i++) {
    if (run->jobs[i].active || run->next == run->plan.chunk_count)
      continue;
    tutti_error failure = {0};
    const tutti_chunk *chunk = &run->plan.chunks[run->next++];
    if (tutti_job_start(&run->jobs[i], &run->setting, chunk, run->work.next++, &failure) != TUTTI_OK)
      fail_run(run, &failure);
  }
}

/* Take in what a job has printed. A job that prints nonsense is killed; its end is judged as any other. */
static void poll_job(struct run *run, struct job *job)
{
  size_t before = job->reader.received;
  tutti_error failure = {0};
  tutti_status status = tutti_job_poll(job, &run->setting, &failure);
  for (size_t i = before; i < job->reader.received; i++)
    run->cost_measured += run->plan.points[job->reader.chunk->first + i].cost;
  run->summary->measured += job->reader.received - before;
  if (status == TUTTI_ERR_LAUNCH)
    tutti_job_kill(job, SIGKILL);
  else if (status != TUTTI_OK)
    fail_run(run, &failure);
}

/* What arrived must be in the store before its file goes; if it does not get there, the next run finds the file. */
static enum job_files files_after(struct run *run, bool sound)
{
  tutti_error failure = {0};
  if (tutti_intake_flush(run->intake, &failure) != TUTTI_OK) {
    fail_run(run, &failure);
    return JOB_FILES_KEEP;
  }
  if (run->options->keep)
    return JOB_FILES_KEEP;
  return sound ? JOB_FILES_REMOVE : JOB_FILES_KEEP_ERRORS;
}

/* A job that ended because it was told to is not at fault. */
static void finish_job(struct run *run, struct job *job, int wait_status)
{
  poll_job(run, job);
  tutti_error failure = {0};
  bool sound = must_stop(run) || tutti_job_judge(job, &run->setting, wait_status, &failure) == TUTTI_OK;
  if (!sound)
    fail_run(run, &failure);
  tutti_job_close(job, &run->setting, files_after(run, sound));
}

static void tend_jobs(struct run *run)
{
  for (int i = 0; i < run->job_count; i++) {
    struct job *job = &run->jobs[i];
    int wait_status;
    if (!job->active)
      continue;
    if (tutti_job_reap(job, &wait_status))
      finish_job(run, job, wait_status);
    else
      poll_job(run, job);
  }
  tutti_error failure = {0};
  if (tutti_intake_flush_if_due(run->intake, &failure) != TUTTI_OK)
    fail_run(run, &failure);
}

static void report(const struct run *run)
{
  if (!run->options->report)
    return;
  tutti_progress progress = {.planned = run->plan.point_count,
                             .measured = run->summary->measured,
                             .cost = run->plan.cost,
                             .cost_measured = run->cost_measured,
                             .seconds = tutti_job_clock() - run->started};
  run->options->report(run->options->context, &progress);
}

tutti_status tutti_run_loop(struct run *run)
{
  run->started = tutti_job_clock();
  for (;;) {
    start_jobs(run);
    if (count_active(run) == 0)
      break;
    int number = tutti_signals_wait(&run->signals, POLL_SECONDS);
    if (number && !run->interruption)
      run->interruption = number;
    tend_jobs(run);
    if (must_stop(run))
      stop_jobs(run);
    report(run);
  }
  report(run);
  run->summary->measured -= run->intake->waiting + run->intake->builds_waiting; /* none, unless the store failed */
  return run->error->status;
}
