/* The ranks of a simulation of schedules. A rank does what the run loop of src/mpi does under SMPI, call by call: the
   order of calls decides which of two messages goes first. */
#include "engine/script.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "engine/program.h"
#include "engine/waiting.h"

/* Where a rank goes on at its next turn. */
enum point {
  AT_STEP,    /* begin a step of the script */
  AT_START,   /* the rank is in its place: wait for the start */
  AT_CALLS,   /* calls that do nothing */
  AT_READY,   /* take the next vertex that is ready */
  AT_VERTEX,  /* begin that vertex */
  AT_POST,    /* its overhead is paid: post it */
  AT_EXECUTE, /* local work is three calls that are answered, of which the last begins it, and a wait */
  AT_EXECUTE_HOST,
  AT_EXECUTE_BEGIN,
  AT_EXECUTE_WAIT,
  AT_WORKED,   /* local work is done */
  AT_COMPLETE, /* and so is what interrupted it */
  AT_PROGRESS, /* wait for messages */
  AT_WAIT_ALL,
  AT_ALL_ANSWERED,
  AT_ANY_ANSWERED,
  AT_END,   /* the schedule is done */
  AT_ENDED, /* and so is what interrupted it */
  AT_REST,  /* the script is */
};

/* How the next call of a rank went. */
enum outcome { GOES_ON, ANSWERED, BLOCKS };

enum { FEW = 4, FEW_MESSAGES = 8 };

/* A message in flight: its request; the vertex is that of the request, or here once the request is taken. */
struct flight {
  uint32_t request; /* ENGINE_NONE: taken */
  uint32_t vertex;
};

struct rider_rank {
  struct program program;
  uint32_t ready_first, ready_last, started;
  struct flight *flights; /* few, or owned */
  struct flight few[FEW];
  uint32_t active, capacity;
  uint32_t vertex; /* at hand */
  uint32_t left;   /* of a wait for all, or of calls */
  int step;
  enum point point;
};

/* The noise of a rank. */
struct rider_noise {
  uint64_t phase, begun, index;
};

struct rider {
  struct engine engine;
  struct matching matching;
  struct waiting waiting;
  struct script *script;
  struct rider_rank *ranks;
  struct rider_noise *noises; /* NULL: none */
  tutti_arena arena;          /* while a schedule is built */
  tutti_status status;
  tutti_error *error;
};

/* ---- vertices that are ready ---- */

static void enqueue(struct rider_rank *r, uint32_t v)
{
  r->program.vertices[v].pending = ENGINE_NONE;
  if (r->ready_first == ENGINE_NONE)
    r->ready_first = v;
  else
    r->program.vertices[r->ready_last].pending = v;
  r->ready_last = v;
}

static void release(struct rider_rank *r, uint32_t v)
{
  if (--r->program.vertices[v].pending == 0)
    enqueue(r, v);
}

static void complete(struct rider_rank *r, uint32_t v)
{
  const struct program_vertex *vertex = &r->program.vertices[v];
  for (uint32_t i = vertex[0].successors; i < vertex[1].successors; i++)
    release(r, r->program.successors[i]);
}

static void start_run(struct rider_rank *r)
{
  r->ready_first = r->ready_last = ENGINE_NONE;
  r->started = 0;
  for (uint32_t v = 0; v < r->program.count; v++)
    if (r->program.vertices[v].pending == 0)
      enqueue(r, v);
}

/* ---- messages ---- */

static void add_flight(struct rider_rank *r, uint32_t request, uint32_t vertex)
{
  if (r->active == r->capacity) {
    struct flight *larger = tutti_xmalloc(2 * (size_t)r->capacity * sizeof *larger);
    for (uint32_t i = 0; i < r->active; i++)
      larger[i] = r->flights[i];
    if (r->flights != r->few)
      free(r->flights);
    r->flights = larger;
    r->capacity *= 2;
  }
  r->flights[r->active++] = (struct flight){request, vertex};
}

static void fail(struct rider *rider, tutti_status status)
{
  if (rider->status == TUTTI_OK)
    rider->status = status;
}

/* The transfer begins when both ends are posted. */
static void post(struct rider *rider, uint32_t rank, uint32_t v)
{
  struct rider_rank *r = &rider->ranks[rank];
  const struct program_vertex vertex = r->program.vertices[v];
  const bool send = vertex.kind == TUTTI_SEND;
  const uint32_t sender = send ? rank : vertex.peer, receiver = send ? vertex.peer : rank;
  const uint32_t request = tutti_request_new(&rider->matching, rank, v, r->active);
  add_flight(r, request, v);
  const uint32_t mate = tutti_matching_post(&rider->matching, sender, receiver, request, send);
  if (mate != ENGINE_NONE &&
      !tutti_engine_transfer(&rider->engine, sender, receiver, vertex.bytes, (uint64_t)request << 32 | mate))
    fail(rider, tutti_fail(rider->error, TUTTI_ERR_UNSUPPORTED, "ranks %u and %u: no route between their hosts",
                           (unsigned)sender, (unsigned)receiver));
  if (vertex.channel_next != ENGINE_NONE)
    release(r, vertex.channel_next);
}

/* The request that has ended the wait is taken. */
static uint32_t take_request(struct rider *rider, uint32_t rank)
{
  struct engine_waiter *waiter = &rider->waiting.waiters[rank];
  struct flight *flight = &rider->ranks[rank].flights[waiter->answer];
  tutti_request_free(&rider->matching, flight->request);
  flight->request = ENGINE_NONE;
  waiter->done--;
  return flight->vertex;
}

static uint32_t first_done(const struct rider *rider, const struct rider_rank *r)
{
  uint32_t place = 0;
  while (r->flights[place].request == ENGINE_NONE || !rider->matching.requests.items[r->flights[place].request].done)
    place++;
  return place;
}

static void close_gap(struct rider *rider, struct rider_rank *r, uint32_t place)
{
  r->flights[place] = r->flights[--r->active];
  if (place < r->active)
    rider->matching.requests.items[r->flights[place].request].place = place;
}

/* One call that waits for any message of the rank: answered at once, or when one is complete. */
static enum outcome wait_for_any(struct rider *rider, uint32_t rank)
{
  struct engine_waiter *waiter = &rider->waiting.waiters[rank];
  if (waiter->done == 0) {
    waiting_begin(&rider->waiting, rank);
    return BLOCKS;
  }
  waiter->answer = first_done(rider, &rider->ranks[rank]);
  return ANSWERED;
}

static void arrived(void *context, uint64_t tag)
{
  struct rider *rider = context;
  tutti_waiting_complete(&rider->waiting, &rider->matching, &rider->engine, (uint32_t)(tag >> 32), (uint32_t)tag);
}

/* Can nothing start before all messages in flight are complete? As tutti_run_needs_all(). */
static bool needs_all(const struct rider_rank *r)
{
  if (r->started == r->program.count)
    return true;
  if (r->active > FEW_MESSAGES)
    return false;
  for (uint32_t i = 0; i < r->active; i++) {
    const struct program_vertex *vertex = &r->program.vertices[r->flights[i].vertex];
    for (uint32_t s = vertex[0].successors; s < vertex[1].successors; s++)
      if (r->program.vertices[r->program.successors[s]].pending < r->active)
        return false;
  }
  return true;
}

/* ---- time and noise ---- */

/* Sleep until a time since the start; false if it has come. */
static bool sleep_until(struct rider *rider, uint32_t rank, double time)
{
  const double rest = time - rider->engine.now;
  if (!(rest > 0))
    return false;
  tutti_engine_sleep(&rider->engine, rank, rest);
  return true;
}

static uint64_t nanoseconds(const struct rider *rider)
{
  return (uint64_t)llround((rider->engine.now - rider->script->start.time) * 1e9);
}

static bool sleep_until_ns(struct rider *rider, uint32_t rank, uint64_t time)
{
  return sleep_until(rider, rank, rider->script->start.time + (double)time * 1e-9);
}

static const tutti_noise *noise_of(const struct rider *rider, const struct rider_rank *r)
{
  return rider->noises && rider->script->steps[r->step].disturbed ? rider->script->start.noise : NULL;
}

/* Before a vertex, or before the end. True if the rank sleeps. */
static bool interrupt(struct rider *rider, uint32_t rank, bool vertex)
{
  const tutti_noise *noise = noise_of(rider, &rider->ranks[rank]);
  if (!noise)
    return false;
  struct rider_noise *own = &rider->noises[rank];
  const uint64_t now = nanoseconds(rider);
  if (noise->kind != TUTTI_NOISE_DETOUR)
    return vertex && sleep_until_ns(rider, rank, now + tutti_noise_jitter(noise, (int)rank, own->index++));
  const uint64_t pause = tutti_noise_pause(noise, own->phase, now);
  own->begun = now + pause;
  return pause > 0 && sleep_until_ns(rider, rank, now + pause);
}

static bool interrupt_work(struct rider *rider, uint32_t rank)
{
  const tutti_noise *noise = noise_of(rider, &rider->ranks[rank]);
  if (!noise || noise->kind != TUTTI_NOISE_DETOUR)
    return false;
  const struct rider_noise *own = &rider->noises[rank];
  const uint64_t work = nanoseconds(rider) - own->begun;
  return sleep_until_ns(rider, rank, tutti_noise_finish(noise, own->phase, own->begun, work));
}

/* ---- the steps of the script ---- */

/* A time that SMPI's clocks and those of the ranks can tell exactly: a whole second, some time away. */
static double next_start(const struct rider *rider)
{
  const bool delayed = rider->script->steps[rider->ranks[0].step].disturbed;
  return fmax(16384, ceil(rider->engine.now + 0.25)) +
         (delayed ? ceil((double)rider->script->start.latest_ns * 1e-9) : 0);
}

static void build(struct rider *rider, uint32_t rank, const struct script_step *step)
{
  struct rider_rank *r = &rider->ranks[rank];
  tutti_call call = step->call;
  call.rank = (int)rank;
  const tutti_status status = tutti_program_build(&step->method, &call, &rider->arena, &r->program, rider->error);
  if (status != TUTTI_OK)
    fail(rider, status);
  start_run(r);
  r->point = AT_READY;
}

static void note(struct rider *rider, uint32_t rank)
{
  struct script *script = rider->script;
  const int number = script->steps[rider->ranks[rank].step].note;
  struct script_time *time = &script->times[number];
  const double elapsed = rider->engine.now - script->start.time;
  if (script->order)
    script->order[time->noted] = rank;
  if (time->noted++ == 0 || elapsed > time->longest)
    time->longest = elapsed;
  rider->engine.stopped = number == script->note_count - 1 && time->noted == script->rank_count;
}

static void next_step(struct rider_rank *r)
{
  r->step++;
  r->point = AT_STEP;
}

static void begin_noise(struct rider *rider, uint32_t rank)
{
  const tutti_noise *noise = rider->script->start.noise;
  if (!rider->noises)
    return;
  rider->noises[rank] = (struct rider_noise){0};
  if (noise->kind == TUTTI_NOISE_DETOUR)
    rider->noises[rank].phase = tutti_noise_phase(noise, (int)rank);
}

/* Ranks that wait for one date are woken in the order in which they began to wait: it is chosen by waking them one
   after the other before, at times that the clock can tell exactly. True if the rank sleeps. */
static bool take_place(struct rider *rider, uint32_t rank)
{
  const struct script_start *start = &rider->script->start;
  return start->places && sleep_until(rider, rank, start->time - 0.125 + start->places[rank] * 0x1p-24);
}

/* True if the rank sleeps. */
static bool delay(struct rider *rider, uint32_t rank)
{
  const struct script_start *start = &rider->script->start;
  return start->delays_ns && start->delays_ns[rank] > 0 &&
         sleep_until(rider, rank, start->time + (double)start->delays_ns[rank] * 1e-9);
}

/* True if the rank blocks. */
static bool begin_step(struct rider *rider, uint32_t rank)
{
  struct rider_rank *r = &rider->ranks[rank];
  struct script *script = rider->script;
  const struct script_step *step = &script->steps[r->step];
  if (r->step == script->step_count) {
    r->point = AT_REST;
    return true;
  }
  switch (step->kind) {
  case SCRIPT_RUN:
    build(rider, rank, step);
    return false;
  case SCRIPT_CHOOSE:
    if (rank == 0)
      script->start.time = next_start(rider);
    break;
  case SCRIPT_ARRIVE:
    r->point = AT_START;
    return take_place(rider, rank);
  case SCRIPT_DELAY:
    begin_noise(rider, rank);
    next_step(r);
    return delay(rider, rank);
  case SCRIPT_CALLS:
    r->left = step->calls;
    r->point = AT_CALLS;
    return false;
  case SCRIPT_NOTE:
    note(rider, rank);
    break;
  }
  next_step(r);
  return false;
}

/* ---- the steps of a schedule ---- */

/* True if the rank blocks. */
static bool begin_vertex(struct rider *rider, uint32_t rank)
{
  struct rider_rank *r = &rider->ranks[rank];
  const struct program_vertex *vertex = &r->program.vertices[r->vertex];
  if (vertex->kind == TUTTI_SEND || vertex->kind == TUTTI_RECV) {
    const double overhead = vertex->kind == TUTTI_SEND
                                ? tutti_pieces_overhead(&rider->script->machine->send_overhead, (double)vertex->bytes)
                                : 0;
    r->point = AT_POST;
    if (overhead > 0)
      tutti_engine_sleep(&rider->engine, rank, overhead);
    return overhead > 0;
  }
  r->point = vertex->bytes > 0 ? AT_EXECUTE : AT_WORKED;
  return false;
}

/* True if the rank blocks. */
static bool take_ready(struct rider *rider, uint32_t rank)
{
  struct rider_rank *r = &rider->ranks[rank];
  if (r->ready_first == ENGINE_NONE) {
    r->point = AT_PROGRESS;
    return false;
  }
  r->vertex = r->ready_first;
  r->ready_first = r->program.vertices[r->vertex].pending;
  r->started++;
  r->point = AT_VERTEX;
  return interrupt(rider, rank, true);
}

static void end_run(struct rider_rank *r)
{
  tutti_program_free(&r->program);
  if (r->flights != r->few)
    free(r->flights);
  r->flights = r->few;
  r->capacity = FEW;
  next_step(r);
}

/* All messages of a wait for all are complete. */
static void end_wait_for_all(struct rider_rank *r)
{
  for (uint32_t i = 0; i < r->active; i++)
    complete(r, r->flights[i].vertex);
  r->active = 0;
  r->point = AT_READY;
}

static void take_any(struct rider *rider, uint32_t rank)
{
  struct rider_rank *r = &rider->ranks[rank];
  const uint32_t vertex = take_request(rider, rank);
  close_gap(rider, r, rider->waiting.waiters[rank].answer);
  complete(r, vertex);
  r->point = AT_READY;
}

/* Nothing is ready: what to wait for. */
static void choose_wait(struct rider_rank *r)
{
  r->left = r->active;
  if (r->active == 0)
    r->point = AT_END;
  else
    r->point = needs_all(r) ? AT_WAIT_ALL : AT_ANY_ANSWERED;
}

/* ---- what a rank does between two calls, as far as the next one ---- */

static enum outcome blocks_if(bool sleeping)
{
  return sleeping ? BLOCKS : GOES_ON;
}

static enum outcome advance(struct rider *rider, uint32_t rank)
{
  struct rider_rank *r = &rider->ranks[rank];
  switch (r->point) {
  case AT_STEP:
    return blocks_if(begin_step(rider, rank));
  case AT_START:
    next_step(r);
    return blocks_if(sleep_until(rider, rank, rider->script->start.time));
  case AT_CALLS:
    if (r->left == 0) {
      next_step(r);
      return GOES_ON;
    }
    r->left--;
    return ANSWERED;
  case AT_READY:
    return blocks_if(take_ready(rider, rank));
  case AT_VERTEX:
    return blocks_if(begin_vertex(rider, rank));
  case AT_POST:
    post(rider, rank, r->vertex);
    r->point = AT_READY;
    return ANSWERED;
  case AT_EXECUTE:
    r->point = AT_EXECUTE_HOST;
    return ANSWERED;
  case AT_EXECUTE_HOST:
    r->point = AT_EXECUTE_BEGIN;
    return ANSWERED;
  case AT_EXECUTE_BEGIN:
    tutti_engine_execute(&rider->engine, rank, (double)r->program.vertices[r->vertex].bytes);
    r->point = AT_EXECUTE_WAIT;
    return ANSWERED;
  case AT_EXECUTE_WAIT:
    r->point = AT_WORKED;
    return BLOCKS;
  case AT_WORKED:
    r->point = AT_COMPLETE;
    return blocks_if(interrupt_work(rider, rank));
  case AT_COMPLETE:
    complete(r, r->vertex);
    r->point = AT_READY;
    return GOES_ON;
  case AT_PROGRESS:
    choose_wait(r);
    if (r->point != AT_ANY_ANSWERED)
      return GOES_ON;
    return wait_for_any(rider, rank);
  case AT_ANY_ANSWERED:
    take_any(rider, rank);
    return GOES_ON;
  case AT_WAIT_ALL:
    if (r->left == 0) {
      end_wait_for_all(r);
      return GOES_ON;
    }
    r->point = AT_ALL_ANSWERED;
    return wait_for_any(rider, rank);
  case AT_ALL_ANSWERED:
    take_request(rider, rank);
    r->left--;
    r->point = AT_WAIT_ALL;
    return GOES_ON;
  case AT_END:
    r->point = AT_ENDED;
    return blocks_if(interrupt(rider, rank, false));
  case AT_ENDED:
    end_run(r);
    return GOES_ON;
  case AT_REST:
    break;
  }
  return BLOCKS;
}

static bool turn(void *context, uint32_t rank)
{
  enum outcome outcome = GOES_ON;
  while (outcome == GOES_ON)
    outcome = advance(context, rank);
  return outcome == ANSWERED;
}

/* ---- all ---- */

static const struct engine_rider schedules = {.turn = turn, .arrived = arrived};

static void open_ranks(struct rider *rider)
{
  const uint32_t count = rider->script->rank_count;
  const tutti_noise *noise = rider->script->start.noise;
  rider->ranks = tutti_xcalloc(count, sizeof *rider->ranks);
  for (uint32_t r = 0; r < count; r++) {
    rider->ranks[r].flights = rider->ranks[r].few;
    rider->ranks[r].capacity = FEW;
  }
  if (noise && noise->kind != TUTTI_NOISE_NONE)
    rider->noises = tutti_xcalloc(count, sizeof *rider->noises);
}

static void close_ranks(struct rider *rider)
{
  for (uint32_t r = 0; r < rider->script->rank_count; r++) {
    tutti_program_free(&rider->ranks[r].program);
    if (rider->ranks[r].flights != rider->ranks[r].few)
      free(rider->ranks[r].flights);
  }
  free(rider->ranks);
  free(rider->noises);
}

static tutti_status check_ends(const struct rider *rider, tutti_error *error)
{
  if (rider->status != TUTTI_OK || rider->engine.stopped)
    return rider->status;
  for (uint32_t r = 0; r < rider->script->rank_count; r++)
    if (rider->ranks[r].point != AT_REST)
      return tutti_fail(error, TUTTI_ERR_FAULT, "rank %u waits for ever in step %d", (unsigned)r, rider->ranks[r].step);
  return TUTTI_OK;
}

tutti_status tutti_script_run(struct script *script, tutti_error *error)
{
  struct rider rider = {.script = script, .error = error};
  tutti_arena_init(&rider.arena);
  tutti_matching_init(&rider.matching);
  tutti_waiting_init(&rider.waiting, script->rank_count);
  open_ranks(&rider);
  tutti_engine_init(&rider.engine, script->machine, script->rank_count, &schedules, &rider);
  tutti_engine_begin(&rider.engine, script->now, script->first);
  tutti_engine_run(&rider.engine);
  const tutti_status status = check_ends(&rider, error);
  tutti_engine_free(&rider.engine);
  tutti_matching_free(&rider.matching);
  tutti_waiting_free(&rider.waiting);
  close_ranks(&rider);
  return status;
}
