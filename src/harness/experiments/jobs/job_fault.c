/* The cause of a job's failure: its exit status, what is missing from its records, and its last words (job_words.c). */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "harness/experiments/jobs/job.h"
#include "harness/experiments/plan/plan.h"

/* A point that takes longer is named while it is measured. */
#define SLOW_SECONDS 20.0

/* And in the line of the progress from here on. */
#define LONG_SECONDS 5.0

/* A shell reports a signal as a status above 128. */
static char *describe_end(const struct job *job, int wait_status, bool aborted, char *text, size_t length)
{
  const struct reader *reader = &job->reader;
  int code = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
  if (*job->reason)
    snprintf(text, length, "%s", job->reason);
  else if (code > 128 && sigdescr_np(code - 128))
    snprintf(text, length, "was killed by signal %d (%s)", code - 128, sigdescr_np(code - 128));
  else if (code != 0)
    snprintf(text, length, "ended with status %d", code);
  else if (aborted)
    snprintf(text, length, "was aborted");
  else if (reader->ended)
    snprintf(text, length, "ended with %zu measurement%s, counting %" PRIu64 " itself", reader->received,
             tutti_plural(reader->received), reader->promised);
  else
    snprintf(text, length, "ended without its closing record");
  return text;
}

static void describe_patterns(const tutti_point *point, char *text, size_t length)
{
  char arrival[TUTTI_ARRIVAL_LENGTH], noise[TUTTI_NOISE_LENGTH];
  if (point->arrival.kind != TUTTI_ARRIVAL_NONE || point->noise.kind != TUTTI_NOISE_NONE)
    snprintf(text, length, ", arrival %s, noise %s", tutti_arrival_format(&point->arrival, arrival),
             tutti_noise_format(&point->noise, noise));
}

void tutti_job_name_point(const tutti_point *point, char *text, size_t length)
{
  char name[TUTTI_METHOD_LENGTH], line[TUTTI_ROW_POINT];
  if (point->result || point->build.builder) {
    snprintf(text, length, "%s", tutti_point_format(point, line));
    return;
  }
  const int used = snprintf(text, length, "%s with %" PRIu64 " B", tutti_method_format(&point->method, name),
                            point->count * point->type_size);
  describe_patterns(point, text + used, length - (size_t)used);
}

const tutti_point *tutti_job_point(const struct job *job)
{
  const struct reader *reader = &job->reader;
  const bool at_one = reader->chunk && reader->received < reader->chunk->count;
  return at_one ? &reader->plan->points[reader->chunk->first + reader->received] : NULL;
}

struct job *tutti_job_largest(struct job *jobs, int count)
{
  struct job *largest = NULL;
  for (struct job *job = jobs; job < jobs + count; job++) {
    const tutti_point *point = job->active ? tutti_job_point(job) : NULL;
    if (point && (!largest || point->cost > tutti_job_point(largest)->cost))
      largest = job;
  }
  return largest;
}

static void add_messages(const tutti_point *point, char *text, size_t length)
{
  const size_t used = strlen(text);
  snprintf(text + used, length - used, ", about %.4g messages", tutti_point_messages(point));
}

const char *tutti_job_name_slow(struct job *job)
{
  const struct reader *reader = &job->reader;
  if (!reader->begun || !(job->heard > 0) || tutti_clock(CLOCK_MONOTONIC) - job->heard < LONG_SECONDS)
    return NULL;
  if (job->named == reader->received + 1)
    return job->name;
  job->named = reader->received + 1;
  tutti_job_name_point(tutti_job_point(job), job->name, sizeof job->name);
  const size_t used = strlen(job->name);
  snprintf(job->name + used, sizeof job->name - used, " on %d rank%s", job->manifest.ranks,
           tutti_plural((uint64_t)job->manifest.ranks));
  add_messages(tutti_job_point(job), job->name, sizeof job->name);
  return job->name;
}

/* Which point was being measured when the job ended? */
static char *describe_point(const struct reader *reader, char *text, size_t length)
{
  if (!reader->begun) {
    snprintf(text, length, "before its first record");
    return text;
  }
  if (!reader->chunk) {
    snprintf(text, length, "after %zu of its points", reader->received);
    return text;
  }
  if (reader->received >= reader->chunk->count) {
    snprintf(text, length, "after the last of its %zu points", reader->chunk->count);
    return text;
  }
  const tutti_point *point = &reader->plan->points[reader->chunk->first + reader->received];
  const int used = snprintf(text, length, "while %s ", point->build.builder ? "building" : "measuring");
  tutti_job_name_point(point, text + used, length - (size_t)used);
  return text;
}

char *tutti_job_slow(struct job *job, const struct job_setting *setting)
{
  const struct reader *reader = &job->reader;
  double seconds = job->heard > 0 ? tutti_clock(CLOCK_MONOTONIC) - job->heard : 0;
  char point[TUTTI_ERROR_LENGTH];
  if (seconds < SLOW_SECONDS || job->slow == reader->received + 1 || !reader->begun || !tutti_job_point(job))
    return NULL;
  job->slow = reader->received + 1;
  describe_point(reader, point, sizeof point);
  add_messages(tutti_job_point(job), point, sizeof point);
  return tutti_xprintf("%s on %d rank%s has printed nothing for %.0f s %s", setting->program, job->manifest.ranks,
                       tutti_plural((uint64_t)job->manifest.ranks), seconds, point);
}

/* On a full disk a program cannot print its records or the reason. With less free space a disk counts as full. */
enum { ROOM_BYTES = 1 << 16 };

static bool is_full(const struct work *work)
{
  struct statvfs disk;
  return fstatvfs(work->directory, &disk) == 0 && (uint64_t)disk.f_bavail * disk.f_frsize < ROOM_BYTES;
}

/* The options of srun to connect ranks depend on their library, and a Slurm without a default connects none: they end,
   or run alone. */
static const char *hint_at_srun(const struct job *job, const struct launcher *launcher)
{
  for (char **word = launcher->extra; word && *word; word++)
    if (strncmp(*word, "--mpi", strlen("--mpi")) == 0)
      return "";
  if (launcher->kind != LAUNCHER_SRUN || launcher->simulated || job->reader.begun)
    return "";
  return strcmp(launcher->flavor, "openmpi") == 0 ? "; srun connects ranks of Open MPI with --launcher-args --mpi=pmix"
                                                  : "; srun connects ranks of MPICH with --launcher-args --mpi=pmi2";
}

static tutti_status fail_job(const struct job *job, const struct job_setting *setting, const char *end,
                             const char *words, tutti_error *error)
{
  if (is_full(setting->work))
    words = "no space is left on the disk of the work directory";
  char point[TUTTI_METHOD_LENGTH + TUTTI_RESULT_POINT_LENGTH], file[WORK_NAME_LENGTH];
  char *see = setting->transient
                  ? tutti_xstrdup("")
                  : tutti_xprintf(" (see %s/%s)", setting->work->path, tutti_work_name(job->number, "err", file));
  tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: %s on %d rank%s%s%s%s%s %s%s%.240s%s%s", setting->experiment,
             setting->program, job->manifest.ranks, tutti_plural((uint64_t)job->manifest.ranks),
             *job->where ? ", " : " ", job->where, *job->where ? ", " : "", end,
             describe_point(&job->reader, point, sizeof point), *words ? ": " : "", words,
             hint_at_srun(job, setting->launcher), see);
  free(see);
  return TUTTI_ERR_LAUNCH;
}

/* Read the last words of a job, if it has written any; returns whether it was aborted. */
static bool read_words(const struct job *job, const struct job_setting *setting, char *words, size_t length)
{
  words[0] = '\0';
  int file = tutti_work_file(setting->work, job->number, "err", O_RDONLY, NULL);
  if (file < 0)
    return false;
  bool aborted = tutti_job_was_aborted(file);
  tutti_job_last_words(file, words, length);
  close(file);
  return aborted;
}

/* What the engine says before it begins is about the platform, with its line, or the points: nothing went wrong. */
static bool is_refusal(const struct job *job, const struct job_setting *setting, int wait_status, const char *words)
{
  return setting->launcher->fast && !job->reader.begun && !*job->reason && *words && WIFEXITED(wait_status) &&
         WEXITSTATUS(wait_status) == 2 && !is_full(setting->work);
}

tutti_status tutti_job_judge(const struct job *job, const struct job_setting *setting, int wait_status,
                             tutti_error *error)
{
  char end[96], words[TUTTI_ERROR_LENGTH];
  const tutti_error *fault = job->fault.status != TUTTI_OK ? &job->fault : &job->reader.fault;
  if (fault->status != TUTTI_OK)
    return fail_job(job, setting, "went wrong", fault->message, error);
  bool aborted = read_words(job, setting, words, sizeof words);
  if (wait_status == 0 && !aborted && tutti_reader_complete(&job->reader))
    return TUTTI_OK;
  if (is_refusal(job, setting, wait_status, words))
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s", words);
  return fail_job(job, setting, describe_end(job, wait_status, aborted, end, sizeof end), words, error);
}

/* Signal 9 is how Linux ends a process when the memory of the machine is used up. */
bool tutti_job_lacked_memory(const struct job *job, const struct job_setting *setting)
{
  const int status = job->wait_status, code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  char words[240];
  if (*job->reason || job->fault.status != TUTTI_OK || job->reader.fault.status != TUTTI_OK)
    return false;
  read_words(job, setting, words, sizeof words);
  return code == 128 + SIGKILL || (code != 0 && strstr(words, "out of memory"));
}
