/* Jobs that an earlier run left in the queue become those of this one, if they measure in the same environment. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/job_run.h"

static bool is_ours(const struct card *card, const struct card *own)
{
  return strcmp(card->platform, own->platform) == 0 && strcmp(card->platform_hash, own->platform_hash) == 0 &&
         strcmp(card->flavor, own->flavor) == 0 && strcmp(card->library, own->library) == 0 &&
         strcmp(card->tutti, own->tutti) == 0 && card->scheme == own->scheme &&
         card->ranks_per_node == own->ranks_per_node;
}

static bool append_pending(struct slurm *slurm, int ranks, const char *line)
{
  char **grown = reallocarray(slurm->pending, slurm->pending_count + 1, sizeof *grown);
  if (!grown)
    return false;
  slurm->pending = grown;
  if (asprintf(&grown[slurm->pending_count], "%d %.*s", ranks, (int)strcspn(line, "\n"), line) < 0)
    return false;
  slurm->pending_count++;
  return true;
}

/* The points of a chunk, but for the first line, which says how to measure. */
static tutti_status read_points(struct run *run, const struct job *job)
{
  int file = tutti_work_file(&run->work, job->number, "points", O_RDONLY, run->error);
  FILE *stream = file < 0 ? NULL : fdopen(file, "r");
  if (!stream)
    return TUTTI_ERR_IO;
  char *line = NULL;
  size_t capacity = 0;
  bool complete = true;
  for (bool first = true; complete && getline(&line, &capacity, stream) >= 0; first = false)
    complete = first || append_pending(&run->slurm, job->card.ranks, line);
  free(line);
  fclose(stream);
  return complete ? TUTTI_OK : tutti_fail(run->error, TUTTI_ERR_MEMORY, "out of memory for the points in the queue");
}

static tutti_status adopt_chunk(struct run *run, size_t batch, int element, unsigned number)
{
  struct job job = {.number = number, .active = true, .batch = batch, .element = element, .reader = {.file = -1}};
  tutti_error reason = {0};
  if (!tutti_work_has(&run->work, number, "queued") ||
      tutti_card_read(&run->work, number, &job.card, &reason) != TUTTI_OK || !is_ours(&job.card, &run->card))
    return TUTTI_OK;
  snprintf(job.where, sizeof job.where, "element %d of Slurm job %ld", element, run->slurm.batches[batch].job);
  struct job *grown = reallocarray(run->jobs, (size_t)run->job_count + 1, sizeof *grown);
  if (!grown)
    return tutti_fail(run->error, TUTTI_ERR_MEMORY, "out of memory for the jobs in the queue");
  run->jobs = grown;
  grown[run->job_count++] = job; /* reader.card follows when they lie where they will stay */
  return read_points(run, &job);
}

static int compare_texts(const void *left, const void *right)
{
  return strcmp(*(char *const *)left, *(char *const *)right);
}

tutti_status tutti_slurm_adopt(struct run *run)
{
  tutti_status status = TUTTI_OK;
  for (size_t b = 0; b < run->slurm.batch_count; b++)
    for (int e = 0; e < run->slurm.batches[b].element_count; e++) {
      const struct slurm_element *element = &run->slurm.batches[b].elements[e];
      for (int c = 0; c < element->chunk_count && status == TUTTI_OK; c++)
        status = adopt_chunk(run, b, e, element->chunks[c]);
    }
  if (run->slurm.pending_count > 0)
    qsort(run->slurm.pending, run->slurm.pending_count, sizeof *run->slurm.pending, compare_texts);
  return status;
}
