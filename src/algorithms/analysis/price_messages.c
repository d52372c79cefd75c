/* How messages pass: eager. */
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
  const bool port = r->send_until == state->calendar.now;
  const uint32_t before = user_of(state, rank, port);
  tutti_price_remove(state, rank, PRICE_SENDS, v);
  r->send_until = state->calendar.now + cost.gap;
  if (state->trails) {
    struct price_note *note = price_note_of(state, rank, v);
    note->after_the_gap = port && note->ready < state->calendar.now;
    state->trails[rank].send_user = v;
  }
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
    const bool waits = now + state->latency < r->receive_until;
    const uint64_t begins = waits ? r->receive_until : now + state->latency;
    if (state->trails) {
      price_note_of(state, rank, v)->behind = waits ? state->trails[rank].receive_user : PRICE_NONE;
      state->trails[rank].receive_user = v;
    }
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
