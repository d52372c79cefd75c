/* Why a vertex began when it did. */
#include <stdlib.h>

#include "analysis/price_state.h"

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
  return TUTTI_OK;
}

void tutti_price_free(tutti_price *price)
{
  free(price->path);
  price->path = NULL;
  price->path_length = 0;
}
