/* The ranks of a simulation of schedules. A rank does what the run loop of src/algorithms/mpi does under SMPI, call by
   call: the order of calls decides which of two messages goes first. */
#include "harness/engine/riders/script.h"

#include <stdlib.h>

#include "base/memory.h"
#include "harness/engine/riders/script_rank.h"

/* ---- the steps of the script ---- */

/* Memory that is touched first, as tutti_touch_fresh(). True if the rank sleeps. */
static bool touch(struct script_rider *rider, uint32_t rank)
{
  const double seconds = (double)rider->ranks[rank].program.fresh * rider->script->machine->first_touch;
  if (seconds > 0)
    tutti_engine_sleep(&rider->engine, rank, seconds, ENGINE_CONSTANT);
  return seconds > 0;
}

/* True if the rank sleeps. */
static bool build(struct script_rider *rider, uint32_t rank, const struct script_step *step)
{
  struct script_rank *r = &rider->ranks[rank];
  tutti_call call = step->call;
  call.rank = (int)(rank - step->first);
  script_fail(rider, tutti_program_build(&step->method, &call, &rider->arena, &r->program, rider->error));
  for (uint32_t v = 0; v < r->program.count; v++)
    r->program.vertices[v].peer += step->first;
  tutti_script_start_run(r);
  r->point = AT_READY;
  return touch(rider, rank);
}

/* Of the last time. */
static void keep_slopes(struct script_rider *rider, double time)
{
  struct script *script = rider->script;
  if (!script->slopes || time < script->slopes_at)
    return;
  script->slopes_at = time;
  *script->slopes = rider->engine.slopes->cause;
}

static void note(struct script_rider *rider, uint32_t rank)
{
  struct script *script = rider->script;
  const int number = script->steps[rider->ranks[rank].step].note;
  struct script_time *time = &script->times[number];
  const double elapsed = rider->engine.now - script->start.time;
  if (script->order)
    script->order[time->noted] = rank;
  if (time->noted++ == 0 || elapsed > time->longest)
    time->longest = elapsed;
  if (number == 0)
    keep_slopes(rider, elapsed);
  rider->engine.stopped |= number == script->note_count - 1 && time->noted == script->rank_count;
}

static void next_step(struct script_rank *r)
{
  r->step++;
  r->point = AT_STEP;
}

static bool leaves_out(const struct script_step *step, uint32_t rank)
{
  return rank < step->first || (step->members > 0 && rank - step->first >= step->members);
}

/* True if the rank sleeps. */
static bool pause_for(struct script_rider *rider, uint32_t rank, double seconds)
{
  next_step(&rider->ranks[rank]);
  if (seconds > 0)
    tutti_engine_sleep(&rider->engine, rank, seconds, ENGINE_COMPUTATION);
  return seconds > 0;
}

/* A schedule has ended: repeat it, or continue with the next step. A source is asked each time. */
static void end_run(const struct script_rider *rider, struct script_rank *r)
{
  tutti_script_end_run(r);
  if (!rider->script->source && ++r->times < rider->script->steps[r->step].times) {
    r->point = AT_STEP;
    return;
  }
  r->times = 0;
  next_step(r);
}

/* True if the rank sleeps. */
static bool delay(struct script_rider *rider, uint32_t rank)
{
  const struct script_start *start = &rider->script->start;
  return start->delays_ns && start->delays_ns[rank] > 0 &&
         tutti_script_sleep_until(rider, rank, start->time + (double)start->delays_ns[rank] * 1e-9, ENGINE_CONSTANT);
}

/* Begin the next step of a source. True if the rank blocks. */
static bool begin_next(struct script_rider *rider, uint32_t rank)
{
  struct script_rank *r = &rider->ranks[rank];
  const struct script_source *source = rider->script->source;
  double seconds = 0;
  switch (source->next(source->context, rank, rider->engine.now, &seconds, &r->program, rider->error)) {
  case SCRIPT_PROGRAM:
    tutti_script_start_run(r);
    r->point = AT_READY;
    return touch(rider, rank);
  case SCRIPT_SLEEPS:
    return tutti_script_sleep_until(rider, rank, rider->engine.now + seconds,
                                    source->computes && *source->computes ? ENGINE_COMPUTATION : ENGINE_CONSTANT);
  case SCRIPT_FAILS:
    script_fail(rider, TUTTI_ERR_ARGUMENT);
    break;
  case SCRIPT_IS_OVER:
    keep_slopes(rider, rider->engine.now);
    break;
  }
  r->point = AT_REST;
  return true;
}

/* True if the rank blocks. */
static bool begin_step(struct script_rider *rider, uint32_t rank)
{
  if (rider->script->source)
    return begin_next(rider, rank);
  struct script_rank *r = &rider->ranks[rank];
  struct script *script = rider->script;
  const struct script_step *step = &script->steps[r->step];
  if (r->step == script->step_count) {
    r->point = AT_REST;
    return true;
  }
  if (leaves_out(step, rank)) {
    next_step(r);
    return false;
  }
  switch (step->kind) {
  case SCRIPT_RUN:
    return build(rider, rank, step);
  case SCRIPT_PAUSE:
    return pause_for(rider, rank, step->seconds);
  case SCRIPT_CHOOSE:
    if (rank == 0)
      tutti_script_choose_start(rider);
    break;
  case SCRIPT_ARRIVE:
    return tutti_script_come(rider, rank);
  case SCRIPT_DELAY:
    tutti_script_begin_noise(rider, rank);
    next_step(r);
    return delay(rider, rank);
  case SCRIPT_RECEIVES:
    r->left = step->receives;
    r->posting = posting_first(&rider->postings);
    r->point = AT_RECEIVES;
    return false;
  case SCRIPT_NOTE:
    note(rider, rank);
    break;
  }
  next_step(r);
  return false;
}

/* ---- what a rank does between two calls, as far as the next one ---- */

static double flops_of(const struct engine_machine *machine, const struct program_vertex *vertex)
{
  return (double)vertex->bytes * (vertex->kind == TUTTI_COPY ? machine->copy_cost : 1.0);
}

/* An execution is four calls, three of them answered. */
static enum engine_outcome work(struct script_rider *rider, uint32_t rank)
{
  struct script_rank *r = &rider->ranks[rank];
  switch (r->point) {
  case AT_EXECUTE:
    r->point = AT_EXECUTE_HOST;
    return ENGINE_ANSWERED;
  case AT_EXECUTE_HOST:
    r->point = AT_EXECUTE_BEGIN;
    return ENGINE_ANSWERED;
  case AT_EXECUTE_BEGIN:
    tutti_engine_execute(&rider->engine, rank, flops_of(rider->script->machine, &r->program.vertices[r->vertex]));
    r->point = AT_EXECUTE_WAIT;
    return ENGINE_ANSWERED;
  case AT_EXECUTE_WAIT:
    r->point = AT_WORKED;
    return ENGINE_BLOCKS;
  default:
    r->point = AT_COMPLETE;
    return script_blocks_if(tutti_script_interrupt_work(rider, rank));
  }
}

static enum engine_outcome advance(struct script_rider *rider, uint32_t rank)
{
  struct script_rank *r = &rider->ranks[rank];
  switch (r->point) {
  case AT_STEP:
    return script_blocks_if(begin_step(rider, rank));
  case AT_START:
    return script_blocks_if(tutti_script_await_start(rider, rank));
  case AT_MET:
    tutti_script_meet(rider, rank);
    return ENGINE_GOES_ON;
  case AT_RECEIVES:
    if (r->left > 0)
      return tutti_script_advance_receives(rider, rank);
    next_step(r);
    return ENGINE_GOES_ON;
  case AT_READY:
    return script_blocks_if(tutti_script_take_ready(rider, rank));
  case AT_VERTEX:
    return script_blocks_if(tutti_script_begin_vertex(rider, rank));
  case AT_POST:
    return tutti_script_advance_post(rider, rank);
  case AT_EXECUTE ... AT_WORKED:
    return work(rider, rank);
  case AT_COMPLETE:
    tutti_script_complete(r, r->vertex);
    r->point = AT_READY;
    return ENGINE_GOES_ON;
  case AT_PROGRESS ... AT_RECEIVED:
    return tutti_script_advance_wait(rider, rank);
  case AT_END:
    r->point = AT_ENDED;
    return script_blocks_if(tutti_script_interrupt(rider, rank, false));
  case AT_ENDED:
    end_run(rider, r);
    return ENGINE_GOES_ON;
  case AT_REST:
    break;
  }
  return ENGINE_BLOCKS;
}

static bool turn(void *context, uint32_t rank)
{
  struct script_rider *rider = context;
  enum engine_outcome outcome = ENGINE_GOES_ON;
  while (outcome == ENGINE_GOES_ON && !rider->engine.stopped)
    outcome = advance(rider, rank);
  return outcome == ENGINE_ANSWERED;
}

/* ---- all ---- */

static void arrived(void *context, uint64_t tag)
{
  struct script_rider *rider = context;
  if ((uint32_t)tag == ENGINE_NONE) {
    rider->matching.requests.items[tag >> 32].done = true;
    return;
  }
  tutti_script_arrive(rider, (uint32_t)(tag >> 32), (uint32_t)tag);
}

static void rang(void *rider, uint32_t request)
{
  tutti_script_ring(rider, request);
}

static const struct engine_rider schedules = {.turn = turn, .arrived = arrived, .rang = rang};

static void open_ranks(struct script_rider *rider)
{
  const uint32_t count = rider->script->rank_count;
  const tutti_noise *noise = rider->script->start.noise;
  rider->ranks = tutti_xcalloc(count, sizeof *rider->ranks);
  for (uint32_t r = 0; r < count; r++) {
    rider->ranks[r].flights = rider->ranks[r].few;
    rider->ranks[r].capacity = SCRIPT_FEW;
  }
  if (noise && tutti_noise_interrupts(noise))
    rider->noises = tutti_xcalloc(count, sizeof *rider->noises);
}

static void close_ranks(struct script_rider *rider)
{
  for (uint32_t r = 0; r < rider->script->rank_count; r++) {
    tutti_program_free(&rider->ranks[r].program);
    tutti_script_free_flights(&rider->ranks[r]);
    tutti_streams_end(&rider->ranks[r]);
  }
  free(rider->ranks);
  tutti_vector_free(&rider->meetings);
  free(rider->noises);
  tutti_postings_free(&rider->postings);
}

static tutti_status check_ends(const struct script_rider *rider, tutti_error *error)
{
  if (rider->status != TUTTI_OK || rider->engine.stopped)
    return rider->status;
  const uint32_t stopped = tutti_processors_stopped(&rider->engine);
  if (stopped != ENGINE_NONE)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: rank %u computes on a host of speed 0",
                      rider->script->machine->path, (unsigned)stopped);
  for (uint32_t r = 0; r < rider->script->rank_count; r++)
    if (rider->ranks[r].point != AT_REST)
      return rider->script->source ? tutti_fail(error, TUTTI_ERR_FAULT, "rank %u waits for ever", (unsigned)r)
                                   : tutti_fail(error, TUTTI_ERR_FAULT, "rank %u waits for ever in step %d",
                                                (unsigned)r, rider->ranks[r].step);
  return TUTTI_OK;
}

static tutti_status check_ranks(const struct script *script, tutti_error *error)
{
  if (script->rank_count < MATCHING_RANKS)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%u ranks: the engine simulates %d at most",
                    (unsigned)script->rank_count, MATCHING_RANKS - 1);
}

tutti_status tutti_script_run(struct script *script, tutti_error *error)
{
  struct script_rider rider = {.script = script, .error = error, .notice = MEETING_NOTICE};
  tutti_status status = check_ranks(script, error);
  if (status != TUTTI_OK)
    return status;
  tutti_arena_init(&rider.arena);
  tutti_matching_init(&rider.matching);
  tutti_waiting_init(&rider.waiting, script->rank_count);
  open_ranks(&rider);
  tutti_engine_init(&rider.engine, script->machine, script->rank_count, &schedules, &rider);
  tutti_postings_init(&rider.postings, &rider.engine, &rider.matching);
  if (script->slopes)
    rider.engine.slopes =
        tutti_slopes_new(script->rank_count, script->machine->network.link_count, script->now, script->machine->change);
  tutti_engine_begin(&rider.engine, script->now, script->first);
  tutti_engine_run(&rider.engine);
  status = check_ends(&rider, error);
  tutti_engine_free(&rider.engine);
  tutti_matching_free(&rider.matching);
  tutti_waiting_free(&rider.waiting);
  close_ranks(&rider);
  return status;
}
