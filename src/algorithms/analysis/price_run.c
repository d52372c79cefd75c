/* Posting and completing vertices, and their critical path. */
#include <stdlib.h>

#include "algorithms/analysis/price_state.h"
#include "base/numbers.h"

/* False, and state->no_memory, without memory. */
static bool append(struct price_state *state, struct price_places *places, uint32_t rank, uint32_t vertex)
{
  if (places->count == places->capacity) {
    size_t capacity = places->capacity ? 2 * places->capacity : 256;
    struct price_place *items = realloc(places->items, capacity * sizeof *items);
    if (!items) {
      state->no_memory = true;
      return false;
    }
    places->items = items;
    places->capacity = capacity;
  }
  places->items[places->count++] = (struct price_place){rank, vertex};
  return true;
}

/* The last of a list that is not empty. */
static uint32_t tail_of(const struct price_state *state, uint32_t rank, enum price_list list)
{
  const struct price_rank *r = &state->ranks[rank];
  return r->vertices[r->heads[list]].next == PRICE_NONE ? r->heads[list] : state->asides[rank].tails[list];
}

/* Most lists are empty, and most of the others grow at their end. */
void tutti_price_insert(struct price_state *state, uint32_t rank, enum price_list list, uint32_t vertex)
{
  struct price_rank *r = &state->ranks[rank];
  uint32_t *link = &r->heads[list];
  if (*link != PRICE_NONE) {
    uint32_t tail = tail_of(state, rank, list);
    state->asides[rank].tails[list] = tail < vertex ? vertex : tail;
    if (tail < vertex)
      link = &r->vertices[tail].next;
  }
  while (*link != PRICE_NONE && *link < vertex)
    link = &r->vertices[*link].next;
  r->vertices[vertex].next = *link;
  *link = vertex;
}

void tutti_price_remove(struct price_state *state, uint32_t rank, enum price_list list, uint32_t vertex)
{
  struct price_rank *r = &state->ranks[rank];
  uint32_t before = PRICE_NONE, *link = &r->heads[list];
  while (*link != vertex) {
    before = *link;
    link = &r->vertices[*link].next;
  }
  *link = r->vertices[vertex].next;
  if (*link == PRICE_NONE && before != PRICE_NONE)
    state->asides[rank].tails[list] = before;
}

void tutti_price_touch(struct price_state *state, uint32_t rank)
{
  if (!state->is_dirty[rank])
    state->is_dirty[rank] = append(state, &state->dirty, rank, PRICE_NONE);
}

void tutti_price_after(struct price_state *state, uint64_t delay, uint32_t rank, uint32_t vertex, unsigned kind)
{
  struct calendar_event event = {state->calendar.now + delay, rank, vertex << 2 | kind};
  if (event.time >> 62)
    state->too_fine = true;
  else if (!tutti_calendar_push(&state->calendar, event))
    state->no_memory = true;
}

/* The receives of a rank from a peer, by binary search. */
static struct price_channel *find_channel(const struct price_rank *rank, uint32_t peer)
{
  if (!rank->vertices)
    return NULL;
  struct price_channel *channels = price_channels_of(rank);
  const uint32_t at = TUTTI_PARTITION_POINT(uint32_t, c, 0, rank->channel_count, channels[c].peer < peer);
  return at < rank->channel_count && channels[at].peer == peer ? &channels[at] : NULL;
}

uint32_t tutti_price_meet(struct price_state *state, const struct price_departure *message)
{
  struct price_rank *peer = &state->ranks[message->peer];
  struct price_channel *channel = find_channel(peer, message->sender);
  uint32_t receive = channel ? channel->head : PRICE_NONE;
  if (receive == PRICE_NONE || peer->vertices[receive].bytes != message->bytes) {
    state->stray = *message;
    return PRICE_NONE;
  }
  channel->head = peer->vertices[receive].channel_next;
  peer->vertices[receive].mate = message->send;
  return receive;
}

static void post_one(struct price_state *state, uint32_t rank, uint32_t v)
{
  struct price_vertex *vertex = price_vertex_of(state, rank, v);
  struct price_note *note = price_note_of(state, rank, v);
  vertex->posted = 1;
  if (note)
    note->ready = state->calendar.now;
  if (vertex->kind == TUTTI_SEND || vertex->kind == TUTTI_RECV) {
    state->discipline->post(state, rank, v);
  } else if (vertex->bytes > 0) {
    tutti_price_insert(state, rank, PRICE_LOCAL, v);
    tutti_price_touch(state, rank);
  } else {
    tutti_price_note(state, rank, v, PRICE_NONE, 0);
    append(state, &state->complete, rank, v);
  }
}

/* One prerequisite less, because of @p cause. True if it was the last. */
static bool release(struct price_state *state, uint32_t rank, uint32_t v, uint32_t cause)
{
  if (--price_vertex_of(state, rank, v)->pending > 0)
    return false;
  struct price_note *note = price_note_of(state, rank, v);
  if (note)
    note->cause_rank = rank, note->cause_vertex = cause;
  return true;
}

void tutti_price_post(struct price_state *state, uint32_t rank, uint32_t v)
{
  for (;;) {
    uint32_t next = price_vertex_of(state, rank, v)->channel_next;
    post_one(state, rank, v);
    if (next == PRICE_NONE || --price_vertex_of(state, rank, next)->pending > 0)
      return;
    const struct price_note *before = price_note_of(state, rank, v);
    struct price_note *note = price_note_of(state, rank, next);
    if (note) /* the cause of the previous one's waiting */
      note->cause_rank = before->cause_rank, note->cause_vertex = before->cause_vertex;
    v = next;
  }
}

static void complete_one(struct price_state *state, uint32_t rank, uint32_t v)
{
  struct price_rank *r = &state->ranks[rank];
  for (uint32_t e = r->vertices[v].successors; e != PRICE_NONE; e++) {
    uint32_t edge = price_edges_of(r)[e], successor = edge & ~PRICE_LAST_EDGE;
    if (release(state, rank, successor, v))
      tutti_price_post(state, rank, successor);
    if (edge & PRICE_LAST_EDGE)
      break;
  }
  if (--r->left == 0 && !state->trails)
    tutti_price_retire(state, rank);
}

void tutti_price_complete(struct price_state *state, uint32_t rank, uint32_t vertex)
{
  state->end = state->calendar.now;
  complete_one(state, rank, vertex);
  tutti_price_drain(state);
}

void tutti_price_drain(struct price_state *state)
{
  while (state->complete.count > 0) {
    struct price_place place = state->complete.items[--state->complete.count];
    complete_one(state, place.rank, place.vertex);
  }
}

/* ---- why a vertex began when it did ---- */

static double seconds(const struct price_state *state, uint64_t quanta)
{
  return (double)quanta / state->scale;
}

/* The vertex of a schedule, as far as it is kept. */
static tutti_vertex vertex_of(const struct price_vertex *v)
{
  return (tutti_vertex){.kind = (uint16_t)v->kind, .peer = (int32_t)v->peer, .count = v->bytes};
}

void tutti_price_note(struct price_state *state, uint32_t rank, uint32_t v, uint32_t user, uint64_t duration)
{
  struct price_note *note = price_note_of(state, rank, v);
  uint64_t now = state->calendar.now;
  if (note) {
    if (note->ready < now && user != PRICE_NONE)
      note->cause_rank = rank, note->cause_vertex = user;
    note->start = now;
    note->end = now + duration;
  }
  if (state->options->trace) {
    tutti_vertex vertex = vertex_of(price_vertex_of(state, rank, v));
    state->options->trace(state->options->context, (int)rank, &vertex, v, seconds(state, now),
                          seconds(state, now + duration));
  }
}

/* The vertex that completes last; of several the first one of the lowest rank. */
static struct price_place last_vertex(const struct price_state *state)
{
  struct price_place last = {PRICE_NONE, PRICE_NONE};
  uint64_t end = 0;
  for (uint32_t r = 0; r < (uint32_t)state->size; r++)
    for (uint32_t v = 0; v < state->ranks[r].vertex_count; v++)
      if (last.rank == PRICE_NONE || state->trails[r].notes[v].end > end) {
        last = (struct price_place){r, v};
        end = state->trails[r].notes[v].end;
      }
  return last;
}

static struct price_place cause_of(const struct price_state *state, struct price_place place)
{
  const struct price_note *note = price_note_of(state, place.rank, place.vertex);
  return (struct price_place){note->cause_rank, note->cause_vertex};
}

static tutti_price_step step_of(const struct price_state *state, struct price_place place)
{
  const struct price_vertex *v = price_vertex_of(state, place.rank, place.vertex);
  const struct price_note *note = price_note_of(state, place.rank, place.vertex);
  bool moves = v->kind == TUTTI_SEND || v->kind == TUTTI_RECV;
  return (tutti_price_step){.rank = (int)place.rank,
                            .vertex = place.vertex,
                            .kind = (tutti_kind)v->kind,
                            .peer = moves ? (int)v->peer : -1,
                            .bytes = v->bytes,
                            .start = seconds(state, note->start),
                            .end = seconds(state, note->end)};
}

tutti_status tutti_price_trace_back(const struct price_state *state, tutti_price *price, tutti_error *error)
{
  struct price_place last = last_vertex(state);
  for (struct price_place p = last; p.rank != PRICE_NONE; p = cause_of(state, p))
    price->path_length++;
  price->path = malloc((price->path_length + 1) * sizeof *price->path);
  if (!price->path)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the %zu steps of the critical path",
                      price->path_length);
  size_t i = price->path_length;
  for (struct price_place p = last; p.rank != PRICE_NONE; p = cause_of(state, p))
    price->path[--i] = step_of(state, p);
  return tutti_price_add_up(state, last, price, error);
}

void tutti_price_free(tutti_price *price)
{
  free(price->path);
  free(price->terms);
  price->path = NULL;
  price->terms = NULL;
  price->path_length = price->term_count = 0;
}
