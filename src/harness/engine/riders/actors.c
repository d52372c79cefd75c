/* Actors: their messages, and the calls of MPI that endpoint.c and transport_mpi.c of src/groups would make for them.
 */
#include "harness/engine/riders/actors.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "harness/engine/riders/actors_cast.h"

/* ---- actors ---- */

static tutti_status send_of_actor(tutti_transport *transport, const tutti_message *message, tutti_error *error)
{
  const struct engine_actors *actors = (struct engine_actors *)transport;
  const tutti_actor_cost *cost = &actors->machine->actor_cost;
  struct actors_member *m = &actors->cast->members[message->from];
  if (message->to < 0 || (uint32_t)message->to >= actors->rank_count)
    return tutti_fail(error, TUTTI_ERR_FAULT, "process %d: a message to process %d, which does not exist",
                      message->from, message->to);
  struct actors_letter *letter = tutti_letter_new(actors->cast, message);
  if (message->to == message->from) {
    tutti_letters_put(&m->inbox, letter);
    return TUTTI_OK;
  }
  m->debt += cost->send + cost->byte * (double)tutti_message_bytes(message->count);
  letter->pause = m->debt;
  m->debt = 0;
  tutti_letters_put(&m->outbox, letter);
  return TUTTI_OK;
}

static void charge_work(tutti_transport *transport, tutti_work work, int count)
{
  const struct engine_actors *actors = (struct engine_actors *)transport;
  const tutti_actor_cost *cost = &actors->machine->actor_cost;
  actors->cast->members[actors->cast->acting].debt +=
      (work == TUTTI_WORK_CANDIDATE ? cost->candidate : cost->entry) * count;
}

const tutti_transport tutti_actors_transport = {.send = send_of_actor, .work = charge_work};

/* The actor has been at work. */
static void note_failure(struct actors_cast *cast, const tutti_actor *actor)
{
  if (actor->status != TUTTI_OK)
    actors_fail(cast, actor->status);
}

static void start(struct actors_cast *cast, uint32_t rank)
{
  cast->acting = rank;
  tutti_actor_start(cast->actors->actors[rank]);
  note_failure(cast, cast->actors->actors[rank]);
}

static void deliver(struct actors_cast *cast, uint32_t rank, struct actors_letter *letter)
{
  const tutti_actor_cost *cost = &cast->actors->machine->actor_cost;
  const tutti_message message = {.from = letter->from,
                                 .to = letter->to,
                                 .kind = letter->kind,
                                 .depth = letter->depth,
                                 .count = letter->count,
                                 .words = letter->words};
  if (message.from != message.to)
    cast->members[rank].debt += cost->receive + cost->byte * (double)tutti_message_bytes(message.count) +
                                (message.kind == TUTTI_MESSAGE_START ? cost->start : 0);
  cast->acting = rank;
  tutti_actor_receive(cast->actors->actors[rank], &message);
  note_failure(cast, cast->actors->actors[rank]);
  tutti_letter_free(cast, letter);
}

/* ---- what a rank does between two calls, as far as the next one ---- */

static enum engine_outcome let_pass(struct actors_cast *cast, uint32_t rank, double seconds)
{
  if (!(seconds > 0))
    return ENGINE_GOES_ON;
  tutti_engine_sleep(&cast->engine, rank, seconds, ENGINE_CONSTANT);
  return ENGINE_BLOCKS;
}

static enum engine_outcome pay(struct actors_cast *cast, uint32_t rank)
{
  const double debt = cast->members[rank].debt;
  cast->members[rank].debt = 0;
  return let_pass(cast, rank, debt);
}

static enum engine_outcome sleep_overhead(struct actors_cast *cast, uint32_t rank, bool rest)
{
  const double bytes = (double)tutti_letter_bytes(cast->members[rank].outbox.first, rest);
  return let_pass(cast, rank, tutti_pieces_overhead(&cast->actors->machine->send_overhead, bytes));
}

static enum engine_outcome open_outbox(struct actors_cast *cast, uint32_t rank)
{
  struct actors_member *m = &cast->members[rank];
  m->point = m->outbox.first ? AT_OVERHEAD : AT_SENT;
  return m->outbox.first ? let_pass(cast, rank, m->outbox.first->pause) : ENGINE_GOES_ON;
}

/* The receiver owns the letter as soon as all of it is posted. */
static enum engine_outcome post_first(struct actors_cast *cast, uint32_t rank)
{
  struct actors_member *m = &cast->members[rank];
  const bool whole = !actors_is_long(m->outbox.first);
  tutti_flight_send(cast, rank, whole ? tutti_letters_take(&m->outbox) : m->outbox.first, false,
                    whole ? AT_OUTBOX : AT_REST_OVERHEAD);
  return ENGINE_GOES_ON;
}

static enum engine_outcome post_rest(struct actors_cast *cast, uint32_t rank)
{
  tutti_flight_send(cast, rank, tutti_letters_take(&cast->members[rank].outbox), true, AT_OUTBOX);
  return ENGINE_GOES_ON;
}

/* Check whether what tutti-group waits for has happened. */
static enum engine_outcome check_stage(struct actors_cast *cast, uint32_t rank)
{
  const tutti_actor *actor = cast->actors->actors[rank];
  struct actors_member *m = &cast->members[rank];
  const bool over =
      m->stage != FOR_NOTHING && (actor->done || (m->stage == FOR_THE_GROUP && tutti_group_protocol_complete(actor)));
  m->point = over ? AT_NOTE : AT_INBOX;
  return over ? pay(cast, rank) : ENGINE_GOES_ON;
}

static enum engine_outcome note(struct actors_cast *cast, uint32_t rank)
{
  struct actors_member *m = &cast->members[rank];
  struct engine_actors *actors = cast->actors;
  if (m->stage == FOR_THE_GROUP && tutti_group_protocol_complete(actors->actors[rank]))
    actors->complete = fmax(actors->complete, cast->engine.now);
  if (m->stage == FOR_ALL_GROUPS && rank == 0)
    actors->ended = cast->engine.now;
  m->stage++;
  m->point = AT_SENT;
  return ENGINE_GOES_ON;
}

static enum engine_outcome open_inbox(struct actors_cast *cast, uint32_t rank)
{
  struct actors_member *m = &cast->members[rank];
  if (!m->inbox.first) {
    m->point = AT_WAIT;
    return pay(cast, rank);
  }
  m->point = AT_OUTBOX;
  deliver(cast, rank, tutti_letters_take(&m->inbox));
  return ENGINE_GOES_ON;
}

/* SMPI charges the receiver for eager messages alone. */
static enum engine_outcome receive_eager(struct actors_cast *cast, uint32_t rank)
{
  struct actors_member *m = &cast->members[rank];
  const struct actors_flight *flight = &m->flights[cast->waiting.waiters[rank].answer];
  m->point = AT_TAKEN;
  if (flight->request == ACTORS_EAGER || !cast->matching.requests.items[flight->request].of_eager)
    return ENGINE_GOES_ON;
  const double bytes = (double)tutti_letter_bytes(flight->letter, flight->role == WIRE_REST);
  return let_pass(cast, rank, tutti_pieces_overhead(&cast->actors->machine->receive_overhead, bytes));
}

/* A receive of the pool is posted again before anything else is done. */
static enum engine_outcome take_in(struct actors_cast *cast, uint32_t rank)
{
  struct actors_member *m = &cast->members[rank];
  struct engine_waiter *waiter = &cast->waiting.waiters[rank];
  struct actors_flight *flight = &m->flights[waiter->answer];
  if (flight->request == ACTORS_EAGER)
    m->eager--;
  else {
    tutti_request_free(&cast->matching, flight->request);
    waiter->done--;
  }
  flight->request = ENGINE_NONE;
  if (flight->role == WIRE_IN) {
    tutti_flight_receive(cast, rank, AT_POOLED);
    return ENGINE_GOES_ON;
  }
  const bool received = flight->role == WIRE_REST;
  struct actors_letter *letter = tutti_flight_land(cast, m, waiter->answer);
  if (received)
    tutti_letters_put(&m->inbox, letter);
  m->point = AT_INBOX;
  return ENGINE_GOES_ON;
}

static enum engine_outcome take_first_part(struct actors_cast *cast, uint32_t rank)
{
  struct actors_member *m = &cast->members[rank];
  const uint32_t place = cast->waiting.waiters[rank].answer;
  m->flights[place].role = WIRE_HELD;
  if (!actors_is_long(m->flights[place].letter))
    tutti_letters_put(&m->inbox, tutti_flight_land(cast, m, place));
  m->place = 0;
  m->point = AT_RELEASE;
  return ENGINE_GOES_ON;
}

static enum engine_outcome release_held(struct actors_cast *cast, uint32_t rank)
{
  struct actors_member *m = &cast->members[rank];
  for (; m->place < m->active && m->flights[m->place].role != WIRE_IN; m->place++)
    if (m->flights[m->place].role == WIRE_HELD) {
      tutti_flight_receive_rest(cast, rank, tutti_flight_land(cast, m, m->place), AT_RELEASE);
      return ENGINE_GOES_ON;
    }
  m->point = AT_INBOX;
  return ENGINE_GOES_ON;
}

static enum engine_outcome advance(struct actors_cast *cast, uint32_t rank)
{
  struct actors_member *m = &cast->members[rank];
  switch (m->point) {
  case AT_START:
    m->point = AT_OUTBOX;
    start(cast, rank);
    return ENGINE_GOES_ON;
  case AT_OUTBOX:
    return open_outbox(cast, rank);
  case AT_OVERHEAD:
    m->point = AT_FIRST;
    return sleep_overhead(cast, rank, false);
  case AT_FIRST:
    return post_first(cast, rank);
  case AT_REST_OVERHEAD:
    m->point = AT_REST;
    return sleep_overhead(cast, rank, true);
  case AT_REST:
    return post_rest(cast, rank);
  case AT_SENT:
    return check_stage(cast, rank);
  case AT_NOTE:
    return note(cast, rank);
  case AT_INBOX:
    return open_inbox(cast, rank);
  case AT_WAIT:
    m->point = AT_ANSWERED;
    return tutti_flight_wait(cast, rank);
  case AT_ANSWERED:
    return receive_eager(cast, rank);
  case AT_TAKEN:
    return take_in(cast, rank);
  case AT_POOLED:
    return take_first_part(cast, rank);
  case AT_RELEASE:
    return release_held(cast, rank);
  case AT_POST:
    return tutti_flight_advance_post(cast, rank);
  }
  return ENGINE_BLOCKS;
}

static bool turn(void *context, uint32_t rank)
{
  struct actors_cast *cast = context;
  enum engine_outcome outcome = ENGINE_GOES_ON;
  while (outcome == ENGINE_GOES_ON && !cast->engine.stopped)
    outcome = advance(cast, rank);
  return outcome == ENGINE_ANSWERED;
}

/* ---- all ---- */

static const struct engine_rider rider = {.turn = turn, .arrived = tutti_flight_arrived};

static void cast_open(struct actors_cast *cast)
{
  const struct engine_actors *actors = cast->actors;
  tutti_matching_init(&cast->matching);
  tutti_waiting_init(&cast->waiting, actors->rank_count);
  cast->members = tutti_xcalloc(actors->rank_count, sizeof *cast->members);
  tutti_engine_init(&cast->engine, actors->machine, actors->rank_count, &rider, cast);
  tutti_engine_begin(&cast->engine, actors->time, actors->order);
  tutti_postings_init(&cast->postings, &cast->engine, &cast->matching);
  for (uint32_t r = 0; r < actors->rank_count; r++) {
    for (int i = 0; i < WIRE_POOL; i++) { /* they were posted before the start */
      tutti_flight_receive(cast, r, AT_START);
      tutti_flight_post(cast, r);
    }
    cast->members[r].point = AT_START;
  }
}

static void cast_close(struct actors_cast *cast)
{
  for (uint32_t r = 0; r < cast->actors->rank_count; r++)
    free(cast->members[r].flights);
  while (cast->newest)
    tutti_letter_free(cast, cast->newest);
  tutti_engine_free(&cast->engine);
  tutti_matching_free(&cast->matching);
  tutti_waiting_free(&cast->waiting);
  tutti_postings_free(&cast->postings);
  tutti_vector_free(&cast->carried);
  free(cast->members);
}

static tutti_status check_ends(const struct actors_cast *cast, tutti_error *error)
{
  if (cast->status != TUTTI_OK)
    return cast->status;
  for (uint32_t r = 0; r < cast->actors->rank_count; r++)
    if (!cast->actors->actors[r]->done)
      return tutti_fail(error, TUTTI_ERR_FAULT, "rank %u waits for ever", (unsigned)r);
  return TUTTI_OK;
}

tutti_status tutti_actors_run(struct engine_actors *actors, tutti_error *error)
{
  struct actors_cast cast = {.actors = actors, .error = error};
  actors->complete = actors->ended = -INFINITY;
  actors->cast = &cast;
  cast_open(&cast);
  tutti_engine_run(&cast.engine);
  const tutti_status status = check_ends(&cast, error);
  cast_close(&cast);
  actors->cast = NULL;
  return status;
}
