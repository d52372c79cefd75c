/* Places of jobs that share a machine. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/splitmix64.h"
#include "harness/engine/riders/jobs.h"

/* Free places, ascending. */
struct free_places {
  uint32_t *items;
  uint32_t first, end;
};

uint64_t tutti_jobs_ranks(const struct engine_jobs *jobs)
{
  uint64_t ranks = 0;
  for (size_t j = 0; j < jobs->count; j++)
    ranks += jobs->items[j].size;
  return ranks;
}

static void take_first(struct free_places *free_places, struct engine_job *job)
{
  for (uint32_t r = 0; r < job->size; r++)
    job->members[r] = free_places->items[free_places->first++];
}

/* Each set of places is as likely; they are taken in ascending order. (Knuth, volume 2, algorithm 3.4.2 S) */
static void take_drawn(struct free_places *free_places, uint64_t state, struct engine_job *job)
{
  uint32_t taken = 0, left = free_places->first;
  for (uint32_t p = free_places->first; p < free_places->end; p++)
    if (tutti_splitmix64_next(&state) % (free_places->end - p) < job->size - taken)
      job->members[taken++] = free_places->items[p];
    else
      free_places->items[left++] = free_places->items[p];
  free_places->end = left;
}

/* A job that has all its ranks is passed over. */
static void deal(const struct free_places *free_places, struct engine_jobs *jobs)
{
  uint32_t next = free_places->first;
  bool dealt = true;
  for (uint32_t r = 0; dealt; r++) {
    dealt = false;
    for (size_t j = 0; j < jobs->count; j++)
      if (jobs->items[j].place.kind == JOB_ROUND_ROBIN && r < jobs->items[j].size) {
        jobs->items[j].members[r] = free_places->items[next++];
        dealt = true;
      }
  }
}

static void place_kind(struct engine_jobs *jobs, enum job_placement kind, struct free_places *free_places)
{
  for (size_t j = 0; j < jobs->count; j++) {
    struct engine_job *job = &jobs->items[j];
    if (job->place.kind == kind && kind == JOB_PACKED)
      take_first(free_places, job);
    else if (job->place.kind == kind)
      take_drawn(free_places, job->place.seed + j, job); /* of two jobs with one seed each is drawn for itself */
  }
}

tutti_status tutti_jobs_place(struct engine_jobs *jobs, uint32_t ranks, tutti_error *error)
{
  const uint64_t wanted = tutti_jobs_ranks(jobs);
  if (wanted > ranks)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%zu jobs of %llu ranks in all, and there are %u", jobs->count,
                      (unsigned long long)wanted, (unsigned)ranks);
  struct free_places free_places = {.items = tutti_xcalloc(ranks, sizeof *free_places.items), .end = ranks};
  for (uint32_t p = 0; p < ranks; p++)
    free_places.items[p] = p;
  for (size_t j = 0; j < jobs->count; j++) {
    free(jobs->items[j].members);
    jobs->items[j].members = tutti_xcalloc(jobs->items[j].size, sizeof(uint32_t));
  }
  place_kind(jobs, JOB_PACKED, &free_places);
  place_kind(jobs, JOB_RANDOM, &free_places);
  deal(&free_places, jobs);
  free(free_places.items);
  return TUTTI_OK;
}

struct job_rank *tutti_jobs_by_rank(const struct engine_jobs *jobs, uint32_t ranks, size_t only)
{
  struct job_rank *found = tutti_xcalloc(ranks, sizeof *found);
  for (uint32_t r = 0; r < ranks; r++)
    found[r].job = ENGINE_NONE;
  for (size_t j = 0; j < jobs->count; j++)
    for (uint32_t r = 0; r < jobs->items[j].size && (only == JOBS_ALL || only == j); r++)
      found[jobs->items[j].members[r]] = (struct job_rank){(uint32_t)j, r};
  return found;
}
