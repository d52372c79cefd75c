/* How messages pass: eager and rendezvous. */
#include <stdlib.h>

#include "algorithms/analysis/price_state.h"

static void eager_post(struct price_state *state, uint32_t rank, uint32_t v)
{
  struct price_rank *r = &state->ranks[rank];
  if (r->vertices[v].kind == TUTTI_SEND)
    tutti_price_insert(state, rank, PRICE_SENDS, v);
  else if (r->vertices[v].met)
    tutti_price_insert(state, rank, PRICE_LOCAL, v);
  else
    return;
  tutti_price_touch(state, rank);
}

/* The processor is busy with a vertex, which may have waited for one before it. */
static void occupy(struct price_state *state, uint32_t rank, uint32_t v, uint32_t before, uint64_t duration)
{
  struct price_rank *r = &state->ranks[rank];
  tutti_price_note(state, rank, v, before, duration);
  r->processor_until = state->calendar.now + duration;
  if (state->trails)
    state->trails[rank].processor_user = v;
  if (duration > 0)
    tutti_price_after(state, duration, rank, v, PRICE_COMPLETE);
  else
    tutti_price_complete(state, rank, v);
}

/* The vertex that used the processor, or the port to send, last; for the critical path only. */
static uint32_t user_of(const struct price_state *state, uint32_t rank, bool port)
{
  if (!state->trails)
    return PRICE_NONE;
  return port ? state->trails[rank].send_user : state->trails[rank].processor_user;
}

/* The receiver is looked up when all that leave now are known: then the accesses to memory overlap. */
static void depart(struct price_state *state, uint32_t rank, uint32_t v)
{
  const struct price_vertex *send = price_vertex_of(state, rank, v);
  struct price_departures *departed = &state->departed;
  if (departed->count == departed->capacity) {
    size_t capacity = departed->capacity ? 2 * departed->capacity : 256;
    struct price_departure *items = realloc(departed->items, capacity * sizeof *items);
    if (!items) {
      state->no_memory = true;
      return;
    }
    departed->items = items;
    departed->capacity = capacity;
  }
  departed->items[departed->count++] =
      (struct price_departure){.peer = send->peer, .sender = rank, .send = v, .bytes = send->bytes};
  state->messages++;
}

static void begin_send(struct price_state *state, uint32_t rank, uint32_t v)
{
  struct price_rank *r = &state->ranks[rank];
  struct price_cost cost = tutti_price_cost(state, r->vertices[v].bytes);
  uint32_t before = user_of(state, rank, r->send_until == state->calendar.now);
  tutti_price_remove(state, rank, PRICE_SENDS, v);
  r->send_until = state->calendar.now + cost.gap;
  if (state->trails)
    state->trails[rank].send_user = v;
  depart(state, rank, v);
  occupy(state, rank, v, before, cost.send);
}

static void begin_local(struct price_state *state, uint32_t rank, uint32_t v)
{
  struct price_rank *r = &state->ranks[rank];
  struct price_cost cost = tutti_price_cost(state, r->vertices[v].bytes);
  unsigned kind = r->vertices[v].kind;
  tutti_price_remove(state, rank, PRICE_LOCAL, v);
  occupy(state, rank, v, user_of(state, rank, false),
         kind == TUTTI_RECV     ? cost.receive
         : kind == TUTTI_REDUCE ? cost.reduce
                                : cost.copy);
}

/* A send waits for the port: come back when that is free. */
static void wait_for_port(struct price_state *state, uint32_t rank)
{
  const struct price_rank *r = &state->ranks[rank];
  if (state->asides[rank].wake == r->send_until)
    return;
  state->asides[rank].wake = r->send_until;
  tutti_price_after(state, r->send_until - state->calendar.now, rank, 0, PRICE_WAKE);
}

/* While the processor is busy nothing begins; the end of its work comes back here. */
static void eager_dispatch(struct price_state *state, uint32_t rank)
{
  struct price_rank *r = &state->ranks[rank];
  while (r->vertices && r->processor_until <= state->calendar.now) {
    uint32_t send = r->heads[PRICE_SENDS], local = r->heads[PRICE_LOCAL];
    if (send != PRICE_NONE && r->send_until <= state->calendar.now) {
      begin_send(state, rank, send);
    } else if (local != PRICE_NONE) {
      begin_local(state, rank, local);
    } else {
      if (send != PRICE_NONE)
        wait_for_port(state, rank);
      return;
    }
  }
}

/* Messages that left at the same time reach a port at the same time: in the order of their receives. */
static void arrive_in_order(struct price_state *state, uint32_t rank)
{
  struct price_rank *r = &state->ranks[rank];
  uint64_t now = state->calendar.now;
  for (uint32_t v; (v = r->heads[PRICE_ARRIVED]) != PRICE_NONE;) {
    struct price_cost cost = tutti_price_cost(state, r->vertices[v].bytes);
    uint64_t begins = now + state->latency;
    if (begins < r->receive_until)
      begins = r->receive_until;
    tutti_price_remove(state, rank, PRICE_ARRIVED, v);
    r->receive_until = begins + cost.gap;
    tutti_price_after(state, begins + cost.transit - now, rank, v, PRICE_ARRIVE);
  }
}

/* While one message is looked up, memory fetches what the next ones need. */
static void fetch(const struct price_state *state, size_t i)
{
  enum { FAR = 16, NEAR = 6 };
  const struct price_departures *departed = &state->departed;
  if (i + FAR < departed->count)
    __builtin_prefetch(&state->ranks[departed->items[i + FAR].peer]);
  if (i + NEAR < departed->count) {
    const struct price_rank *peer = &state->ranks[departed->items[i + NEAR].peer];
    if (peer->vertices)
      __builtin_prefetch(price_channels_of(peer) + peer->channel_count / 2);
  }
}

static void deliver_departed(struct price_state *state)
{
  struct price_departures *departed = &state->departed;
  for (size_t i = 0; i < departed->count; i++) {
    struct price_departure *message = &departed->items[i];
    fetch(state, i);
    message->receive = tutti_price_meet(state, message);
    if (message->receive == PRICE_NONE)
      return;
    tutti_price_insert(state, message->peer, PRICE_ARRIVED, message->receive);
  }
  for (size_t i = 0; i < departed->count; i++)
    arrive_in_order(state, departed->items[i].peer);
  departed->count = 0;
}

static void arrive(struct price_state *state, uint32_t rank, uint32_t v)
{
  struct price_rank *r = &state->ranks[rank];
  r->vertices[v].met = 1;
  if (!r->vertices[v].posted)
    return;
  struct price_note *note = price_note_of(state, rank, v);
  if (note) {
    note->ready = state->calendar.now;
    note->cause_rank = r->vertices[v].peer;
    note->cause_vertex = r->vertices[v].mate;
  }
  tutti_price_insert(state, rank, PRICE_LOCAL, v);
}

static void eager_event(struct price_state *state, uint32_t rank, uint32_t vertex, unsigned kind)
{
  if (kind == PRICE_ARRIVE)
    arrive(state, rank, vertex);
  else if (kind == PRICE_COMPLETE)
    tutti_price_complete(state, rank, vertex);
  tutti_price_touch(state, rank);
}

const struct price_discipline tutti_price_eager = {eager_post, eager_dispatch, deliver_departed, eager_event};

/* ---- Hockney: a message begins when both its ends are posted and both ports are free ---- */

/* Both ends are posted: the message can begin as far as the schedules are concerned. */
static void offer(struct price_state *state, uint32_t rank, uint32_t receive)
{
  struct price_rank *r = &state->ranks[rank];
  uint32_t sender = r->vertices[receive].peer;
  tutti_price_insert(state, rank, PRICE_RECEIVES, receive);
  tutti_price_insert(state, sender, PRICE_SENDS, r->vertices[receive].mate);
  tutti_price_touch(state, rank);
  tutti_price_touch(state, sender);
}

static void post_send(struct price_state *state, uint32_t rank, uint32_t v)
{
  const struct price_vertex *send = price_vertex_of(state, rank, v);
  const struct price_departure message = {.peer = send->peer, .sender = rank, .send = v, .bytes = send->bytes};
  uint32_t peer = send->peer, receive = tutti_price_meet(state, &message);
  if (receive == PRICE_NONE)
    return;
  struct price_vertex *other = price_vertex_of(state, peer, receive);
  price_vertex_of(state, rank, v)->mate = receive;
  other->met = 1;
  if (other->posted)
    offer(state, peer, receive);
}

static void rendezvous_post(struct price_state *state, uint32_t rank, uint32_t v)
{
  const struct price_vertex *vertex = price_vertex_of(state, rank, v);
  if (vertex->kind == TUTTI_SEND)
    post_send(state, rank, v);
  else if (vertex->met)
    offer(state, rank, v);
}

static bool can_send(const struct price_state *state, uint32_t rank)
{
  return state->ranks[rank].send_until <= state->calendar.now;
}

static bool can_receive(const struct price_state *state, uint32_t rank)
{
  return state->ranks[rank].receive_until <= state->calendar.now;
}

/* The first message that a rank could send now, and could receive now: its vertex there. */
static uint32_t first_send(const struct price_state *state, uint32_t rank)
{
  const struct price_rank *r = &state->ranks[rank];
  uint32_t v = can_send(state, rank) ? r->heads[PRICE_SENDS] : PRICE_NONE;
  while (v != PRICE_NONE && !can_receive(state, r->vertices[v].peer))
    v = r->vertices[v].next;
  return v;
}

static uint32_t first_receive(const struct price_state *state, uint32_t rank)
{
  const struct price_rank *r = &state->ranks[rank];
  uint32_t v = can_receive(state, rank) ? r->heads[PRICE_RECEIVES] : PRICE_NONE;
  while (v != PRICE_NONE && !can_send(state, r->vertices[v].peer))
    v = r->vertices[v].next;
  return v;
}

/* If it waited for a port: the one that has become free now is the cause. */
static void blame_port(const struct price_state *state, uint32_t sender, uint32_t rank, struct price_note *last)
{
  bool port_of_sender = state->ranks[sender].send_until == state->calendar.now;
  if (last->ready == state->calendar.now)
    return;
  last->cause_rank = port_of_sender ? sender : rank;
  last->cause_vertex = port_of_sender ? state->trails[sender].send_user : state->trails[rank].receive_user;
}

/* Note the message at both ends as caused by the end that was ready last. */
static void note(struct price_state *state, uint32_t sender, uint32_t send, uint32_t rank, uint32_t receive,
                 uint64_t gap)
{
  struct price_note *s = price_note_of(state, sender, send), *r = price_note_of(state, rank, receive);
  if (s) {
    struct price_note *last = s->ready >= r->ready ? s : r;
    blame_port(state, sender, rank, last);
    s->ready = r->ready = state->calendar.now;
    s->cause_rank = r->cause_rank = last->cause_rank;
    s->cause_vertex = r->cause_vertex = last->cause_vertex;
    state->trails[sender].send_user = send;
    state->trails[rank].receive_user = receive;
  }
  tutti_price_note(state, sender, send, PRICE_NONE, gap);
  tutti_price_note(state, rank, receive, PRICE_NONE, gap);
}

static void begin_message(struct price_state *state, uint32_t rank, uint32_t receive)
{
  struct price_rank *to = &state->ranks[rank];
  uint32_t sender = to->vertices[receive].peer, send = to->vertices[receive].mate;
  struct price_rank *from = &state->ranks[sender];
  struct price_cost cost = tutti_price_cost(state, to->vertices[receive].bytes);
  note(state, sender, send, rank, receive, cost.gap);
  tutti_price_remove(state, rank, PRICE_RECEIVES, receive);
  tutti_price_remove(state, sender, PRICE_SENDS, send);
  from->send_until = to->receive_until = state->calendar.now + cost.gap;
  state->messages++;
  tutti_price_after(state, cost.gap, rank, receive, PRICE_COMPLETE);
}

/* Begin the message that is first both of its sender and of its receiver, among those that wait for its ports or for
   those of earlier messages; any in a circle of such preferences. */
static void begin_first(struct price_state *state, uint32_t rank, uint32_t receive)
{
  for (int steps = 0; steps < 64; steps++) {
    uint32_t sender = price_vertex_of(state, rank, receive)->peer, send = first_send(state, sender);
    uint32_t preferred = price_vertex_of(state, sender, send)->peer, first = first_receive(state, preferred);
    if (preferred == rank && first == receive)
      break;
    rank = preferred;
    receive = first;
  }
  begin_message(state, rank, receive);
}

static void compute(struct price_state *state, uint32_t rank, uint32_t v)
{
  struct price_rank *r = &state->ranks[rank];
  struct price_cost cost = tutti_price_cost(state, r->vertices[v].bytes);
  uint64_t duration = r->vertices[v].kind == TUTTI_REDUCE ? cost.reduce : cost.copy;
  tutti_price_note(state, rank, v, state->trails ? state->trails[rank].processor_user : PRICE_NONE, duration);
  tutti_price_remove(state, rank, PRICE_LOCAL, v);
  r->processor_until = state->calendar.now + duration;
  if (state->trails)
    state->trails[rank].processor_user = v;
  tutti_price_after(state, duration, rank, v, PRICE_COMPLETE);
}

static void rendezvous_dispatch(struct price_state *state, uint32_t rank)
{
  struct price_rank *r = &state->ranks[rank];
  uint32_t v;
  while (r->vertices && (v = first_receive(state, rank)) != PRICE_NONE)
    begin_first(state, rank, v);
  while (r->vertices && (v = first_send(state, rank)) != PRICE_NONE)
    begin_first(state, r->vertices[v].peer, r->vertices[v].mate);
  v = r->vertices ? r->heads[PRICE_LOCAL] : PRICE_NONE;
  if (v != PRICE_NONE && r->processor_until <= state->calendar.now)
    compute(state, rank, v);
}

static void rendezvous_event(struct price_state *state, uint32_t rank, uint32_t v, unsigned kind)
{
  (void)kind; /* things only ever complete */
  const struct price_vertex *vertex = price_vertex_of(state, rank, v);
  if (vertex->kind == TUTTI_RECV) {
    uint32_t sender = vertex->peer, send = vertex->mate;
    tutti_price_complete(state, sender, send);
    tutti_price_touch(state, sender);
  }
  tutti_price_complete(state, rank, v);
  tutti_price_touch(state, rank);
}

const struct price_discipline tutti_price_rendezvous = {rendezvous_post, rendezvous_dispatch, NULL, rendezvous_event};
