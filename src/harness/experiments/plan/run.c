/* A run: several jobs at once are started, their records stored, and reaped, until all is measured or something
   failed. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/say.h"
#include "harness/experiments/jobs/job.h"

void tutti_run_fail(struct run *run, const tutti_error *failure)
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

bool tutti_run_must_stop(const struct run *run)
{
  return run->interruption || run->late || run->error->status != TUTTI_OK;
}

/* With jobs one after the other: the time from the last point of one until the next begins to measure. */
static double start_of(const struct run *run)
{
  bool one = run->job_count == 1 && !run->options->launch.slurm;
  return one ? tutti_clock(CLOCK_MONOTONIC) - (run->heard > 0 ? run->heard : run->started) : 0;
}

static tutti_progress progress_of(const struct run *run)
{
  struct job *largest = tutti_job_largest(run->jobs, run->job_count);
  double now = run->job_count == 1 && run->jobs[0].active && !run->jobs[0].reader.begun ? start_of(run) : 0;
  double mean = run->starts > 0 ? run->starting / (double)run->starts : 0;
  double left = mean * ((double)run->plan.chunk_count - (double)run->starts) - now;
  return (tutti_progress){.planned = run->plan.point_count,
                          .measured = run->summary->measured,
                          .noisy = run->ingest->noise.noisy,
                          .cost = run->plan.cost,
                          .cost_measured = run->cost_measured,
                          .under_way = largest ? tutti_job_point(largest)->cost * count_active(run)
                                               : 0, /* they share the rate */
                          .point = largest ? tutti_job_name_slow(largest) : NULL,
                          .starting = run->starting + now,
                          .starting_left = left > 0 ? left : 0,
                          .seconds = tutti_clock(CLOCK_MONOTONIC) - run->started};
}

/* Lines that the user should read at once. */
static void report_progress(const struct run *run, const char *message)
{
  tutti_progress progress = progress_of(run);
  progress.message = message;
  if (run->options->report)
    run->options->report(run->options->context, &progress);
  else
    tutti_say(stderr, "tutti: %s\n", message);
}

static void tell_and_free(const struct run *run, char *message)
{
  if (message)
    report_progress(run, message);
  free(message);
}

static void count_received(struct run *run, const struct job *job, size_t before)
{
  if (!job->reader.chunk) {
    run->summary->recovered += job->reader.received - before;
    return;
  }
  if (job->reader.received > before)
    run->heard = tutti_clock(CLOCK_MONOTONIC);
  for (size_t i = before; i < job->reader.received; i++)
    run->cost_measured += run->plan.points[job->reader.chunk->first + i].cost;
  run->summary->measured += job->reader.received - before;
}

/* Take in what a job has printed. The end of one that prints unexpected text is judged as any other. */
static void poll_job(struct run *run, struct job *job)
{
  size_t before = job->reader.received;
  bool begun = job->reader.begun;
  tutti_error failure = {0};
  tutti_status status = tutti_job_poll(job, &run->setting, &failure);
  if (job->reader.chunk && job->reader.begun && !begun) {
    run->starting += start_of(run);
    run->starts++;
  }
  count_received(run, job, before);
  if (status != TUTTI_OK && status != TUTTI_ERR_LAUNCH)
    tutti_run_fail(run, &failure);
}

/* Records must be in the store before their file is removed; if storing fails, the next run finds the file. */
static enum job_files files_after(struct run *run, bool sound)
{
  tutti_error failure = {0};
  if (tutti_ingest_flush(run->ingest, &failure) != TUTTI_OK) {
    tutti_run_fail(run, &failure);
    return JOB_FILES_KEEP;
  }
  if (run->options->keep)
    return JOB_FILES_KEEP;
  return sound ? JOB_FILES_REMOVE : JOB_FILES_KEEP_ERRORS;
}

/* Many remote jobs continue after the failure of one: it is reported at once, and the run fails in the end. */
static bool goes_on(const struct run *run, const struct job *job)
{
  return run->backend->patient || (run->options->keep_going && job->reader.begun);
}

static void report_failure(struct run *run, const struct job *job, const tutti_error *failure)
{
  if (!goes_on(run, job)) {
    tutti_run_fail(run, failure);
    return;
  }
  report_progress(run, failure->message);
  run->summary->failed++;
}

/* A job that was asked to end did not fail. */
static void finish_job(struct run *run, struct job *job)
{
  const tutti_chunk *rest = NULL;
  poll_job(run, job);
  tutti_error failure = {0};
  bool sound = tutti_run_must_stop(run) || tutti_job_judge(job, &run->setting, job->wait_status, &failure) == TUTTI_OK;
  if (sound && !tutti_run_must_stop(run))
    rest = tutti_run_rest(run, job);
  if (rest && run->backend->patient) {
    tutti_fail(&failure, TUTTI_ERR_LAUNCH, "a launch simulated too much time to measure %zu of its points",
               rest->count);
    report_failure(run, job, &failure);
    rest = NULL;
  }
  if (!sound) {
    tell_and_free(run, tutti_job_rest(job, &run->setting, &failure));
    if (tutti_run_lacks_memory(run, job)) {
      report_progress(run, failure.message);
      tutti_run_note_memory(run, job);
    } else
      report_failure(run, job, &failure);
    rest = run->backend->patient ? NULL : tutti_run_skip_point(run, job);
  }
  tutti_job_close(job, &run->setting, files_after(run, sound));
  if (rest && !tutti_run_must_stop(run) &&
      tutti_job_start(job, &run->setting, rest, run->work.next++, &failure) != TUTTI_OK)
    tutti_run_fail(run, &failure);
}

static void advance_jobs(struct run *run)
{
  if (run->backend->look)
    run->backend->look(run);
  for (int i = 0; i < run->job_count; i++) {
    struct job *job = &run->jobs[i];
    if (!job->active)
      continue;
    if (run->backend->ended(run, job)) {
      finish_job(run, job);
    } else {
      poll_job(run, job);
      tell_and_free(run, tutti_job_news(job, &run->setting));
      tell_and_free(run, run->options->quiet ? NULL : tutti_job_slow(job, &run->setting));
    }
  }
  tutti_error failure = {0};
  if (tutti_ingest_flush_if_due(run->ingest, &failure) != TUTTI_OK)
    tutti_run_fail(run, &failure);
}

static void report(const struct run *run)
{
  if (!run->options->report)
    return;
  const tutti_progress progress = progress_of(run);
  run->options->report(run->options->context, &progress);
}

static tutti_status run_loop(struct run *run)
{
  run->started = tutti_clock(CLOCK_MONOTONIC);
  for (;;) {
    run->backend->start(run);
    if (count_active(run) == 0)
      break;
    int number = tutti_signals_wait(&run->signals, run->backend->interval(run));
    if (number && !run->interruption)
      run->interruption = number;
    run->late = run->options->seconds > 0 && tutti_clock(CLOCK_MONOTONIC) - run->started > run->options->seconds;
    advance_jobs(run);
    if (tutti_run_must_stop(run) || run->options->launch.submit_only)
      run->backend->stop(run);
    report(run);
  }
  report(run);
  run->summary->noise = run->ingest->noise;
  run->summary->measured -= run->ingest->waiting; /* 0, unless the store failed */
  if (run->summary->failed > 0 && run->error->status == TUTTI_OK)
    tutti_fail(run->error, TUTTI_ERR_LAUNCH, "%s: %zu of its jobs failed; the same command measures what is missing",
               run->experiment->path, run->summary->failed);
  tutti_run_fail_for_memory(run);
  return run->error->status;
}

/* ---- jobs as processes of this machine, a few at once: the first failure ends the run, except lack of memory and
   with --keep-going ---- */

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

/* 20 times the expected time of the current point. The time of a message is taken from the points that arrived; before,
   and at least, it is 0.1 ms, on a real machine with 100 MB/s, in each repetition. */
double tutti_run_silence(const struct run *run, const struct job *job)
{
  if (run->options->job_timeout > 0)
    return run->options->job_timeout;
  const struct reader *reader = &job->reader;
  if (reader->received >= reader->chunk->count)
    return JOB_SILENCE;
  const tutti_point *point = &run->plan.points[reader->chunk->first + reader->received];
  double bytes = run->launcher.simulated ? 0 : (double)point->count * (double)point->type_size;
  double message = (1e-4 + bytes / 1e8) * (run->plan.measure.warmup + run->plan.measure.repetitions_max + 1);
  double measured = run->cost_measured > 0 ? (run->heard - run->started) * run->job_count / run->cost_measured : 0;
  double limit = 20 * point->cost * (measured > message ? measured : message);
  return limit > JOB_SILENCE ? limit : JOB_SILENCE;
}

static bool ended(struct run *run, struct job *job)
{
  if (job->fault.status != TUTTI_OK)
    tutti_process_end(job->process);
  else if (!tutti_run_must_stop(run))
    tutti_job_limit(job, tutti_run_silence(run, job));
  return tutti_job_reap(job, &job->wait_status);
}

static void stop(struct run *run)
{
  if (run->stopped == 0) {
    run->stopped = tutti_clock(CLOCK_MONOTONIC);
    for (int i = 0; i < run->job_count; i++)
      if (run->jobs[i].active)
        tutti_job_signal(&run->jobs[i], SIGTERM);
  } else if (tutti_clock(CLOCK_MONOTONIC) - run->stopped > GRACE_SECONDS) {
    for (int i = 0; i < run->job_count; i++)
      if (run->jobs[i].active)
        tutti_process_end(run->jobs[i].process);
  }
}

const struct backend tutti_backend_local = {
    .share = jobs_of, .slots = jobs_of, .start = start, .interval = interval, .ended = ended, .stop = stop};

/* ---- all ---- */

void tutti_run_close(struct run *run)
{
  if (run->backend && run->backend->close)
    run->backend->close(run);
  tutti_slurm_free(&run->slurm);
  tutti_hosts_free(&run->hosts);
  tutti_plan_free(&run->plan);
  free(run->jobs);
  tutti_ingest_free(run->ingest);
  if (run->work.lock >= 0 && run->summary->queued == 0)
    tutti_launcher_unlink(&run->work);
  tutti_store_close(run->store);
  if (run->abandoned)
    unlink(run->options->database); /* while its lock is held */
  tutti_work_close(&run->work);
  tutti_launcher_close(&run->launcher);
  if (run->experiment->platform_path)
    tutti_platform_free(&run->platform);
}

static tutti_status fail_by_signal(const struct run *run, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: ended by %s; %s%s", run->experiment->path,
                    strsignal(run->interruption),
                    run->options->transient ? "nothing of what was measured is kept" : "what was measured is stored",
                    run->summary->queued > 0 ? ", what is queued goes on, for the same command to take in" : "");
}

tutti_status tutti_experiment_run(const tutti_experiment *experiment, const tutti_run_options *options,
                                  tutti_run_summary *summary, tutti_error *error)
{
  double started = tutti_clock(CLOCK_MONOTONIC);
  tutti_error failure = {0};
  *summary = (tutti_run_summary){0};
  struct run run = {.experiment = experiment,
                    .options = options,
                    .summary = summary,
                    .error = &failure,
                    .backend = options->launch.slurm ? &tutti_backend_slurm : &tutti_backend_local,
                    .work = {.directory = -1, .lock = -1}};
  tutti_signals_block(&run.signals);
  tutti_status status = tutti_run_prepare(&run);
  run.interruption = tutti_signals_wait(&run.signals, 0);
  if (status == TUTTI_OK && !run.interruption && run.ingest) {
    tutti_run_warn_of_tuning(&run);
    status = run_loop(&run);
  }
  if (run.interruption)
    status = fail_by_signal(&run, &failure);
  tutti_run_close(&run);
  tutti_signals_restore(&run.signals);
  summary->signal = run.interruption;
  summary->seconds = tutti_clock(CLOCK_MONOTONIC) - started;
  return status == TUTTI_OK ? TUTTI_OK : tutti_fail(error, status, "%s", failure.message);
}
