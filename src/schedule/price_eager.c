/* LogP, LogGP, PLogP: a message leaves as soon as its send begins. */
#include "schedule/price_state.h"

static void post(struct price_state *state, uint32_t rank, uint32_t v)
{
  struct price_rank *r = &state->ranks[rank];
  if (r->vertices[v].kind == TUTTI_SEND)
    tutti_price_insert(r, PRICE_SENDS, v);
  else if (r->vertices[v].met)
    tutti_price_insert(r, PRICE_LOCAL, v);
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
  r->processor_user = v;
  if (duration > 0)
    tutti_price_after(state, duration, rank, v, PRICE_COMPLETE);
  else
    tutti_price_complete(state, rank, v);
}

static void begin_send(struct price_state *state, uint32_t rank, uint32_t v)
{
  struct price_rank *r = &state->ranks[rank];
  uint32_t peer = r->vertices[v].peer, receive = tutti_price_meet(state, rank, v);
  struct price_cost cost = tutti_price_cost(state, r->vertices[v].bytes);
  uint32_t before = r->send_until == state->calendar.now ? r->send_user : r->processor_user;
  tutti_price_remove(r, PRICE_SENDS, v);
  r->send_until = state->calendar.now + cost.gap;
  r->send_user = v;
  state->messages++;
  if (receive != PRICE_NONE)
    tutti_price_append(state, &state->departed, peer, receive);
  occupy(state, rank, v, before, cost.send);
}

static void begin_local(struct price_state *state, uint32_t rank, uint32_t v)
{
  struct price_rank *r = &state->ranks[rank];
  struct price_cost cost = tutti_price_cost(state, r->vertices[v].bytes);
  unsigned kind = r->vertices[v].kind;
  tutti_price_remove(r, PRICE_LOCAL, v);
  occupy(state, rank, v, r->processor_user,
         kind == TUTTI_RECV     ? cost.receive
         : kind == TUTTI_REDUCE ? cost.reduce
                                : cost.copy);
}

/* A send waits for the port: come back when that is free. */
static void wait_for_port(struct price_state *state, uint32_t rank)
{
  struct price_rank *r = &state->ranks[rank];
  if (r->wake == r->send_until)
    return;
  r->wake = r->send_until;
  tutti_price_after(state, r->send_until - state->calendar.now, rank, 0, PRICE_WAKE);
}

/* While the processor is busy nothing begins; the end of what occupies it comes back here. */
static void dispatch(struct price_state *state, uint32_t rank)
{
  struct price_rank *r = &state->ranks[rank];
  while (r->vertices && r->processor_until <= state->calendar.now) {
    uint32_t send = r->lists[PRICE_SENDS].head, local = r->lists[PRICE_LOCAL].head;
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
  for (uint32_t v; (v = r->lists[PRICE_ARRIVED].head) != PRICE_NONE;) {
    struct price_cost cost = tutti_price_cost(state, r->vertices[v].bytes);
    uint64_t begins = now + state->latency;
    if (begins < r->receive_until)
      begins = r->receive_until;
    tutti_price_remove(r, PRICE_ARRIVED, v);
    r->receive_until = begins + cost.gap;
    tutti_price_after(state, begins + cost.transit - now, rank, v, PRICE_ARRIVE);
  }
}

static void settle(struct price_state *state)
{
  for (size_t i = 0; i < state->departed.count; i++)
    tutti_price_insert(&state->ranks[state->departed.items[i].rank], PRICE_ARRIVED, state->departed.items[i].vertex);
  for (size_t i = 0; i < state->departed.count; i++)
    arrive_in_order(state, state->departed.items[i].rank);
  state->departed.count = 0;
}

static void arrive(struct price_state *state, uint32_t rank, uint32_t v)
{
  struct price_rank *r = &state->ranks[rank];
  r->vertices[v].met = 1;
  if (!r->vertices[v].posted)
    return;
  if (r->notes) {
    r->notes[v].ready = state->calendar.now;
    r->notes[v].cause_rank = r->vertices[v].peer;
    r->notes[v].cause_vertex = r->vertices[v].mate;
  }
  tutti_price_insert(r, PRICE_LOCAL, v);
}

static void event(struct price_state *state, uint32_t rank, uint32_t vertex, unsigned kind)
{
  if (kind == PRICE_ARRIVE)
    arrive(state, rank, vertex);
  else if (kind == PRICE_COMPLETE)
    tutti_price_complete(state, rank, vertex);
  tutti_price_touch(state, rank);
}

const struct price_discipline tutti_price_eager = {post, dispatch, settle, event};
