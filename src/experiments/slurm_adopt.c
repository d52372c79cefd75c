/* Jobs that an earlier run left in the queue become those of this one, if they measure in the same environment. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "experiments/job_run.h"

static bool is_ours(const struct job_manifest *manifest, const struct job_manifest *own)
{
  return strcmp(manifest->platform, own->platform) == 0 && strcmp(manifest->platform_hash, own->platform_hash) == 0 &&
         strcmp(manifest->flavor, own->flavor) == 0 && strcmp(manifest->library, own->library) == 0 &&
         strcmp(manifest->tutti, own->tutti) == 0 && manifest->scheme == own->scheme &&
         manifest->ranks_per_node == own->ranks_per_node;
}

/* The points of a chunk, but for the first line, which says how to measure. */
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
  tutti_job_place(&job, &run->slurm);
  run->jobs = tutti_xrealloc(run->jobs, ((size_t)run->job_count + 1) * sizeof *run->jobs);
  run->jobs[run->job_count++] = job; /* reader.manifest follows when they lie where they will stay */
  return read_points(run, &job);
}

static int compare_texts(const void *left, const void *right)
{
  return strcmp(*(char *const *)left, *(char *const *)right);
}

tutti_status tutti_slurm_adopt(struct run *run)
{
  tutti_status status = TUTTI_OK;
  for (size_t b = 0; b < run->slurm.count; b++)
    for (size_t e = 0; e < run->slurm.items[b].count; e++) {
      const struct slurm_element *element = &run->slurm.items[b].items[e];
      for (size_t c = 0; c < element->count && status == TUTTI_OK; c++)
        status = adopt_chunk(run, b, e, element->items[c]);
    }
  if (run->slurm.pending.count > 0)
    qsort(run->slurm.pending.items, run->slurm.pending.count, sizeof *run->slurm.pending.items, compare_texts);
  return status;
}
