/* Running a schedule: its buffers are bound, its vertices are posted and performed when their prerequisites are
 * complete. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/mpi/elements.h"
#include "algorithms/mpi/failure.h"
#include "algorithms/mpi/run_state.h"
#include "algorithms/mpi/simulation.h"
#include "tutti/run.h"

static tutti_status out_of_memory(const struct run *run, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory while running a schedule of %u vertices",
                    run->schedule->rank, (unsigned)run->schedule->vertex_count);
}

/* An allocation that may be of zero bytes. */
static bool allocate(tutti_arena *arena, void *place, size_t count, size_t item)
{
  void *memory = count > SIZE_MAX / item ? NULL : tutti_arena_alloc(arena, count * item);
  memcpy(place, &memory, sizeof memory);
  return memory != NULL;
}

static tutti_status lay_out_temporaries(struct run *run, tutti_arena *arena, size_t *scratch, tutti_error *error)
{
  const tutti_schedule *s = run->schedule;
  if (s->temporary_count == 0)
    return TUTTI_OK;
  if (!allocate(arena, &run->temporaries, s->temporary_count, sizeof *run->temporaries))
    return out_of_memory(run, error);
  for (uint32_t t = 0; t < s->temporary_count; t++) {
    MPI_Aint before;
    size_t bytes, offset;
    if (!tutti_elements_room(s->temporary_counts[t], run->output.type, &bytes, &before) ||
        !tutti_scratch_reserve(scratch, bytes, &offset))
      return out_of_memory(run, error);
    run->temporaries[t] = tutti_moved(NULL, offset + (uintptr_t)before);
  }
  return TUTTI_OK;
}

void tutti_run_move_scratch(struct run *run, uintptr_t by)
{
  for (uint32_t t = 0; t < run->schedule->temporary_count; t++)
    run->temporaries[t] = tutti_moved(run->temporaries[t], by);
}

static tutti_status bind(struct bound_buffer *place, const void *base, MPI_Datatype type, int rank, tutti_error *error)
{
  MPI_Aint lower;
  *place = (struct bound_buffer){.type = type};
  memcpy(&place->base, &base, sizeof base); /* the input is never written: validate() and races.c see to it */
  if (type != MPI_DATATYPE_NULL && MPI_Type_get_extent(type, &lower, &place->extent) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: MPI_Type_get_extent failed", rank);
  return TUTTI_OK;
}

/* Before anything is posted: a call that fails later leaves messages in flight. */
static tutti_status check_bindings(const tutti_schedule *s, const tutti_view *view, const tutti_bindings *bindings,
                                   tutti_error *error)
{
  if (s->size != view->size || s->rank != view->rank)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d of %d runs the schedule of rank %d of %d", view->rank,
                      view->size, s->rank, s->size);
  for (uint32_t v = 0; bindings->input_type != bindings->output_type && v < s->vertex_count; v++)
    if (s->vertices[v].kind == TUTTI_REDUCE && s->vertices[v].buffer == TUTTI_INPUT)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: a reduction from one type into another", s->rank);
  return TUTTI_OK;
}

static tutti_status bind_buffers(struct run *run, const tutti_bindings *bindings, tutti_error *error)
{
  int rank = run->schedule->rank;
  tutti_status status = bind(&run->input, bindings->input, bindings->input_type, rank, error);
  if (status == TUTTI_OK)
    status = bind(&run->output, bindings->output, bindings->output_type, rank, error);
  if (status == TUTTI_OK && bindings->output_type != MPI_DATATYPE_NULL &&
      MPI_Type_size(bindings->output_type, &run->type_size) != MPI_SUCCESS)
    status = tutti_fail(error, TUTTI_ERR_MPI, "rank %d: MPI_Type_size failed", rank);
  run->plain = status == TUTTI_OK && bindings->output_type != MPI_DATATYPE_NULL &&
               (bindings->input_type == bindings->output_type || bindings->input_type == MPI_DATATYPE_NULL) &&
               tutti_type_is_plain(bindings->output_type, &run->type_size);
  return status;
}

tutti_status tutti_run_lay_out(struct run *run, const tutti_schedule *schedule, const tutti_view *view, int tag,
                               const tutti_bindings *bindings, tutti_arena *arena, size_t *scratch, tutti_error *error)
{
  *run = (struct run){.schedule = schedule,
                      .view = *view,
                      .tag = tag,
                      .op = bindings->op,
                      .ready_first = TUTTI_NO_VERTEX,
                      .ready_last = TUTTI_NO_VERTEX,
                      .error = error};
  tutti_status status = check_bindings(schedule, view, bindings, error);
  if (status == TUTTI_OK)
    status = bind_buffers(run, bindings, error);
  if (status == TUTTI_OK)
    status = lay_out_temporaries(run, arena, scratch, error);
  if (status == TUTTI_OK && !allocate(arena, &run->pending, schedule->vertex_count, sizeof *run->pending))
    status = out_of_memory(run, error);
  return status;
}

tutti_status tutti_run_prepare(struct run *run, const tutti_schedule *schedule, const tutti_view *view, int tag,
                               const tutti_bindings *bindings, tutti_arena *arena, tutti_error *error)
{
  size_t bytes = 0;
  tutti_status status = tutti_run_lay_out(run, schedule, view, tag, bindings, arena, &bytes, error);
  char *scratch = status == TUTTI_OK && bytes > 0 ? tutti_arena_alloc(arena, bytes) : NULL;
  if (status == TUTTI_OK && bytes > 0 && !scratch)
    return out_of_memory(run, error);
  if (scratch)
    tutti_run_move_scratch(run, (uintptr_t)scratch);
  return status;
}

/* ---- vertices ---- */

static struct bound_buffer place_of(const struct run *run, tutti_buffer buffer)
{
  if (buffer == TUTTI_INPUT)
    return run->input;
  if (buffer == TUTTI_OUTPUT)
    return run->output;
  struct bound_buffer place = run->output;
  place.base = run->temporaries[buffer - TUTTI_FIRST_TEMPORARY];
  return place;
}

/* A block without elements may be anywhere. */
static char *address(const struct bound_buffer *place, uint64_t first, uint64_t count)
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

/* ---- failures: the rank continues without data, so that no rank waits for it, and receivers detect it ---- */

void tutti_run_fail(struct run *run, const char *what, int code)
{
  if (run->status == TUTTI_OK)
    run->status = tutti_mpi_fail(run->error, code, "rank %d: %s failed", run->schedule->rank, what);
}

static void fail_for_memory(struct run *run)
{
  if (run->status == TUTTI_OK)
    run->status = out_of_memory(run, run->error);
  run->broken = true;
}

void tutti_run_check_length(struct run *run, tutti_vertex_id v, const MPI_Status *envelope)
{
  const tutti_vertex *vertex = &run->schedule->vertices[v];
  uint64_t expected = vertex->count * (uint64_t)run->type_size, received;
  if (vertex->kind != TUTTI_RECV || expected == 0 || run->status != TUTTI_OK ||
      !tutti_status_bytes(envelope, &received) || received == expected)
    return;
  run->status = tutti_fail(run->error, TUTTI_ERR_MPI,
                           "rank %d: a message of %llu bytes from rank %u where %llu are expected: another count or "
                           "datatype there, or a failure",
                           run->schedule->rank, (unsigned long long)received, (unsigned)vertex->peer,
                           (unsigned long long)expected);
}

/* ---- messages ---- */

/* The data that a vertex sends or receives; empty if the run has failed. */
static struct transfer transfer_of(const struct run *run, const tutti_vertex *vertex)
{
  bool receive = vertex->kind == TUTTI_RECV;
  uint64_t count = receive || run->status == TUTTI_OK ? vertex->count : 0;
  struct bound_buffer place = place_of(run, vertex->buffer);
  return (struct transfer){.buffer = address(&place, vertex->first, count),
                           .count = count,
                           /* a message without data needs no type of the caller's */
                           .type = count ? place.type : MPI_BYTE,
                           .peer = tutti_view_base_rank(&run->view, vertex->peer),
                           .tag = run->tag,
                           .receive = receive};
}

/* A message that MPI refuses goes without data. */
static void post(struct run *run, tutti_vertex_id v)
{
  const tutti_vertex *vertex = &run->schedule->vertices[v];
  tutti_progress *progress = run->view.progress;
  if (!tutti_progress_reserve(progress)) {
    fail_for_memory(run);
    return;
  }
  struct transfer transfer = transfer_of(run, vertex);
  int result = tutti_post(&transfer, run->view.comm, &progress->requests[progress->active]);
  if (result != MPI_SUCCESS) {
    tutti_run_fail(run, vertex->kind == TUTTI_SEND ? "sending" : "receiving", result);
    transfer.count = 0;
    transfer.type = MPI_BYTE;
    result = tutti_post(&transfer, run->view.comm, &progress->requests[progress->active]);
    run->broken = result != MPI_SUCCESS;
  }
  if (run->broken)
    return;
  progress->flights[progress->active++] = (struct tutti_flight){run, v};
  run->in_flight++;
  if (run->schedule->channel_next[v] != TUTTI_NO_VERTEX)
    release(run, run->schedule->channel_next[v]);
}

void tutti_run_message_done(struct run *run, tutti_vertex_id vertex, int code, const MPI_Status *envelope)
{
  if (run->envelope)
    *run->envelope = *envelope;
  if (code != MPI_SUCCESS)
    tutti_run_fail(run, "a message", code);
  else if (!run->envelope)
    tutti_run_check_length(run, vertex, envelope);
  run->in_flight--;
  complete(run, vertex);
}

/* ---- local work ---- */

static int reduce(const struct run *run, char *source, char *target, uint64_t count)
{
  int result = MPI_SUCCESS;
  for (uint64_t done = 0; done < count && result == MPI_SUCCESS; done += INT_MAX) {
    MPI_Aint offset = (MPI_Aint)done * run->output.extent;
    int some = count - done < INT_MAX ? (int)(count - done) : INT_MAX;
    result = MPI_Reduce_local(source + offset, target + offset, some, run->output.type, run->op);
  }
  return result;
}

void tutti_run_perform(struct run *run, tutti_vertex_id v)
{
  const tutti_vertex *vertex = &run->schedule->vertices[v];
  struct bound_buffer from = place_of(run, vertex->buffer), to = place_of(run, (tutti_buffer)vertex->peer);
  char *source = address(&from, vertex->first, vertex->count),
       *target = address(&to, vertex->target_first, vertex->count);
  int result = MPI_SUCCESS;
  if (vertex->count == 0 || run->status != TUTTI_OK)
    return;
  if (vertex->kind == TUTTI_REDUCE)
    result = reduce(run, source, target, vertex->count);
  else if (run->plain)
    memcpy(target, source, vertex->count * (size_t)run->type_size);
  else
    result = tutti_copy_local(source, from.type, target, to.type, vertex->count, run->view.comm);
  if (result != MPI_SUCCESS)
    tutti_run_fail(run, vertex->kind == TUTTI_REDUCE ? "a local reduction" : "a local copy", result);
  tutti_charge((tutti_kind)vertex->kind, (uint64_t)run->type_size * vertex->count);
}

/* ---- progress ---- */

static void start_vertex(struct run *run, tutti_vertex_id v)
{
  const tutti_vertex *vertex = &run->schedule->vertices[v];
  run->started++;
  tutti_run_inject_noise(run, TUTTI_BEFORE_VERTEX);
  if (vertex->kind == TUTTI_SEND || vertex->kind == TUTTI_RECV) {
    post(run, v);
    return;
  }
  tutti_run_perform(run, v);
  tutti_run_inject_noise(run, TUTTI_AFTER_WORK);
  complete(run, v);
}

void tutti_run_start_ready(struct run *run)
{
  while (!run->broken && run->ready_first != TUTTI_NO_VERTEX)
    start_vertex(run, dequeue(run));
}

void tutti_run_start(struct run *run)
{
  const tutti_schedule *s = run->schedule;
  run->started = 0;
  run->patience_ends = 0;
  run->next_received = 0;
  for (uint32_t v = 0; v < s->vertex_count; v++)
    run->pending[v] = s->prerequisites[v];
  for (tutti_vertex_id v = 0; v < s->vertex_count; v++)
    if (s->prerequisites[v] == 0)
      enqueue(run, v);
  tutti_touch_fresh(tutti_schedule_fresh_bytes(s, (uint64_t)run->type_size));
  tutti_run_start_ready(run);
}

enum { FEW_MESSAGES = 8 };

/* True at the end, and in every algorithm made of steps; then one call takes all completions. */
bool tutti_run_needs_all(const struct run *run)
{
  const tutti_schedule *s = run->schedule;
  const struct tutti_flight *flights = run->view.progress->flights;
  if (tutti_has_receive_gap()) /* they are taken one by one, while others arrive */
    return false;
  if (run->started == s->vertex_count)
    return true;
  if (run->in_flight > FEW_MESSAGES)
    return false;
  for (int i = 0; i < run->in_flight; i++)
    for (uint32_t e = s->successor_first[flights[i].vertex]; e < s->successor_first[flights[i].vertex + 1]; e++)
      if (run->pending[s->successors[e]] < (uint32_t)run->in_flight)
        return false;
  return true;
}

tutti_status tutti_run(const tutti_schedule *schedule, const tutti_view *view, const tutti_bindings *bindings,
                       tutti_arena *arena, tutti_error *error)
{
  tutti_progress own = {.arena = arena};
  tutti_view alone = *view;
  if (!alone.progress)
    alone.progress = &own;
  struct run *run = tutti_arena_alloc(arena, sizeof *run); /* a shared progress may still name it after a failure */
  if (!run)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory", schedule->rank);
  tutti_status status = tutti_run_prepare(run, schedule, &alone, view->first_tag, bindings, arena, error);
  if (status != TUTTI_OK)
    return status;
  tutti_run_start(run);
  return tutti_progress_wait(run);
}
