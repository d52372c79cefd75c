#include "tutti/run.h"

#include <stdlib.h>

#include "schedule/charge.h"
#include "schedule/copy.h"
#include "schedule/run_state.h"

#ifdef SMPI_HELPERS_H
#define POST_SEND MPI_Issend
#else
#define POST_SEND MPI_Isend
#endif

/* ---- vertices ---- */

static struct place place_of(const struct run *run, tutti_buffer buffer)
{
  if (buffer == TUTTI_INPUT)
    return run->input;
  if (buffer == TUTTI_OUTPUT)
    return run->output;
  struct place place = run->output;
  place.base = run->temporaries[buffer - TUTTI_FIRST_TEMPORARY];
  return place;
}

/* A block without elements may lie anywhere. */
static char *address(const struct place *place, uint64_t first, uint64_t count)
{
  return count ? place->base + (MPI_Aint)first * place->extent : place->base;
}

static void enqueue(struct run *run, tutti_vertex_id v)
{
  run->pending[v] = TUTTI_NO_VERTEX;
  if (run->ready_first == TUTTI_NO_VERTEX)
    run->ready_first = v;
  else
    run->pending[run->ready_last] = v;
  run->ready_last = v;
}

static tutti_vertex_id dequeue(struct run *run)
{
  tutti_vertex_id v = run->ready_first;
  run->ready_first = run->pending[v];
  return v;
}

static void release(struct run *run, tutti_vertex_id v)
{
  if (--run->pending[v] == 0)
    enqueue(run, v);
}

static void complete(struct run *run, tutti_vertex_id v)
{
  const tutti_schedule *s = run->schedule;
  for (uint32_t i = s->successor_first[v]; i < s->successor_first[v + 1]; i++)
    release(run, s->successors[i]);
}

static tutti_status post(struct run *run, tutti_vertex_id v, tutti_error *error)
{
  const tutti_vertex *vertex = &run->schedule->vertices[v];
  const tutti_view *view = run->view;
  struct place place = place_of(run, vertex->buffer);
  int peer = tutti_view_base_rank(view, vertex->peer), count = (int)vertex->count, result;
  MPI_Datatype type = count ? place.type : MPI_BYTE; /* a message without data needs no type of the caller's */
  tutti_status status = tutti_run_make_room(run, error);
  if (status != TUTTI_OK)
    return status;
  MPI_Request *request = &run->requests[run->active];
  if (vertex->kind == TUTTI_SEND)
    result = POST_SEND(address(&place, vertex->first, vertex->count), count, type, peer, view->first_tag, view->comm,
                       request);
  else
    result = MPI_Irecv(address(&place, vertex->first, vertex->count), count, type, peer, view->first_tag, view->comm,
                       request);
  if (result != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: a message of %d elements %s rank %d failed", view->rank, count,
                      vertex->kind == TUTTI_SEND ? "to" : "from", vertex->peer);
  run->carried[run->active++] = v;
  if (run->schedule->channel_next[v] != TUTTI_NO_VERTEX)
    release(run, run->schedule->channel_next[v]);
  return TUTTI_OK;
}

static tutti_status perform(struct run *run, const tutti_vertex *vertex, tutti_error *error)
{
  struct place from = place_of(run, vertex->buffer), to = place_of(run, (tutti_buffer)vertex->peer);
  char *source = address(&from, vertex->first, vertex->count),
       *target = address(&to, vertex->target_first, vertex->count);
  int count = (int)vertex->count, type_size = 0, result = MPI_SUCCESS;
  if (count == 0)
    return TUTTI_OK;
  if (vertex->kind == TUTTI_REDUCE)
    result = MPI_Reduce_local(source, target, count, to.type, run->op);
  else
    result = tutti_copy_local(source, from.type, target, to.type, count, run->view->comm);
  if (result != MPI_SUCCESS || MPI_Type_size(to.type, &type_size) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: a local %s of %d elements failed", run->view->rank,
                      vertex->kind == TUTTI_REDUCE ? "reduction" : "copy", count);
  tutti_charge((tutti_kind)vertex->kind, (uint64_t)type_size * vertex->count);
  return TUTTI_OK;
}

static tutti_status start(struct run *run, tutti_vertex_id v, tutti_error *error)
{
  const tutti_vertex *vertex = &run->schedule->vertices[v];
  run->started++;
  if (vertex->kind == TUTTI_SEND || vertex->kind == TUTTI_RECV)
    return post(run, v, error);
  tutti_status status = perform(run, vertex, error);
  if (status == TUTTI_OK)
    complete(run, v);
  return status;
}

/* ---- progress ---- */

static tutti_status start_ready(struct run *run, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  while (status == TUTTI_OK && run->ready_first != TUTTI_NO_VERTEX)
    status = start(run, dequeue(run), error);
  return status;
}

enum { FEW_MESSAGES = 8 };

/* Can nothing start before all messages in flight are complete? So it is at the end, and in every algorithm made of
   steps; then one call takes all completions. Looked into only where that is cheap. */
static bool all_are_needed(const struct run *run)
{
  const tutti_schedule *s = run->schedule;
  if (run->started == s->vertex_count)
    return true;
  if (run->active > FEW_MESSAGES)
    return false;
  for (int i = 0; i < run->active; i++)
    for (uint32_t e = s->successor_first[run->carried[i]]; e < s->successor_first[run->carried[i] + 1]; e++)
      if (run->pending[s->successors[e]] < (uint32_t)run->active)
        return false;
  return true;
}

static tutti_status wait_for_all(struct run *run, tutti_error *error)
{
  int active = run->active;
  run->active = 0;
  if (MPI_Waitall(active, run->requests, MPI_STATUSES_IGNORE) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: MPI_Waitall failed", run->view->rank);
  for (int i = 0; i < active; i++)
    complete(run, run->carried[i]);
  return TUTTI_OK;
}

/* Take in one completion, whichever comes first. */
static tutti_status wait_for_any(struct run *run, tutti_error *error)
{
  int index;
  if (MPI_Waitany(run->active, run->requests, &index, MPI_STATUS_IGNORE) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: MPI_Waitany failed", run->view->rank);
  tutti_vertex_id done = run->carried[index];
  run->active--;
  run->requests[index] = run->requests[run->active];
  run->carried[index] = run->carried[run->active];
  complete(run, done);
  return TUTTI_OK;
}

tutti_status tutti_run(const tutti_schedule *schedule, const tutti_view *view, const tutti_bindings *bindings,
                       tutti_arena *arena, tutti_error *error)
{
  struct run run = {.schedule = schedule, .view = view, .op = bindings->op};
  tutti_status status = tutti_run_prepare(&run, bindings, arena, error);
  for (tutti_vertex_id v = 0; status == TUTTI_OK && v < schedule->vertex_count; v++)
    if (schedule->prerequisites[v] == 0)
      enqueue(&run, v);
  if (status == TUTTI_OK)
    status = start_ready(&run, error);
  while (status == TUTTI_OK && run.active > 0) {
    status = all_are_needed(&run) ? wait_for_all(&run, error) : wait_for_any(&run, error);
    if (status == TUTTI_OK)
      status = start_ready(&run, error);
  }
  return status;
}
