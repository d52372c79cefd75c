/* Jobs side by side, as tutti-jobs runs them under SMPI (src/harness/measure/jobs/jobs.c): call by call. */
#include "harness/engine/riders/jobs.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "harness/engine/riders/script.h"

struct jobs_rank {
  struct job_rank place;
  uint32_t calls; /* begun */
  bool noted, ended;
  double seconds; /* after the start: until when it sleeps next */
};

struct jobs_run {
  const struct engine_jobs *jobs;
  struct jobs_rank *ranks; /* [rank_count] */
  uint32_t rank_count, ended;
  double start;
  double *seconds; /* by job */
  tutti_arena arena;
};

/* ---- what a rank does next ---- */

static enum script_next build(struct jobs_run *run, uint32_t rank, const tutti_method *method, tutti_call call,
                              struct program *program, tutti_error *error)
{
  const struct job_rank place = run->ranks[rank].place;
  const struct engine_job *job = &run->jobs->items[place.job];
  tutti_error reason;
  call.rank = (int)place.rank;
  if (tutti_program_build(method, &call, &run->arena, program, &reason) != TUTTI_OK) {
    tutti_fail(error, TUTTI_ERR_ARGUMENT, "job %s: %s", job->name, reason.message);
    return SCRIPT_FAILS;
  }
  for (uint32_t v = 0; v < program->count; v++)
    if (program->vertices[v].kind == TUTTI_SEND || program->vertices[v].kind == TUTTI_RECV)
      program->vertices[v].peer = job->members[program->vertices[v].peer];
  return SCRIPT_PROGRAM;
}

/* The first rank of the job gets the largest time of its ranks. */
static enum script_next note(struct jobs_run *run, uint32_t rank, double now, struct program *program,
                             tutti_error *error)
{
  const struct job_rank place = run->ranks[rank].place;
  const tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_REDUCE, "binomial"));
  const tutti_call call = {
      .size = (int)run->jobs->items[place.job].size, .count = 1, .type_size = sizeof(double), .commutative = true};
  run->ranks[rank].noted = true;
  run->seconds[place.job] = fmax(run->seconds[place.job], now - run->start);
  return build(run, rank, &method, call, program, error);
}

/* As tutti_sleep_until_all(). */
static enum script_next rest(struct jobs_run *run, struct jobs_rank *r, double now, double *seconds)
{
  if (!r->ended) {
    r->ended = true;
    r->seconds = 1;
    run->ended++;
  } else if (run->ended == run->rank_count)
    return SCRIPT_IS_OVER;
  *seconds = fmax(0, run->start + r->seconds - now);
  r->seconds *= 2;
  return SCRIPT_SLEEPS;
}

static enum script_next next(void *context, uint32_t rank, double now, double *seconds, struct program *program,
                             tutti_error *error)
{
  struct jobs_run *run = context;
  struct jobs_rank *r = &run->ranks[rank];
  if (r->place.job == ENGINE_NONE)
    return rest(run, r, now, seconds);
  const struct engine_job *job = &run->jobs->items[r->place.job];
  if (r->calls < job->repeat) {
    r->calls++;
    return build(run, rank, &job->method, tutti_job_call(job), program, error);
  }
  return r->noted ? rest(run, r, now, seconds) : note(run, rank, now, program, error);
}

/* ---- all ---- */

static tutti_status run_jobs(const struct engine_machine *machine, struct jobs_run *run,
                             const struct engine_start *start, tutti_error *error)
{
  const struct script_source source = {next, run, NULL};
  struct script script = {
      .machine = machine, .rank_count = run->rank_count, .source = &source, .first = start->order, .now = start->now};
  tutti_arena_init(&run->arena);
  return tutti_script_run(&script, error);
}

tutti_status tutti_jobs_simulate(const struct engine_machine *machine, const struct engine_jobs *jobs, uint32_t ranks,
                                 size_t only, struct engine_start *start, double *seconds, tutti_error *error)
{
  const struct start_key key = {.kind = START_OF_CALL, .rank_count = ranks};
  tutti_status status = tutti_jobs_check(jobs, NULL, false, error);
  if (status == TUTTI_OK)
    status = tutti_start_find(machine, key, start, error);
  if (status != TUTTI_OK)
    return status;
  for (size_t j = 0; j < jobs->count; j++)
    seconds[j] = only == JOBS_ALL || only == j ? 0 : seconds[j];
  struct job_rank *places = tutti_jobs_by_rank(jobs, ranks, only);
  struct jobs_run run = {.jobs = jobs,
                         .ranks = tutti_xcalloc(ranks, sizeof *run.ranks),
                         .rank_count = ranks,
                         .start = start->time,
                         .seconds = seconds};
  for (uint32_t r = 0; r < ranks; r++)
    run.ranks[r].place = places[r];
  free(places);
  status = run_jobs(machine, &run, start, error);
  free(run.ranks);
  return status;
}
