/* How messages pass under Hockney: a message begins when both its ends are posted and both ports are free. */
#include "algorithms/analysis/price_state.h"

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
