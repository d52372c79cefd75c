#include "experiments/job.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static tutti_status write_points(const struct job *job, const struct job_setting *setting, tutti_error *error)
{
  FILE *stream = tutti_work_create(setting->work, job->number, "points", error);
  if (!stream)
    return TUTTI_ERR_IO;
  tutti_status status = tutti_plan_write_points(setting->plan, job->reader.chunk, stream, error);
  tutti_status finished = tutti_work_finish(setting->work, stream, status == TUTTI_OK ? error : NULL);
  return status == TUTTI_OK ? finished : status;
}

static tutti_status write_hosts(const struct job *job, const struct job_setting *setting, tutti_error *error)
{
  if (!setting->platform && !setting->hosts)
    return TUTTI_OK;
  FILE *stream = tutti_work_create(setting->work, job->number, "hosts", error);
  if (!stream)
    return TUTTI_ERR_IO;
  tutti_status status = setting->platform
                            ? tutti_platform_write_hostfile(setting->platform, job->manifest.ranks, stream, error)
                            : tutti_hosts_write(setting->hosts, setting->launcher->kind, stream, error);
  tutti_status finished = tutti_work_finish(setting->work, stream, status == TUTTI_OK ? error : NULL);
  return status == TUTTI_OK ? finished : status;
}

static tutti_status write_files(const struct job *job, const struct job_setting *setting, tutti_error *error)
{
  tutti_status status = write_points(job, setting, error);
  if (status == TUTTI_OK)
    status = write_hosts(job, setting, error);
  return status == TUTTI_OK ? tutti_manifest_write(setting->work, job->number, &job->manifest, error) : status;
}

struct launch tutti_job_launch(const struct job *job)
{
  struct launch launch = {.ranks = job->manifest.ranks, .chunk = job->number};
  if (job->reader.chunk) {
    launch.native = job->reader.chunk->native;
    launch.selector = job->reader.chunk->selector;
  }
  return launch;
}

static tutti_status launch(struct job *job, const struct job_setting *setting, tutti_error *error)
{
  const int flags = O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
  struct launch launch = tutti_job_launch(job);
  launch.output = job->reader.file = tutti_work_file(setting->work, job->number, "records", flags, error);
  if (launch.output < 0)
    return TUTTI_ERR_IO;
  launch.errors = tutti_work_file(setting->work, job->number, "err", flags, error);
  if (launch.errors < 0)
    return TUTTI_ERR_IO;
  tutti_status status = tutti_launcher_start(setting->launcher, setting->work, &launch, &job->process, error);
  close(launch.errors);
  return status;
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
  if (status == TUTTI_OK)
    status = launch(job, setting, error);
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
  tutti_status status = tutti_reader_poll(&job->reader, setting->intake, &fault);
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
  /* Before it is reaped its number cannot be given to another group. */
  tutti_job_kill(job, SIGKILL);
  while (waitpid(job->process, wait_status, 0) < 0 && errno == EINTR)
    continue;
  job->active = false;
  return true;
}

void tutti_job_kill(const struct job *job, int signal)
{
  kill(-job->process, signal);
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
