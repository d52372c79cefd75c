/* Jobs as elements of arrays in the queue of Slurm. All of the plan is submitted at once; the records of every job are
 * read while it runs, as its files grow on the file system that all nodes share. A failed job is reported, and the
 * others continue. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "base/text.h"
#include "harness/experiments/jobs/job.h"

enum {
  SHARE = 32,         /* jobs into which a small plan is divided, unless a maximum of concurrent jobs is given */
  MAX_ELEMENTS = 1000 /* of an array: MaxArraySize of Slurm is 1001 unless its administrator changed it */
};

#define MIN_SECONDS   1.0 /* between two questions, more as time goes by */
#define MAX_SECONDS   15.0
#define GRACE_SECONDS 30.0 /* for scancel to take effect */

static int share(const struct run *run)
{
  if (!run->launcher.simulated)
    return 1; /* its chunks take turns in one element */
  return run->options->jobs > 0 ? run->options->jobs : SHARE;
}

static int slots(const struct run *run)
{
  return run->job_count + (int)run->plan.chunk_count;
}

static double interval(const struct run *run)
{
  double seconds = (tutti_clock(CLOCK_MONOTONIC) - run->started) / 10;
  return seconds < MIN_SECONDS ? MIN_SECONDS : seconds > MAX_SECONDS ? MAX_SECONDS : seconds;
}

/* Write into job->where which element of which array it is. */
static void place_job(struct job *job, const struct slurm *slurm)
{
  snprintf(job->where, sizeof job->where, "element %zu of Slurm job %ld", job->element, slurm->items[job->batch].job);
}

/* ---- submitting ---- */

/* One array on its way: chunks of the plan from run->next on. */
struct submission {
  struct run *run;
  size_t first, count; /* chunks */
  size_t batch;        /* of run->slurm */
  size_t elements;
  struct slurm_task *tasks;
};

/* Methods are compared on the same nodes: on a real machine all chunks of one number of ranks are one element. In
   simulation any node will do. */
static void next_submission(struct submission *submission)
{
  const struct run *run = submission->run;
  const tutti_chunk *chunks = run->plan.chunks;
  size_t left = run->plan.chunk_count - run->next;
  submission->first = run->next;
  submission->count = left;
  submission->elements = left < MAX_ELEMENTS ? left : MAX_ELEMENTS;
  if (run->launcher.simulated)
    return;
  submission->elements = 1;
  for (submission->count = 1; submission->count < left; submission->count++)
    if (chunks[run->next + submission->count].ranks != chunks[run->next].ranks)
      return;
}

static tutti_status mark_queued(struct run *run, unsigned chunk, unsigned batch, tutti_error *error)
{
  FILE *stream = tutti_work_create(&run->work, chunk, "queued", error);
  if (!stream)
    return TUTTI_ERR_IO;
  fprintf(stream, "%u\n", batch);
  return tutti_work_finish(&run->work, stream, error);
}

/* The mark is there before the manifest, or else the chunk would look like one of an earlier run. */
static tutti_status create_job(struct submission *submission, size_t index, tutti_error *error)
{
  struct run *run = submission->run;
  struct slurm_batch *batch = &run->slurm.items[submission->batch];
  struct job *job = &run->jobs[run->job_count - (int)run->plan.chunk_count + (int)(submission->first + index)];
  unsigned number = run->work.next++;
  size_t element = index % submission->elements;
  *job = (struct job){.number = number, .reader = {.file = -1}};
  tutti_status status = mark_queued(run, number, batch->number, error);
  if (status == TUTTI_OK)
    status = tutti_job_create(job, &run->setting, &run->plan.chunks[submission->first + index], number, error);
  tutti_slurm_add_chunk(batch, element, number);
  submission->tasks[index] = (struct slurm_task){.chunk = number, .launch = tutti_job_launch(job)};
  job->active = true;
  job->batch = submission->batch;
  job->element = element;
  place_job(job, &run->slurm);
  return status;
}

/* Create the launch of one rank on the node, which measures no points. */
static tutti_status create_probe(const struct run *run, unsigned batch, tutti_error *error)
{
  const tutti_plan nothing = tutti_job_nothing(&run->manifest);
  const tutti_chunk chunk = {.ranks = 1};
  FILE *stream = tutti_work_create(&run->work, batch, "points", error);
  if (!stream)
    return TUTTI_ERR_IO;
  tutti_status status = tutti_plan_write_points(&nothing, &chunk, stream, error);
  tutti_status finished = tutti_work_finish(&run->work, stream, status == TUTTI_OK ? error : NULL);
  return status == TUTTI_OK ? finished : status;
}

static tutti_status create_files(struct submission *submission, tutti_error *error)
{
  struct run *run = submission->run;
  unsigned number = run->slurm.items[submission->batch].number;
  tutti_status status = run->manifest.probed ? create_probe(run, number, error) : TUTTI_OK;
  for (size_t i = 0; i < submission->count && status == TUTTI_OK; i++)
    status = create_job(submission, i, error);
  struct slurm_batch *batch = &run->slurm.items[submission->batch];
  if (status == TUTTI_OK)
    status = tutti_slurm_write_script(&run->work, batch, &run->launcher, run->manifest.platform_hash, submission->tasks,
                                      submission->count, error);
  return status == TUTTI_OK ? tutti_slurm_write(&run->work, batch, error) : status;
}

static tutti_status order(struct submission *submission, tutti_error *error)
{
  struct run *run = submission->run;
  struct slurm_batch *batch = &run->slurm.items[submission->batch];
  const struct slurm_order order = {.limit = run->options->jobs,
                                    .ranks = run->launcher.simulated ? 1 : run->plan.chunks[submission->first].ranks,
                                    .ranks_per_node = run->launcher.simulated ? 1 : run->manifest.ranks_per_node,
                                    .options = run->options->launch.slurm_options};
  tutti_status status = tutti_slurm_submit(batch, &run->work, &order, error);
  return status == TUTTI_OK ? tutti_slurm_write(&run->work, batch, error) : status;
}

/* Nothing of an array that was refused is left. */
static void withdraw(struct submission *submission)
{
  struct run *run = submission->run;
  for (int i = 0; i < run->job_count; i++) {
    struct job *job = &run->jobs[i];
    if (!job->active || job->batch != submission->batch)
      continue;
    job->active = false;
    tutti_job_close(job, &run->setting, JOB_FILES_REMOVE);
  }
}

static tutti_status submit(struct submission *submission, tutti_error *error)
{
  struct run *run = submission->run;
  submission->batch = run->slurm.count;
  submission->tasks = tutti_xcalloc(submission->count, sizeof *submission->tasks);
  tutti_slurm_append(&run->slurm, run->work.next++);
  tutti_status status = create_files(submission, error);
  if (status == TUTTI_OK)
    status = order(submission, error);
  free(submission->tasks);
  if (status != TUTTI_OK)
    withdraw(submission);
  for (int i = 0; i < run->job_count; i++)
    if (run->jobs[i].active && run->jobs[i].batch == submission->batch)
      place_job(&run->jobs[i], &run->slurm); /* Slurm's number of it is known now */
  return status;
}

static void start(struct run *run)
{
  while (run->next < run->plan.chunk_count && !tutti_run_must_stop(run)) {
    struct submission submission = {.run = run};
    tutti_error failure = {0};
    next_submission(&submission);
    if (submit(&submission, &failure) != TUTTI_OK)
      tutti_run_fail(run, &failure);
    run->next += submission.count;
  }
}

/* ---- watching ---- */

/* A controller that does not answer is asked again: its jobs run on without it. */
static void poll_queue(struct run *run)
{
  tutti_error failure = {0};
  run->slurm.asked = tutti_clock(CLOCK_MONOTONIC);
  run->slurm.known = tutti_slurm_ask(&run->slurm, &run->work, &failure) == TUTTI_OK;
}

static bool read_status(const struct run *run, struct job *job)
{
  char text[16] = "";
  int code;
  if (!tutti_work_has(&run->work, job->number, "status"))
    return false;
  int file = tutti_work_file(&run->work, job->number, "status", O_RDONLY, NULL);
  FILE *stream = file < 0 ? NULL : fdopen(file, "r");
  bool read = stream && fgets(text, sizeof text, stream) && sscanf(text, "%d", &code) == 1;
  if (stream)
    fclose(stream);
  if (read)
    job->wait_status = W_EXITCODE(code & 0xff, 0);
  return read;
}

/* Some rounds later, because the last files of another node may take a moment to be seen. */
static bool is_lost(const struct run *run, struct job *job)
{
  const struct slurm_element *element = &run->slurm.items[job->batch].items[job->element];
  if (!run->slurm.known || element->state != SLURM_OVER || ++job->missed <= 2)
    return false;
  if (*element->word)
    snprintf(job->reason, sizeof job->reason, "ended as %s", element->word);
  else
    snprintf(job->reason, sizeof job->reason, "left the queue");
  job->wait_status = W_EXITCODE(1, 0);
  return true;
}

static bool ended(struct run *run, struct job *job)
{
  job->active = !read_status(run, job) && !is_lost(run, job);
  return !job->active;
}

/* ---- ending ---- */

/* Leave queued jobs in the queue. */
static void leave(struct run *run)
{
  for (int i = 0; i < run->job_count; i++) {
    struct job *job = &run->jobs[i];
    if (job->active && job->reader.chunk)
      run->summary->queued += job->reader.chunk->count - job->reader.received;
    job->active = false;
  }
  run->summary->queued += run->plan.pending;
}

static void cancel(struct run *run)
{
  run->slurm.cancelled = true;
  run->stopped = tutti_clock(CLOCK_MONOTONIC);
  for (size_t i = 0; i < run->slurm.count; i++) {
    tutti_error failure = {0};
    if (run->slurm.items[i].job && tutti_slurm_cancel(&run->slurm.items[i], &failure) != TUTTI_OK)
      tutti_run_fail(run, &failure);
  }
}

static void stop(struct run *run)
{
  if (run->interruption == SIGINT && !run->slurm.cancelled)
    cancel(run);
  else if (!run->slurm.cancelled || tutti_clock(CLOCK_MONOTONIC) - run->stopped > GRACE_SECONDS)
    leave(run);
}

static bool is_held(const struct run *run, const struct slurm_batch *batch)
{
  for (size_t e = 0; e < batch->count; e++)
    for (size_t c = 0; c < batch->items[e].count; c++)
      if (tutti_work_has(&run->work, batch->items[e].items[c], "queued"))
        return true;
  return false;
}

static void close_arrays(struct run *run)
{
  for (size_t i = 0; i < run->slurm.count; i++)
    if (!is_held(run, &run->slurm.items[i]))
      tutti_slurm_remove(&run->work, &run->slurm.items[i]);
}

/* ---- jobs that an earlier run left in the queue become those of this one, if they measure in the same environment;
   their points are run->slurm.pending ---- */

static bool is_ours(const struct job_manifest *manifest, const struct job_manifest *own)
{
  const tutti_environment environment = tutti_manifest_environment(manifest);
  return tutti_manifest_allows(own, &environment) && manifest->probed == own->probed &&
         manifest->scheme == own->scheme && manifest->ranks_per_node == own->ranks_per_node;
}

/* Read the points of a chunk, without the first line, which says how to measure. */
static tutti_status read_points(struct run *run, const struct job *job)
{
  struct tutti_lines lines;
  tutti_status status = tutti_work_lines(&run->work, job->number, "points", &lines, run->error);
  if (status != TUTTI_OK)
    return status;
  while (tutti_lines_next(&lines))
    if (lines.number > 1)
      tutti_xpush(&run->slurm.pending, tutti_xprintf("%d %s", job->manifest.ranks, lines.text));
  return tutti_lines_close(&lines);
}

static tutti_status adopt_chunk(struct run *run, size_t batch, size_t element, unsigned number)
{
  struct job job = {.number = number, .active = true, .batch = batch, .element = element, .reader = {.file = -1}};
  tutti_error reason = {0};
  if (!tutti_work_has(&run->work, number, "queued") ||
      tutti_manifest_read(&run->work, number, &job.manifest, &reason) != TUTTI_OK ||
      !is_ours(&job.manifest, &run->manifest))
    return TUTTI_OK;
  place_job(&job, &run->slurm);
  run->jobs = tutti_xroom(run->jobs, (size_t)run->job_count, sizeof *run->jobs);
  run->jobs[run->job_count++] = job; /* reader.manifest follows when jobs are in their final place */
  return read_points(run, &job);
}

static tutti_status adopt(struct run *run)
{
  tutti_status status = TUTTI_OK;
  for (size_t b = 0; b < run->slurm.count; b++)
    for (size_t e = 0; e < run->slurm.items[b].count; e++) {
      const struct slurm_element *element = &run->slurm.items[b].items[e];
      for (size_t c = 0; c < element->count && status == TUTTI_OK; c++)
        status = adopt_chunk(run, b, e, element->items[c]);
    }
  tutti_vector_sort(&run->slurm.pending, tutti_compare_texts);
  return status;
}

const struct backend tutti_backend_slurm = {.patient = true,
                                            .share = share,
                                            .adopt = adopt,
                                            .slots = slots,
                                            .start = start,
                                            .interval = interval,
                                            .look = poll_queue,
                                            .ended = ended,
                                            .stop = stop,
                                            .close = close_arrays};
