/* Points that a launch left: another one measures them. Points of the fast engine for which there is too little memory
   are noted, skipped, and named when all others are done. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "harness/experiments/jobs/job.h"

bool tutti_run_lacks_memory(const struct run *run, const struct job *job)
{
  const struct reader *reader = &job->reader;
  return run->launcher.fast && !run->backend->patient && reader->begun && reader->received < reader->chunk->count &&
         tutti_job_lacked_memory(job, &run->setting);
}

/* Add the name of a point; the message of an error has space for a few. */
static void add_name(struct run *run, const tutti_point *point)
{
  const size_t used = strlen(run->lacking_names), room = sizeof run->lacking_names - used;
  char name[TUTTI_ERROR_LENGTH];
  tutti_job_name_point(point, name, sizeof name);
  char *text = tutti_xprintf("%s%s on %d ranks", used ? ", " : "", name, point->ranks);
  if (run->lacking_named == run->lacking && strlen(text) < room) {
    memcpy(run->lacking_names + used, text, strlen(text) + 1);
    run->lacking_named++;
  }
  run->lacking++;
  free(text);
}

static const tutti_chunk *rest_behind(struct run *run, const struct job *job, size_t done)
{
  tutti_chunk *chunk = &run->plan.chunks[job->reader.chunk - run->plan.chunks];
  chunk->first += done;
  chunk->count -= done;
  return chunk->count > 0 ? chunk : NULL;
}

void tutti_run_note_memory(struct run *run, const struct job *job)
{
  add_name(run, &run->plan.points[job->reader.chunk->first + job->reader.received]);
}

const tutti_chunk *tutti_run_skip_point(struct run *run, const struct job *job)
{
  const struct reader *reader = &job->reader;
  return reader->received < reader->chunk->count ? rest_behind(run, job, reader->received + 1) : NULL;
}

const tutti_chunk *tutti_run_rest(struct run *run, const struct job *job)
{
  const struct reader *reader = &job->reader;
  const bool stopped = run->launcher.simulated && reader->chunk && reader->received < reader->chunk->count;
  return stopped ? rest_behind(run, job, reader->received) : NULL;
}

void tutti_run_fail_for_memory(struct run *run)
{
  if (run->lacking > 0 && run->error->status == TUTTI_OK)
    tutti_fail(run->error, TUTTI_ERR_LAUNCH, "%s: too little memory for %zu point%s: %s%s%s", run->experiment->path,
               run->lacking, tutti_plural(run->lacking), run->lacking_names,
               run->lacking_named < run->lacking ? ", ..." : "",
               run->job_count > 1 ? "; with -j 1 a job has all of it" : "");
}
