#include "analysis/ensemble.h"

#include <stdlib.h>

#include "analysis/cycle.h"
#include "analysis/match.h"

const tutti_vertex *tutti_ensemble_vertex(const struct ensemble *e, int rank, size_t vertex)
{
  return &e->schedules[rank].vertices[vertex - e->first[rank]];
}

static tutti_status check_schedules(const struct ensemble *e, tutti_error *error)
{
  for (int r = 0; r < e->size; r++) {
    const tutti_schedule *s = &e->schedules[r];
    if (s->size != e->size || s->rank != r)
      return tutti_fail(error, TUTTI_ERR_FAULT, "schedule %d is that of rank %d of %d", r, s->rank, s->size);
    tutti_status status = tutti_schedule_validate(s, error);
    if (status != TUTTI_OK)
      return status;
  }
  return TUTTI_OK;
}

tutti_status tutti_ensemble_create(struct ensemble *e, const tutti_schedule *schedules, int size, tutti_error *error)
{
  *e = (struct ensemble){.schedules = schedules, .size = size};
  if (size < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a group has at least one rank, not %d", size);
  tutti_status status = check_schedules(e, error);
  if (status != TUTTI_OK)
    return status;
  e->first = calloc((size_t)size + 1, sizeof *e->first);
  if (!e->first)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the schedules of %d ranks", size);
  for (int r = 0; r < size; r++)
    e->first[r + 1] = e->first[r] + schedules[r].vertex_count;
  e->partner = malloc((e->first[size] + 1) * sizeof *e->partner);
  if (!e->partner)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu vertices", e->first[size]);
  for (size_t g = 0; g < e->first[size]; g++)
    e->partner[g] = NO_PARTNER;
  return tutti_match(e, error);
}

void tutti_ensemble_free(struct ensemble *e)
{
  free(e->first);
  free(e->partner);
  *e = (struct ensemble){0};
}

/* A vertex is posted when all it waits for is complete; a message happens when both its ends are posted. */
struct run {
  const struct ensemble *ensemble;
  uint32_t *pending;    /* prerequisites that are not complete yet */
  unsigned char *state; /* enum vertex_state */
  struct event *queue;  /* events that can happen; each vertex enters at most once */
  size_t head, tail;
  size_t completed;
};

/* The event of a vertex that has just been posted, if its other end is posted too. */
static void enqueue(struct run *run, int rank, size_t vertex)
{
  const tutti_vertex *v = tutti_ensemble_vertex(run->ensemble, rank, vertex);
  size_t other = run->ensemble->partner[vertex];
  if (other == NO_PARTNER)
    run->queue[run->tail++] = (struct event){vertex, NO_PARTNER, rank, rank};
  else if (run->state[other] == VERTEX_POSTED && v->kind == TUTTI_SEND)
    run->queue[run->tail++] = (struct event){vertex, other, rank, v->peer};
  else if (run->state[other] == VERTEX_POSTED)
    run->queue[run->tail++] = (struct event){other, vertex, v->peer, rank};
}

static void post(struct run *run, int rank, size_t vertex);

static void release(struct run *run, int rank, size_t vertex)
{
  if (--run->pending[vertex] == 0)
    post(run, rank, vertex);
}

static void post(struct run *run, int rank, size_t vertex)
{
  const struct ensemble *e = run->ensemble;
  for (;;) { /* along the channel: a loop, because channels are as long as messages have segments */
    run->state[vertex] = VERTEX_POSTED;
    enqueue(run, rank, vertex);
    tutti_vertex_id next = e->schedules[rank].channel_next[vertex - e->first[rank]];
    if (next == TUTTI_NO_VERTEX || --run->pending[e->first[rank] + next] > 0)
      return;
    vertex = e->first[rank] + next;
  }
}

static void complete(struct run *run, int rank, size_t vertex)
{
  const struct ensemble *e = run->ensemble;
  const tutti_schedule *s = &e->schedules[rank];
  size_t local = vertex - e->first[rank];
  run->completed++;
  run->state[vertex] = VERTEX_COMPLETE;
  for (uint32_t i = s->successor_first[local]; i < s->successor_first[local + 1]; i++)
    release(run, rank, e->first[rank] + s->successors[i]);
}

static void post_initial(struct run *run)
{
  const struct ensemble *e = run->ensemble;
  for (int r = 0; r < e->size; r++)
    for (size_t g = e->first[r]; g < e->first[r + 1]; g++)
      run->pending[g] = e->schedules[r].prerequisites[g - e->first[r]];
  for (int r = 0; r < e->size; r++)
    for (size_t g = e->first[r]; g < e->first[r + 1]; g++)
      if (e->schedules[r].prerequisites[g - e->first[r]] == 0)
        post(run, r, g);
}

static tutti_status execute(struct run *run, tutti_visit visit, void *context, tutti_error *error)
{
  post_initial(run);
  while (run->head < run->tail) {
    struct event event = run->queue[run->head++];
    tutti_status status = visit(context, &event, error);
    if (status != TUTTI_OK)
      return status;
    complete(run, event.rank, event.vertex);
    if (event.receive != NO_PARTNER)
      complete(run, event.receiver, event.receive);
  }
  if (run->completed < run->ensemble->first[run->ensemble->size])
    return tutti_report_cycle(run->ensemble, run->state, error);
  return TUTTI_OK;
}

tutti_status tutti_ensemble_run(const struct ensemble *e, tutti_visit visit, void *context, tutti_error *error)
{
  size_t vertices = e->first[e->size];
  struct run run = {.ensemble = e,
                    .pending = malloc((vertices + 1) * sizeof *run.pending),
                    .state = calloc(vertices + 1, 1),
                    .queue = malloc((vertices + 1) * sizeof *run.queue)};
  tutti_status status = TUTTI_ERR_MEMORY;
  if (run.pending && run.state && run.queue)
    status = execute(&run, visit, context, error);
  else
    tutti_fail(error, status, "out of memory while executing %zu vertices", vertices);
  free(run.pending);
  free(run.state);
  free(run.queue);
  return status;
}

tutti_status tutti_calls_of(const tutti_call *call, tutti_arena *arena, tutti_call **calls, tutti_error *error)
{
  if (call->size < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a group has at least one rank, not %d", call->size);
  *calls = tutti_arena_alloc(arena, (size_t)call->size * sizeof **calls);
  if (!*calls)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the calls of %d ranks", call->size);
  for (int r = 0; r < call->size; r++) {
    (*calls)[r] = *call;
    (*calls)[r].rank = r;
  }
  return TUTTI_OK;
}

tutti_status tutti_schedules_of(const tutti_method *method, const tutti_call *calls, tutti_arena *arena,
                                tutti_schedule **schedules, tutti_error *error)
{
  int size = calls->size;
  *schedules = tutti_arena_alloc(arena, (size_t)size * sizeof **schedules);
  if (!*schedules)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the schedules of %d ranks", size);
  tutti_status status = TUTTI_OK;
  for (int r = 0; r < size && status == TUTTI_OK; r++)
    status = tutti_method_schedule(method, &calls[r], arena, &(*schedules)[r], error);
  return status;
}
