/* Actors: their messages, and the calls of MPI that endpoint.c and transport_mpi.c of src/groups would make for them.
 */
#include "engine/actors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/waiting.h"
#include "groups/wire.h"

/* Where a rank goes on at its next turn. */
enum point {
  AT_START,
  AT_OUTBOX,   /* send what the actor has sent */
  AT_OVERHEAD, /* the runtime is paid */
  AT_POST,
  AT_REST_OVERHEAD, /* the words of a message that was announced */
  AT_REST_POST,
  AT_SENT, /* all that the actor has sent */
  AT_NOTE, /* the runtime is paid: what is it o'clock? */
  AT_INBOX,
  AT_WAIT,     /* the runtime is paid: wait for any message */
  AT_ANSWERED, /* one is complete */
  AT_POOLED,   /* its receive of the pool is posted again */
  AT_RELEASE,  /* receive what was announced as far as the order allows */
};

/* How the next call of a rank went. */
enum outcome { GOES_ON, ANSWERED, BLOCKS };

/* What tutti-group waits for. */
enum stage { FOR_THE_GROUP, FOR_ALL_GROUPS, FOR_NOTHING };

struct letter {
  struct letter *next;          /* in a queue */
  struct letter *older, *newer; /* among all */
  double pause;                 /* seconds of the runtime before it is sent */
  int from, to, kind, depth, count;
  int words[];
};

struct letters {
  struct letter *first, *last;
};

/* A request in flight. */
struct flight {
  uint32_t request; /* ENGINE_NONE: taken */
  enum wire_role role;
  struct letter *letter; /* that was sent, or has been received */
};

struct member {
  struct flight *flights; /* [active of capacity] oldest first; owned */
  uint32_t active, capacity;
  uint32_t place; /* of the flight that is looked at next, at AT_RELEASE */
  enum point point;
  enum stage stage;
  double debt; /* seconds of the runtime that have not been let pass */
  struct letters inbox, outbox;
};

struct cast {
  struct engine engine;
  struct matching matching;
  struct waiting waiting;
  struct engine_actors *actors;
  struct member *members; /* [rank_count] */
  uint32_t acting;        /* whose actor is at work */
  struct letter *newest;  /* of all letters */
  tutti_status status;
  tutti_error *error;
};

/* ---- letters ---- */

static struct letter *letter_new(struct cast *cast, const tutti_message *message)
{
  const size_t bytes = (size_t)message->count * sizeof *message->words;
  struct letter *letter = tutti_xmalloc(sizeof *letter + bytes);
  *letter = (struct letter){.older = cast->newest,
                            .from = message->from,
                            .to = message->to,
                            .kind = message->kind,
                            .depth = message->depth,
                            .count = message->count};
  if (bytes > 0)
    memcpy(letter->words, message->words, bytes);
  if (cast->newest)
    cast->newest->newer = letter;
  cast->newest = letter;
  return letter;
}

static void letter_free(struct cast *cast, struct letter *letter)
{
  *(letter->newer ? &letter->newer->older : &cast->newest) = letter->older;
  if (letter->older)
    letter->older->newer = letter->newer;
  free(letter);
}

static void put(struct letters *queue, struct letter *letter)
{
  letter->next = NULL;
  *(queue->first ? &queue->last->next : &queue->first) = letter;
  queue->last = letter;
}

static struct letter *take(struct letters *queue)
{
  struct letter *letter = queue->first;
  queue->first = letter->next;
  return letter;
}

static bool is_long(const struct letter *letter)
{
  return letter->count > SHORT_WORDS;
}

/* Of the first part, or of the words that follow an announcement. */
static uint64_t bytes_of(const struct letter *letter, bool rest)
{
  const int words = rest ? letter->count : is_long(letter) ? ANNOUNCEMENT : WIRE_HEADER_WORDS + letter->count;
  return (uint64_t)words * sizeof *letter->words;
}

/* ---- requests in flight ---- */

static void add_flight(struct member *m, struct flight flight)
{
  if (m->active == m->capacity) {
    m->capacity = m->capacity ? 2 * m->capacity : 2 * WIRE_POOL;
    m->flights = tutti_xrealloc(m->flights, m->capacity * sizeof *m->flights);
  }
  m->flights[m->active++] = flight;
}

/* Those behind it move up: the oldest comes first. */
static struct letter *land(struct cast *cast, struct member *m, uint32_t place)
{
  struct letter *letter = m->flights[place].letter;
  m->active--;
  for (uint32_t i = place; i < m->active; i++) {
    m->flights[i] = m->flights[i + 1];
    if (m->flights[i].request != ENGINE_NONE)
      cast->matching.requests.items[m->flights[i].request].place = i;
  }
  return letter;
}

static struct flight *flight_of(const struct cast *cast, uint32_t request)
{
  const struct engine_request *r = &cast->matching.requests.items[request];
  return &cast->members[r->rank].flights[r->place];
}

static void fail(struct cast *cast, tutti_status status)
{
  if (cast->status == TUTTI_OK)
    cast->status = status;
  cast->engine.stopped = true;
}

static void begin_transfer(struct cast *cast, uint32_t request, uint32_t mate, uint32_t to, bool rest)
{
  const uint32_t send = flight_of(cast, request)->role == WIRE_OUT ? request : mate;
  const uint32_t from = cast->matching.requests.items[send].rank;
  if (!tutti_engine_transfer(&cast->engine, from, to, bytes_of(flight_of(cast, send)->letter, rest),
                             (uint64_t)request << 32 | mate))
    fail(cast, tutti_fail(cast->error, TUTTI_ERR_UNSUPPORTED, "ranks %u and %u: no route between their hosts",
                          (unsigned)from, (unsigned)to));
}

/* Post one end of a first part, whose receive is one from anybody, or of the rest. */
static void post(struct cast *cast, uint32_t rank, struct flight flight, uint32_t from, uint32_t to, bool rest)
{
  struct member *m = &cast->members[rank];
  const uint32_t anybody = cast->actors->rank_count;
  flight.request = tutti_request_new(&cast->matching, rank, 0, m->active);
  add_flight(m, flight);
  const uint32_t mate =
      tutti_matching_post(&cast->matching, rest ? from : anybody, to, flight.request, flight.role == WIRE_OUT);
  if (mate != ENGINE_NONE)
    begin_transfer(cast, flight.request, mate, to, rest);
}

static void post_pool(struct cast *cast, uint32_t rank)
{
  post(cast, rank, (struct flight){.role = WIRE_IN}, 0, rank, false);
}

static void post_send(struct cast *cast, uint32_t rank, struct letter *letter, bool rest)
{
  post(cast, rank, (struct flight){.role = WIRE_OUT, .letter = letter}, rank, (uint32_t)letter->to, rest);
}

/* ---- waiting ---- */

static uint32_t first_done(const struct cast *cast, const struct member *m)
{
  uint32_t place = 0;
  while (m->flights[place].request == ENGINE_NONE || !cast->matching.requests.items[m->flights[place].request].done)
    place++;
  return place;
}

/* One MPI_Waitany(): answered at once, or when one is complete. */
static enum outcome wait_for_any(struct cast *cast, uint32_t rank)
{
  struct engine_waiter *waiter = &cast->waiting.waiters[rank];
  if (waiter->done == 0) {
    waiting_begin(&cast->waiting, rank);
    return BLOCKS;
  }
  waiter->answer = first_done(cast, &cast->members[rank]);
  return ANSWERED;
}

static void arrived(void *context, uint64_t tag)
{
  struct cast *cast = context;
  const uint32_t a = (uint32_t)(tag >> 32), b = (uint32_t)tag;
  struct flight *of_a = flight_of(cast, a), *of_b = flight_of(cast, b);
  if (of_a->role == WIRE_OUT)
    of_b->letter = of_a->letter;
  else
    of_a->letter = of_b->letter;
  tutti_waiting_complete(&cast->waiting, &cast->matching, &cast->engine, a, b);
}

/* ---- actors ---- */

static tutti_status send_of_actor(tutti_transport *transport, const tutti_message *message, tutti_error *error)
{
  const struct engine_actors *actors = (struct engine_actors *)transport;
  const tutti_actor_cost *cost = &actors->machine->actor_cost;
  struct member *m = &actors->cast->members[message->from];
  if (message->to < 0 || (uint32_t)message->to >= actors->rank_count)
    return tutti_fail(error, TUTTI_ERR_FAULT, "process %d: a message to process %d, which does not exist",
                      message->from, message->to);
  struct letter *letter = letter_new(actors->cast, message);
  if (message->to == message->from) {
    put(&m->inbox, letter);
    return TUTTI_OK;
  }
  m->debt += cost->send + cost->byte * (double)tutti_message_bytes(message->count);
  letter->pause = m->debt;
  m->debt = 0;
  put(&m->outbox, letter);
  return TUTTI_OK;
}

static void charge_entries(tutti_transport *transport, int entries)
{
  const struct engine_actors *actors = (struct engine_actors *)transport;
  actors->cast->members[actors->cast->acting].debt += actors->machine->actor_cost.entry * entries;
}

const tutti_transport tutti_actors_transport = {.send = send_of_actor, .work = charge_entries};

/* The actor has been at work. */
static void check(struct cast *cast, const tutti_actor *actor)
{
  if (actor->status != TUTTI_OK)
    fail(cast, actor->status);
}

static void start(struct cast *cast, uint32_t rank)
{
  cast->acting = rank;
  tutti_actor_start(cast->actors->actors[rank]);
  check(cast, cast->actors->actors[rank]);
}

static void deliver(struct cast *cast, uint32_t rank, struct letter *letter)
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
  check(cast, cast->actors->actors[rank]);
  letter_free(cast, letter);
}

/* ---- what a rank does between two calls, as far as the next one ---- */

static enum outcome let_pass(struct cast *cast, uint32_t rank, double seconds)
{
  if (!(seconds > 0))
    return GOES_ON;
  tutti_engine_sleep(&cast->engine, rank, seconds);
  return BLOCKS;
}

static enum outcome pay(struct cast *cast, uint32_t rank)
{
  const double debt = cast->members[rank].debt;
  cast->members[rank].debt = 0;
  return let_pass(cast, rank, debt);
}

static enum outcome sleep_overhead(struct cast *cast, uint32_t rank, bool rest)
{
  const double bytes = (double)bytes_of(cast->members[rank].outbox.first, rest);
  return let_pass(cast, rank, tutti_pieces_overhead(&cast->actors->machine->send_overhead, bytes));
}

static enum outcome open_outbox(struct cast *cast, uint32_t rank)
{
  struct member *m = &cast->members[rank];
  m->point = m->outbox.first ? AT_OVERHEAD : AT_SENT;
  return m->outbox.first ? let_pass(cast, rank, m->outbox.first->pause) : GOES_ON;
}

/* The letter is its receiver's as soon as all of it is posted. */
static enum outcome post_first(struct cast *cast, uint32_t rank)
{
  struct member *m = &cast->members[rank];
  const bool whole = !is_long(m->outbox.first);
  m->point = whole ? AT_OUTBOX : AT_REST_OVERHEAD;
  post_send(cast, rank, whole ? take(&m->outbox) : m->outbox.first, false);
  return ANSWERED;
}

static enum outcome post_rest(struct cast *cast, uint32_t rank)
{
  struct member *m = &cast->members[rank];
  m->point = AT_OUTBOX;
  post_send(cast, rank, take(&m->outbox), true);
  return ANSWERED;
}

/* Has come what tutti-group waits for? */
static enum outcome check_stage(struct cast *cast, uint32_t rank)
{
  const tutti_actor *actor = cast->actors->actors[rank];
  struct member *m = &cast->members[rank];
  const bool over =
      m->stage != FOR_NOTHING && (actor->done || (m->stage == FOR_THE_GROUP && tutti_group_protocol_complete(actor)));
  m->point = over ? AT_NOTE : AT_INBOX;
  return over ? pay(cast, rank) : GOES_ON;
}

static enum outcome note(struct cast *cast, uint32_t rank)
{
  struct member *m = &cast->members[rank];
  struct engine_actors *actors = cast->actors;
  if (m->stage == FOR_THE_GROUP && tutti_group_protocol_complete(actors->actors[rank]))
    actors->complete = fmax(actors->complete, cast->engine.now);
  if (m->stage == FOR_ALL_GROUPS && rank == 0)
    actors->ended = cast->engine.now;
  m->stage++;
  m->point = AT_SENT;
  return GOES_ON;
}

static enum outcome open_inbox(struct cast *cast, uint32_t rank)
{
  struct member *m = &cast->members[rank];
  if (!m->inbox.first) {
    m->point = AT_WAIT;
    return pay(cast, rank);
  }
  m->point = AT_OUTBOX;
  deliver(cast, rank, take(&m->inbox));
  return GOES_ON;
}

/* A receive of the pool is posted again before anything else is done. */
static enum outcome take_in(struct cast *cast, uint32_t rank)
{
  struct member *m = &cast->members[rank];
  struct engine_waiter *waiter = &cast->waiting.waiters[rank];
  struct flight *flight = &m->flights[waiter->answer];
  tutti_request_free(&cast->matching, flight->request);
  flight->request = ENGINE_NONE;
  waiter->done--;
  if (flight->role == WIRE_IN) {
    m->point = AT_POOLED;
    post_pool(cast, rank);
    return ANSWERED;
  }
  const bool received = flight->role == WIRE_REST;
  struct letter *letter = land(cast, m, waiter->answer);
  if (received)
    put(&m->inbox, letter);
  m->point = AT_INBOX;
  return GOES_ON;
}

static enum outcome take_first_part(struct cast *cast, uint32_t rank)
{
  struct member *m = &cast->members[rank];
  const uint32_t place = cast->waiting.waiters[rank].answer;
  m->flights[place].role = WIRE_HELD;
  if (!is_long(m->flights[place].letter))
    put(&m->inbox, land(cast, m, place));
  m->place = 0;
  m->point = AT_RELEASE;
  return GOES_ON;
}

static enum outcome release_held(struct cast *cast, uint32_t rank)
{
  struct member *m = &cast->members[rank];
  for (; m->place < m->active && m->flights[m->place].role != WIRE_IN; m->place++)
    if (m->flights[m->place].role == WIRE_HELD) {
      const struct letter *letter = land(cast, m, m->place);
      post(cast, rank, (struct flight){.role = WIRE_REST}, (uint32_t)letter->from, rank, true);
      return ANSWERED;
    }
  m->point = AT_INBOX;
  return GOES_ON;
}

static enum outcome advance(struct cast *cast, uint32_t rank)
{
  struct member *m = &cast->members[rank];
  switch (m->point) {
  case AT_START:
    m->point = AT_OUTBOX;
    start(cast, rank);
    return GOES_ON;
  case AT_OUTBOX:
    return open_outbox(cast, rank);
  case AT_OVERHEAD:
    m->point = AT_POST;
    return sleep_overhead(cast, rank, false);
  case AT_POST:
    return post_first(cast, rank);
  case AT_REST_OVERHEAD:
    m->point = AT_REST_POST;
    return sleep_overhead(cast, rank, true);
  case AT_REST_POST:
    return post_rest(cast, rank);
  case AT_SENT:
    return check_stage(cast, rank);
  case AT_NOTE:
    return note(cast, rank);
  case AT_INBOX:
    return open_inbox(cast, rank);
  case AT_WAIT:
    m->point = AT_ANSWERED;
    return wait_for_any(cast, rank);
  case AT_ANSWERED:
    return take_in(cast, rank);
  case AT_POOLED:
    return take_first_part(cast, rank);
  case AT_RELEASE:
    return release_held(cast, rank);
  }
  return BLOCKS;
}

static bool turn(void *context, uint32_t rank)
{
  struct cast *cast = context;
  enum outcome outcome = GOES_ON;
  while (outcome == GOES_ON && !cast->engine.stopped)
    outcome = advance(cast, rank);
  return outcome == ANSWERED;
}

/* ---- all ---- */

static const struct engine_rider rider = {.turn = turn, .arrived = arrived};

static void cast_open(struct cast *cast)
{
  const struct engine_actors *actors = cast->actors;
  tutti_matching_init(&cast->matching);
  tutti_waiting_init(&cast->waiting, actors->rank_count);
  cast->members = tutti_xcalloc(actors->rank_count, sizeof *cast->members);
  tutti_engine_init(&cast->engine, actors->machine, actors->rank_count, &rider, cast);
  tutti_engine_begin(&cast->engine, actors->time, actors->order);
  for (uint32_t r = 0; r < actors->rank_count; r++)
    for (int i = 0; i < WIRE_POOL; i++)
      post_pool(cast, r);
}

static void cast_close(struct cast *cast)
{
  for (uint32_t r = 0; r < cast->actors->rank_count; r++)
    free(cast->members[r].flights);
  while (cast->newest)
    letter_free(cast, cast->newest);
  tutti_engine_free(&cast->engine);
  tutti_matching_free(&cast->matching);
  tutti_waiting_free(&cast->waiting);
  free(cast->members);
}

static tutti_status check_ends(const struct cast *cast, tutti_error *error)
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
  struct cast cast = {.actors = actors, .error = error};
  actors->complete = actors->ended = -INFINITY;
  actors->cast = &cast;
  cast_open(&cast);
  tutti_engine_run(&cast.engine);
  const tutti_status status = check_ends(&cast, error);
  cast_close(&cast);
  actors->cast = NULL;
  return status;
}
