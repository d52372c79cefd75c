/* What an earlier run left in the queue. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/slurm.h"

static tutti_status read_batches(const struct work *work, struct slurm *slurm, tutti_error *error)
{
  unsigned *numbers;
  size_t count;
  tutti_status status = tutti_work_list(work, "batch", &numbers, &count, error);
  for (size_t i = 0; i < count && status == TUTTI_OK; i++) {
    struct slurm_batch *batch = tutti_slurm_append(slurm, numbers[i]);
    status = batch ? tutti_slurm_read(work, numbers[i], batch, error)
                   : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu arrays", count);
  }
  free(numbers);
  return status;
}

/* Chunks that have ended are free to be taken in; returns how many have not. */
static int release(const struct work *work, const struct slurm_batch *batch, int index)
{
  const struct slurm_element *element = &batch->elements[index];
  int held = 0, lost = 0;
  for (int c = 0; c < element->chunk_count; c++) {
    unsigned chunk = element->chunks[c];
    char name[WORK_NAME_LENGTH];
    if (!tutti_work_has(work, chunk, "queued"))
      continue;
    bool ended = tutti_work_has(work, chunk, "status");
    lost += !ended && element->state == SLURM_OVER;
    if (ended || element->state == SLURM_OVER)
      unlinkat(work->directory, tutti_work_name(chunk, "queued", name), 0);
    else
      held++;
  }
  if (lost > 0 && batch->job)
    fprintf(stderr, "tutti: %s: element %d of Slurm job %ld %s%s with %d of its %d chunks unfinished, from %06u on\n",
            work->path, index, batch->job, *element->word ? "ended as " : "left the queue", element->word, lost,
            element->chunk_count, element->chunks[element->chunk_count - lost]);
  return held;
}

/* Keep what is still queued, remove what is not. */
static void keep_held(const struct work *work, struct slurm *slurm)
{
  size_t kept = 0;
  for (size_t i = 0; i < slurm->batch_count; i++) {
    struct slurm_batch batch = slurm->batches[i];
    int held = 0;
    for (int e = 0; e < batch.element_count; e++)
      held += release(work, &batch, e);
    if (held == 0)
      tutti_slurm_remove(work, &batch);
    slurm->batches[i] = slurm->batches[kept];
    slurm->batches[kept] = batch;
    kept += held > 0;
  }
  tutti_slurm_truncate(slurm, kept);
}

tutti_status tutti_slurm_review(const struct work *work, struct slurm *slurm, tutti_error *error)
{
  tutti_error reason = {0};
  tutti_status status = read_batches(work, slurm, error);
  if (status != TUTTI_OK || slurm->batch_count == 0)
    return status;
  if (tutti_slurm_ask(slurm, work, &reason) != TUTTI_OK)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: an earlier run queued jobs that may still run, but %.300s",
                      work->path, reason.message);
  keep_held(work, slurm);
  return TUTTI_OK;
}
