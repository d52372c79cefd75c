/* The costs on the critical path: how often each is a term of the completion time. */
#include <stdlib.h>

#include "algorithms/analysis/price_state.h"
#include "base/numbers.h"

struct walk {
  const struct price_state *state;
  tutti_price *price;
  size_t capacity; /* of its terms */
  bool no_memory;
  tutti_price_term nowhere; /* without memory: counts that nobody reads */
};

static bool make_room(struct walk *walk)
{
  tutti_price *price = walk->price;
  if (price->term_count < walk->capacity)
    return true;
  const size_t capacity = walk->capacity ? 2 * walk->capacity : 16;
  tutti_price_term *terms = realloc(price->terms, capacity * sizeof *terms);
  if (!terms)
    return false;
  price->terms = terms;
  walk->capacity = capacity;
  return true;
}

/* The term of messages of that size. */
static tutti_price_term *term_of(struct walk *walk, uint64_t bytes)
{
  tutti_price *price = walk->price;
  const size_t at = TUTTI_PARTITION_POINT(size_t, i, 0, price->term_count, price->terms[i].bytes < bytes);
  if (at < price->term_count && price->terms[at].bytes == bytes)
    return &price->terms[at];
  if (!make_room(walk)) {
    walk->no_memory = true;
    return &walk->nowhere;
  }
  for (size_t i = price->term_count++; i > at; i--)
    price->terms[i] = price->terms[i - 1];
  price->terms[at] = (tutti_price_term){.bytes = bytes};
  return &price->terms[at];
}

/* What a vertex takes from its beginning to its end. */
static void add_duration(struct walk *walk, const struct price_vertex *v)
{
  const bool moves = v->kind == TUTTI_SEND || v->kind == TUTTI_RECV;
  if (v->kind == TUTTI_REDUCE)
    walk->price->reduced_B += (double)v->bytes;
  else if (v->kind == TUTTI_COPY)
    walk->price->copied_B += (double)v->bytes;
  else if (moves && walk->state->costs->rendezvous)
    term_of(walk, v->bytes)->gaps++;
  else if (v->kind == TUTTI_SEND)
    term_of(walk, v->bytes)->sends++;
  else
    term_of(walk, v->bytes)->receives++;
}

/* A message has arrived: back to the send from which the time of its arrival follows, its own, or that of the first of
   those that kept the port busy without a break. */
static struct price_place back_to_send(struct walk *walk, struct price_place receive)
{
  const struct price_vertex *v = price_vertex_of(walk->state, receive.rank, receive.vertex);
  term_of(walk, v->bytes)->transits++;
  for (uint32_t behind; (behind = price_note_of(walk->state, receive.rank, receive.vertex)->behind) != PRICE_NONE;) {
    receive.vertex = behind;
    v = price_vertex_of(walk->state, receive.rank, behind);
    term_of(walk, v->bytes)->gaps++;
  }
  walk->price->latencies++;
  return (struct price_place){v->peer, v->mate};
}

/* From the beginning of a vertex to that of the one that made it begin then; rank PRICE_NONE: it began at once. */
static struct price_place step_back(struct walk *walk, struct price_place place)
{
  const struct price_note *note = price_note_of(walk->state, place.rank, place.vertex);
  const struct price_place cause = {note->cause_rank, note->cause_vertex};
  if (cause.rank == PRICE_NONE)
    return cause;
  if (cause.rank != place.rank && !walk->state->costs->rendezvous)
    return back_to_send(walk, place);
  const struct price_vertex *v = price_vertex_of(walk->state, cause.rank, cause.vertex);
  if (note->after_the_gap)
    term_of(walk, v->bytes)->gaps++;
  else
    add_duration(walk, v);
  return cause;
}

tutti_status tutti_price_add_up(const struct price_state *state, struct price_place last, tutti_price *price,
                                tutti_error *error)
{
  struct walk walk = {.state = state, .price = price};
  if (last.rank != PRICE_NONE)
    add_duration(&walk, price_vertex_of(state, last.rank, last.vertex));
  for (struct price_place place = last; place.rank != PRICE_NONE;)
    place = step_back(&walk, place);
  return walk.no_memory ? tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the costs of the critical path")
                        : TUTTI_OK;
}
