/* What a schedule takes under the Hockney model, message by message: each rank sends one message at a time and receives
   one at a time, both at once, and computes one thing at a time beside them. Small and slow, and knows no formula. */
#ifndef TUTTI_TESTS_HOCKNEY_PRICE_H
#define TUTTI_TESTS_HOCKNEY_PRICE_H

#include <stdlib.h>

#include "model_fixture.h"
#include "schedule/ensemble.h"

struct price {
  struct ensemble ensemble;
  const tutti_model *model;
  double type_size;
  int *rank_of;       /* [vertices] */
  uint32_t *pending;  /* [vertices] */
  double *ready;      /* [vertices] when all it waits for is complete */
  bool *posted;       /* [vertices] */
  size_t *candidates; /* sends with both ends posted, and local vertices */
  size_t candidate_count;
  double *sends, *receives, *computes; /* [ranks] until when they are busy */
  double end;
};

static inline const tutti_vertex *price_vertex(const struct price *p, size_t g)
{
  return tutti_ensemble_vertex(&p->ensemble, p->rank_of[g], g);
}

static inline void price_post(struct price *p, size_t g)
{
  int rank = p->rank_of[g];
  for (;;) {
    size_t other = p->ensemble.partner[g];
    p->posted[g] = true;
    if (other == NO_PARTNER)
      p->candidates[p->candidate_count++] = g;
    else if (p->posted[other])
      p->candidates[p->candidate_count++] = price_vertex(p, g)->kind == TUTTI_SEND ? g : other;
    tutti_vertex_id next = p->ensemble.schedules[rank].channel_next[g - p->ensemble.first[rank]];
    if (next == TUTTI_NO_VERTEX)
      return;
    size_t after = p->ensemble.first[rank] + next;
    p->ready[after] = fmax(p->ready[after], p->ready[g]);
    if (--p->pending[after] > 0)
      return;
    g = after;
  }
}

static inline void price_complete(struct price *p, size_t g, double time)
{
  int rank = p->rank_of[g];
  const tutti_schedule *s = &p->ensemble.schedules[rank];
  size_t local = g - p->ensemble.first[rank];
  p->end = fmax(p->end, time);
  for (uint32_t i = s->successor_first[local]; i < s->successor_first[local + 1]; i++) {
    size_t after = p->ensemble.first[rank] + s->successors[i];
    p->ready[after] = fmax(p->ready[after], time);
    if (--p->pending[after] == 0)
      price_post(p, after);
  }
}

static inline double price_start(const struct price *p, size_t g)
{
  size_t other = p->ensemble.partner[g];
  if (other == NO_PARTNER)
    return fmax(p->ready[g], p->computes[p->rank_of[g]]);
  double both = fmax(p->ready[g], p->ready[other]);
  return fmax(both, fmax(p->sends[p->rank_of[g]], p->receives[p->rank_of[other]]));
}

/* Does candidate a, which can start at the same time, go before b? The messages of a rank leave, and those to a rank
   arrive, in its order. */
static inline bool price_before(const struct price *p, size_t a, size_t b)
{
  size_t to_a = p->ensemble.partner[a], to_b = p->ensemble.partner[b];
  if (p->rank_of[a] == p->rank_of[b])
    return a < b;
  return to_a != NO_PARTNER && to_b != NO_PARTNER && p->rank_of[to_a] == p->rank_of[to_b] && to_a < to_b;
}

static inline bool price_is_first(const struct price *p, size_t g, double start)
{
  for (size_t i = 0; i < p->candidate_count; i++)
    if (price_before(p, p->candidates[i], g) && price_start(p, p->candidates[i]) <= start)
      return false;
  return true;
}

/* The candidate that can start first; of several one that none goes before. */
static inline size_t price_pick(struct price *p)
{
  size_t best = 0;
  double least = price_start(p, p->candidates[0]);
  for (size_t i = 1; i < p->candidate_count; i++)
    if (price_start(p, p->candidates[i]) < least)
      least = price_start(p, p->candidates[best = i]);
  for (size_t i = 0; i < p->candidate_count; i++)
    if (price_start(p, p->candidates[i]) == least && price_is_first(p, p->candidates[i], least)) {
      best = i;
      break;
    }
  size_t g = p->candidates[best];
  p->candidates[best] = p->candidates[--p->candidate_count];
  return g;
}

static inline void price_run(struct price *p, size_t g)
{
  const tutti_vertex *v = price_vertex(p, g);
  double start = price_start(p, g), bytes = (double)v->count * p->type_size;
  size_t other = p->ensemble.partner[g];
  if (other == NO_PARTNER) {
    double end = start + bytes * (v->kind == TUTTI_REDUCE ? p->model->gamma : p->model->delta);
    p->computes[p->rank_of[g]] = end;
    price_complete(p, g, end);
    return;
  }
  double end = start + p->model->network.hockney.alpha + p->model->network.hockney.beta * bytes;
  p->sends[p->rank_of[g]] = p->receives[p->rank_of[other]] = end;
  price_complete(p, g, end);
  price_complete(p, other, end);
}

static inline void price_begin(struct price *p)
{
  size_t vertices = p->ensemble.first[p->ensemble.size], ranks = (size_t)p->ensemble.size;
  p->rank_of = calloc(vertices + 1, sizeof *p->rank_of);
  p->pending = calloc(vertices + 1, sizeof *p->pending);
  p->ready = calloc(vertices + 1, sizeof *p->ready);
  p->posted = calloc(vertices + 1, sizeof *p->posted);
  p->candidates = calloc(vertices + 1, sizeof *p->candidates);
  p->sends = calloc(ranks, sizeof *p->sends);
  p->receives = calloc(ranks, sizeof *p->receives);
  p->computes = calloc(ranks, sizeof *p->computes);
  for (int r = 0; r < p->ensemble.size; r++)
    for (size_t g = p->ensemble.first[r]; g < p->ensemble.first[r + 1]; g++) {
      p->rank_of[g] = r;
      p->pending[g] = p->ensemble.schedules[r].prerequisites[g - p->ensemble.first[r]];
    }
}

static inline void price_free(struct price *p)
{
  free(p->rank_of), free(p->pending), free(p->ready), free(p->posted), free(p->candidates);
  free(p->sends), free(p->receives), free(p->computes);
  tutti_ensemble_free(&p->ensemble);
}

static inline void price_all(struct price *p)
{
  price_begin(p);
  for (size_t g = 0; g < p->ensemble.first[p->ensemble.size]; g++)
    if (!p->posted[g] && p->pending[g] == 0)
      price_post(p, g);
  while (p->candidate_count > 0)
    price_run(p, price_pick(p));
}

/* Seconds until the last rank is done. */
static inline double hockney_price(const tutti_model *model, const tutti_method *method, int ranks, uint64_t bytes)
{
  struct price p = {.model = model, .type_size = 1};
  tutti_call call = {.size = ranks, .count = bytes, .type_size = 1, .commutative = true}, *calls;
  tutti_schedule *schedules;
  tutti_arena arena;
  tutti_error error = {0};
  uint64_t counts[64], firsts[64];
  for (int r = 0; r < ranks; r++)
    counts[r] = bytes, firsts[r] = (uint64_t)r * bytes;
  if (method->algorithm->collective == TUTTI_COLL_REDUCE_SCATTER)
    call.input = (tutti_layout){counts, firsts};
  tutti_arena_init(&arena);
  if (tutti_calls_of(&call, &arena, &calls, &error) != TUTTI_OK ||
      tutti_schedules_of(method, calls, &arena, &schedules, &error) != TUTTI_OK ||
      tutti_ensemble_create(&p.ensemble, schedules, ranks, &error) != TUTTI_OK)
    fail_msg("%s", error.message);
  price_all(&p);
  price_free(&p);
  tutti_arena_release(&arena);
  return p.end;
}

#endif
