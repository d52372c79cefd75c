/* How a rank runs a schedule: call by call, as the run loop of src/algorithms/mpi does under SMPI. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "harness/engine/riders/script_rank.h"

enum { FEW_MESSAGES = 8 };

/* ---- vertices that are ready ---- */

void tutti_script_enqueue(struct script_rank *r, uint32_t v)
{
  r->program.vertices[v].pending = ENGINE_NONE;
  if (r->ready_first == ENGINE_NONE)
    r->ready_first = v;
  else
    r->program.vertices[r->ready_last].pending = v;
  r->ready_last = v;
}

void tutti_script_release(struct script_rank *r, uint32_t v)
{
  if (--r->program.vertices[v].pending == 0)
    tutti_script_enqueue(r, v);
}

void tutti_script_complete(struct script_rank *r, uint32_t v)
{
  const struct program_vertex *vertex = &r->program.vertices[v];
  if (vertex->kind == PROGRAM_WORK)
    tutti_stream_is_free(r, v);
  for (uint32_t i = vertex[0].successors; i < vertex[1].successors; i++)
    tutti_script_release(r, r->program.successors[i]);
}

void tutti_script_start_run(struct script_rank *r)
{
  r->ready_first = r->ready_last = ENGINE_NONE;
  r->started = 0;
  r->next_received = 0;
  if (r->program.streams)
    tutti_streams_begin(r);
  for (uint32_t v = 0; v < r->program.count; v++)
    if (r->program.vertices[v].pending == 0)
      tutti_script_enqueue(r, v);
}

void tutti_script_free_flights(struct script_rank *r)
{
  if (r->flights != r->few)
    free(r->flights);
  r->flights = r->few;
  r->capacity = SCRIPT_FEW;
  tutti_places_free(&r->eager);
  tutti_places_free(&r->done);
}

/* ---- messages that are complete ---- */

static double overhead_of(const struct script_rider *rider, const struct pieces *pieces,
                          const struct program_vertex *vertex)
{
  return tutti_pieces_overhead(pieces, (double)vertex->bytes) * engine_factor(&rider->engine, ENGINE_OVERHEAD);
}

/* The same as SMPI, which charges the receiver for eager messages alone. True if the rank sleeps. */
static bool receive_eager(struct script_rider *rider, uint32_t rank, const struct program_vertex *vertex)
{
  const double overhead = overhead_of(rider, &rider->script->machine->receive_overhead, vertex);
  if (overhead > 0)
    tutti_engine_sleep(&rider->engine, rank, overhead, ENGINE_OVERHEAD);
  return overhead > 0;
}

static bool take_request(struct script_rider *rider, uint32_t rank)
{
  struct script_rank *r = &rider->ranks[rank];
  struct engine_waiter *waiter = &rider->waiting.waiters[rank];
  struct script_flight *flight = &r->flights[waiter->answer];
  bool received = false;
  if (flight->request == SCRIPT_EAGER)
    tutti_places_remove(&r->eager, waiter->answer);
  else {
    received = rider->matching.requests.items[flight->request].of_eager;
    tutti_places_remove(&r->done, waiter->answer);
    tutti_request_free(&rider->matching, flight->request);
    waiter->done--;
  }
  flight->request = ENGINE_NONE;
  return received && receive_eager(rider, rank, &r->program.vertices[flight->vertex]);
}

/* The last one goes to a place that was taken. */
static void close_gap(struct script_rider *rider, struct script_rank *r, uint32_t place)
{
  const uint32_t last = --r->active;
  if (place == last)
    return;
  r->flights[place] = r->flights[last];
  if (tutti_places_remove(&r->eager, last))
    tutti_places_add(&r->eager, place);
  else
    rider->matching.requests.items[r->flights[place].request].place = place;
  if (tutti_places_remove(&r->done, last))
    tutti_places_add(&r->done, place);
}

static enum engine_outcome wait_for_any(struct script_rider *rider, uint32_t rank)
{
  struct engine_waiter *waiter = &rider->waiting.waiters[rank];
  const struct script_rank *r = &rider->ranks[rank];
  if (r->eager.count > 0) {
    waiter->answer = tutti_places_least(&r->eager);
    return ENGINE_GOES_ON;
  }
  if (waiter->done == 0) {
    waiting_begin(&rider->waiting, rank);
    return ENGINE_BLOCKS;
  }
  waiter->answer = tutti_places_least(&r->done);
  return ENGINE_ANSWERED;
}

/* Whether nothing can start before all messages in flight are complete, as tutti_run_needs_all(). With gaps
   messages are taken one by one, while others arrive. */
static bool needs_all(const struct script_rank *r, double receive_gap)
{
  if (receive_gap > 0)
    return false;
  if (r->started == r->program.count)
    return true;
  if (r->active > FEW_MESSAGES || r->held > 0)
    return false;
  for (uint32_t i = 0; i < r->active; i++) {
    const struct program_vertex *vertex = &r->program.vertices[r->flights[i].vertex];
    for (uint32_t s = vertex[0].successors; s < vertex[1].successors; s++)
      if (r->program.vertices[r->program.successors[s]].pending < r->active)
        return false;
  }
  return true;
}

/* ---- the steps of a schedule ---- */

/* True if the rank blocks. */
bool tutti_script_begin_vertex(struct script_rider *rider, uint32_t rank)
{
  struct script_rank *r = &rider->ranks[rank];
  const struct program_vertex *vertex = &r->program.vertices[r->vertex];
  if (vertex->kind == TUTTI_SEND || vertex->kind == TUTTI_RECV) {
    const bool waits = vertex->blocking && !vertex->synchronous && vertex->bytes >= rider->script->machine->detached;
    const double overhead =
        vertex->kind == TUTTI_SEND && !waits ? overhead_of(rider, &rider->script->machine->send_overhead, vertex) : 0;
    r->point = AT_POST;
    r->posting = posting_first(&rider->postings);
    if (overhead > 0)
      tutti_engine_sleep(&rider->engine, rank, overhead, ENGINE_OVERHEAD);
    return overhead > 0;
  }
  if (vertex->kind == PROGRAM_WORK && r->streams) {
    tutti_stream_begin_work(rider, rank);
    r->point = AT_READY;
    return false;
  }
  if (vertex->kind == PROGRAM_WORK) {
    r->point = AT_COMPLETE;
    return tutti_script_sleep_until(rider, rank, rider->engine.now + (double)vertex->bytes * 1e-9, ENGINE_COMPUTATION);
  }
  r->point = vertex->bytes > 0 ? AT_EXECUTE : AT_WORKED;
  return false;
}

/* True if the rank blocks. */
bool tutti_script_take_ready(struct script_rider *rider, uint32_t rank)
{
  struct script_rank *r = &rider->ranks[rank];
  if (r->ready_first == ENGINE_NONE) {
    r->point = AT_PROGRESS;
    return false;
  }
  r->vertex = r->ready_first;
  r->ready_first = r->program.vertices[r->vertex].pending;
  if (r->streams && tutti_stream_holds(r, r->vertex))
    return false;
  r->started++;
  r->point = AT_VERTEX;
  return tutti_script_interrupt(rider, rank, true);
}

void tutti_script_end_run(struct script_rank *r)
{
  tutti_program_free(&r->program);
  tutti_streams_end(r);
  tutti_script_free_flights(r);
}

/* All messages of a wait for all are complete. */
static void end_wait_for_all(struct script_rank *r)
{
  for (uint32_t i = 0; i < r->active; i++)
    tutti_script_complete(r, r->flights[i].vertex);
  r->active = 0;
  r->point = AT_READY;
}

/* A message is received at least a gap after the one before. True if the rank sleeps. */
static bool keep_gap(struct script_rider *rider, uint32_t rank)
{
  struct script_rank *r = &rider->ranks[rank];
  const double now = rider->engine.now, rest = fmax(r->next_received - now, 0);
  r->next_received = now + rest + rider->script->machine->receive_gap;
  if (rest > 0)
    tutti_engine_sleep(&rider->engine, rank, rest, ENGINE_CONSTANT);
  if (rider->engine.slopes)
    tutti_slopes_keep_gap(rider->engine.slopes, rank, rest, rider->script->machine->receive_gap);
  return rest > 0;
}

static bool take_any(struct script_rider *rider, uint32_t rank)
{
  struct script_rank *r = &rider->ranks[rank];
  const uint32_t place = rider->waiting.waiters[rank].answer, vertex = r->flights[place].vertex;
  r->point = r->program.vertices[vertex].kind == TUTTI_RECV ? AT_RECEIVED : AT_READY;
  const bool sleeps = take_request(rider, rank);
  close_gap(rider, r, place);
  tutti_script_complete(r, vertex);
  return sleeps;
}

/* Nothing is ready: what to wait for. */
static void choose_wait(struct script_rank *r, double receive_gap)
{
  r->left = r->active;
  if (r->active == 0)
    r->point = AT_END;
  else
    r->point = needs_all(r, receive_gap) ? AT_WAIT_ALL : AT_ANY_ANSWERED;
}

enum engine_outcome tutti_script_advance_wait(struct script_rider *rider, uint32_t rank)
{
  struct script_rank *r = &rider->ranks[rank];
  switch (r->point) {
  case AT_PROGRESS:
    choose_wait(r, rider->script->machine->receive_gap);
    return r->point == AT_ANY_ANSWERED ? wait_for_any(rider, rank) : ENGINE_GOES_ON;
  case AT_ANY_ANSWERED:
    return script_blocks_if(take_any(rider, rank));
  case AT_RECEIVED:
    r->point = AT_READY;
    return script_blocks_if(keep_gap(rider, rank));
  case AT_WAIT_ALL:
    if (r->left == 0) {
      end_wait_for_all(r);
      return ENGINE_GOES_ON;
    }
    r->point = AT_ALL_ANSWERED;
    return wait_for_any(rider, rank);
  default:
    r->left--;
    r->point = AT_WAIT_ALL;
    return script_blocks_if(take_request(rider, rank));
  }
}
