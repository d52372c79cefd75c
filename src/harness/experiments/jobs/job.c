/* One chunk, measured by a process of its own. */
#include "harness/experiments/jobs/job.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/say.h"

static tutti_status write_points(const struct job *job, const struct job_setting *setting, tutti_error *error)
{
  FILE *stream = tutti_work_create(setting->work, job->number, "points", error);
  if (!stream)
    return TUTTI_ERR_IO;
  tutti_status status = tutti_plan_write_points(setting->plan, job->reader.chunk, stream, error);
  tutti_status finished = tutti_work_finish(setting->work, stream, status == TUTTI_OK ? error : NULL);
  return status == TUTTI_OK ? finished : status;
}

static tutti_status write_files(const struct job *job, const struct job_setting *setting, tutti_error *error)
{
  const struct launch launch = tutti_job_launch(job);
  tutti_status status = write_points(job, setting, error);
  if (status == TUTTI_OK)
    status =
        tutti_launcher_write_hosts(setting->launcher, setting->work, &launch, setting->platform, setting->hosts, error);
  return status == TUTTI_OK && !setting->variables
             ? tutti_manifest_write(setting->work, job->number, &job->manifest, error)
             : status;
}

struct launch tutti_job_launch(const struct job *job)
{
  struct launch launch = {.ranks = job->manifest.ranks, .chunk = job->number};
  if (job->reader.chunk) {
    launch.native = job->reader.chunk->native;
    launch.selector = job->reader.chunk->selector;
    launch.directives = &job->reader.chunk->directives;
  }
  return launch;
}

tutti_status tutti_job_create(struct job *job, const struct job_setting *setting, const tutti_chunk *chunk,
                              unsigned number, tutti_error *error)
{
  *job = (struct job){.number = number, .manifest = *setting->manifest};
  job->manifest.ranks = chunk->ranks;
  job->reader = (struct reader){.file = -1, .manifest = &job->manifest, .plan = setting->plan, .chunk = chunk};
  return write_files(job, setting, error);
}

tutti_status tutti_job_start(struct job *job, const struct job_setting *setting, const tutti_chunk *chunk,
                             unsigned number, tutti_error *error)
{
  tutti_status status = tutti_job_create(job, setting, chunk, number, error);
  struct launch launch = tutti_job_launch(job);
  launch.variables = setting->variables;
  if (status == TUTTI_OK)
    status = tutti_launcher_start(setting->launcher, setting->work, &launch, &job->process, &job->reader.file, error);
  job->active = status == TUTTI_OK;
  if (status != TUTTI_OK)
    tutti_job_close(job, setting, JOB_FILES_REMOVE);
  return status;
}

/* The records of a job elsewhere may not have been begun. */
static bool open_records(struct job *job, const struct job_setting *setting)
{
  if (job->reader.file < 0 && *job->where)
    job->reader.file = tutti_work_file(setting->work, job->number, "records", O_RDONLY, NULL);
  return job->reader.file >= 0;
}

/* There may be thousands of them, and only opening a file anew shows what other machines wrote (NFS). */
static void close_records(struct job *job)
{
  if (!*job->where)
    return;
  close(job->reader.file);
  job->reader.file = -1;
}

tutti_status tutti_job_poll(struct job *job, const struct job_setting *setting, tutti_error *error)
{
  if (job->fault.status != TUTTI_OK || !open_records(job, setting))
    return TUTTI_OK;
  tutti_error fault = {0};
  tutti_status status = tutti_reader_poll(&job->reader, setting->ingest, &fault);
  close_records(job);
  if (status == TUTTI_ERR_LAUNCH || status == TUTTI_ERR_ARGUMENT) {
    job->fault = fault;
    status = TUTTI_ERR_LAUNCH;
  }
  return status == TUTTI_OK ? TUTTI_OK : tutti_fail(error, status, "%s", fault.message);
}

bool tutti_job_reap(struct job *job, int *wait_status)
{
  siginfo_t ended = {0};
  if (waitid(P_PID, (id_t)job->process, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == 0)
    return false;
  /* If its guard was killed. Before it is reaped its number cannot be given to another group. */
  tutti_job_signal(job, SIGKILL);
  while (waitpid(job->process, wait_status, 0) < 0 && errno == EINTR)
    continue;
  job->active = false;
  return true;
}

void tutti_job_signal(const struct job *job, int signal)
{
  kill(-job->process, signal);
}

void tutti_job_limit(struct job *job, double limit)
{
  struct stat records;
  double now = tutti_clock(CLOCK_MONOTONIC);
  job->limit = limit;
  if (fstat(job->reader.file, &records) != 0)
    return;
  if (job->heard == 0 || records.st_size != job->printed) {
    job->printed = records.st_size;
    job->heard = now;
  }
  if (now - job->heard <= limit)
    return;
  snprintf(job->reason, sizeof job->reason, "printed nothing for %.10g s (--job-timeout)", limit);
  tutti_process_end(job->process);
}

void tutti_job_close(struct job *job, const struct job_setting *setting, enum job_files files)
{
  if (job->reader.file >= 0)
    close(job->reader.file);
  job->reader.file = -1;
  char name[WORK_NAME_LENGTH];
  if (files == JOB_FILES_REMOVE)
    tutti_work_remove(setting->work, job->number);
  else if (files == JOB_FILES_KEEP_ERRORS)
    unlinkat(setting->work->directory, tutti_work_name(job->number, "records", name), 0);
  unlinkat(setting->work->directory, tutti_work_name(job->number, "queued", name), 0);
}

/* ---- signals ---- */

void tutti_signals_block(struct signals *signals)
{
  static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
  sigemptyset(&signals->awaited);
  sigaddset(&signals->awaited, SIGCHLD);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    struct sigaction action;
    if (sigaction(ends[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset(&signals->awaited, ends[i]);
  }
  /* If our parent had us ignore it, children could not be waited for. */
  struct sigaction plain = {.sa_handler = SIG_DFL};
  sigaction(SIGCHLD, &plain, &signals->child);
  sigprocmask(SIG_BLOCK, &signals->awaited, &signals->mask);
}

int tutti_signals_wait(const struct signals *signals, double seconds)
{
  struct timespec limit = {.tv_sec = (time_t)seconds};
  limit.tv_nsec = (long)((seconds - (double)limit.tv_sec) * 1e9);
  int number = sigtimedwait(&signals->awaited, NULL, &limit);
  return number > 0 && number != SIGCHLD ? number : 0;
}

void tutti_signals_restore(const struct signals *signals)
{
  sigaction(SIGCHLD, &signals->child, NULL);
  sigprocmask(SIG_SETMASK, &signals->mask, NULL);
}

#define POLL_SECONDS 0.05

int tutti_signals_wait_for(bool (*ended)(void *child, int signal), void *child)
{
  struct signals signals;
  int first = 0, number = 0;
  tutti_signals_block(&signals);
  while (!ended(child, number)) {
    number = tutti_signals_wait(&signals, POLL_SECONDS);
    first = first ? first : number;
  }
  tutti_signals_restore(&signals);
  return first;
}

/* ---- one job alone ---- */

#define GRACE_SECONDS 2.0

static void print_and_free(char *news)
{
  if (news)
    tutti_say(stderr, "tutti: %s\n", news);
  free(news);
}

void tutti_job_print_rest(struct job *job, const struct job_setting *setting, const tutti_error *failure)
{
  print_and_free(tutti_job_rest(job, setting, failure));
}

struct awaited_job {
  struct job *job;
  const struct job_setting *setting;
  double limit, killed; /* killed: when a signal came; 0: none did */
  int wait_status;
};

static bool has_ended(void *child, int signal)
{
  struct awaited_job *awaited = child;
  struct job *job = awaited->job;
  if (tutti_job_reap(job, &awaited->wait_status))
    return true;
  if (signal && awaited->killed == 0) {
    awaited->killed = tutti_clock(CLOCK_MONOTONIC);
    tutti_job_signal(job, SIGTERM);
  } else if (awaited->killed > 0 && tutti_clock(CLOCK_MONOTONIC) - awaited->killed > GRACE_SECONDS) {
    tutti_process_end(job->process);
  } else if (awaited->killed == 0) {
    tutti_job_limit(job, awaited->limit);
    print_and_free(tutti_job_news(job, awaited->setting));
  }
  return false;
}

int tutti_job_wait(struct job *job, const struct job_setting *setting, double limit)
{
  struct awaited_job awaited = {.job = job, .setting = setting, .limit = limit};
  const int interruption = tutti_signals_wait_for(has_ended, &awaited);
  if (interruption)
    raise(interruption);
  return awaited.wait_status;
}

tutti_plan tutti_job_nothing(const struct job_manifest *manifest)
{
  return (tutti_plan){.measure = {.scheme = manifest->scheme, .warmup = 0, .repetitions_max = 1, .confidence = 1},
                      .ranks_per_node = manifest->ranks_per_node};
}

tutti_status tutti_job_probe(const struct job_setting *setting, unsigned number, double limit,
                             struct job_manifest *manifest, tutti_error *error)
{
  const tutti_chunk chunk = {.ranks = 1};
  const tutti_plan nothing = tutti_job_nothing(manifest);
  struct job_setting probing = *setting;
  probing.plan = &nothing;
  struct job job;
  tutti_status status = tutti_job_start(&job, &probing, &chunk, number, error);
  if (status != TUTTI_OK)
    return status;
  int wait_status = tutti_job_wait(&job, &probing, limit);
  status = tutti_job_poll(&job, &probing, error);
  if (status == TUTTI_OK || status == TUTTI_ERR_LAUNCH)
    status = tutti_job_judge(&job, &probing, wait_status, error);
  if (status != TUTTI_OK)
    tutti_job_print_rest(&job, &probing, error);
  if (status == TUTTI_OK)
    tutti_manifest_learn(manifest, &job.reader.run);
  tutti_job_close(&job, &probing, status == TUTTI_OK ? JOB_FILES_REMOVE : JOB_FILES_KEEP_ERRORS);
  return status;
}
