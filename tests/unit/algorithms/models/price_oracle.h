/* The time of a schedule under a point-to-point model, found by checking repeatedly everything that could happen next:
   small and slow, in floating point, and independent of src/algorithms/analysis/price*.c, which it checks. */
#ifndef TUTTI_TESTS_PRICE_ORACLE_H
#define TUTTI_TESTS_PRICE_ORACLE_H

#include "algorithms/analysis/ensemble.h"
#include "unit/algorithms/models/model_fixture.h"

/* Resources of a rank that serve one thing at a time. */
enum oracle_resource { ORACLE_PROCESSOR, ORACLE_SEND_PORT, ORACLE_RECEIVE_PORT, ORACLE_RESOURCES };

/* Something that can happen as soon as its time has come and its resources are free. */
struct oracle_task {
  size_t vertex;
  enum { ORACLE_SEND, ORACLE_ARRIVAL, ORACLE_RECEIVE, ORACLE_LOCAL, ORACLE_MESSAGE } kind;
  double ready, start; /* seconds; when it could begin, as oracle_pick() saw it */
};

struct oracle {
  struct ensemble ensemble;
  tutti_costs costs;
  int *rank_of;      /* [vertices] */
  uint32_t *pending; /* [vertices] */
  double *ready;     /* [vertices] when all it waits for is complete */
  double *arrived;   /* [vertices] receives: when the message can be received; NAN until it is known */
  bool *posted;      /* [vertices] */
  struct oracle_task *tasks;
  size_t task_count;
  double (*free_at)[ORACLE_RESOURCES]; /* [ranks] */
  double end;
};

static inline const tutti_vertex *oracle_vertex(const struct oracle *o, size_t g)
{
  return tutti_ensemble_vertex(&o->ensemble, o->rank_of[g], g);
}

static inline void oracle_add(struct oracle *o, size_t g, int kind, double ready)
{
  o->tasks[o->task_count++] = (struct oracle_task){.vertex = g, .kind = kind, .ready = ready};
}

static inline void oracle_post_one(struct oracle *o, size_t g)
{
  const tutti_vertex *v = oracle_vertex(o, g);
  size_t other = o->ensemble.partner[g];
  o->posted[g] = true;
  if (other == NO_PARTNER)
    oracle_add(o, g, ORACLE_LOCAL, o->ready[g]);
  else if (o->costs.rendezvous && o->posted[other])
    oracle_add(o, v->kind == TUTTI_SEND ? g : other, ORACLE_MESSAGE, fmax(o->ready[g], o->ready[other]));
  else if (!o->costs.rendezvous && v->kind == TUTTI_SEND)
    oracle_add(o, g, ORACLE_SEND, o->ready[g]);
  else if (!o->costs.rendezvous && !isnan(o->arrived[g]))
    oracle_add(o, g, ORACLE_RECEIVE, fmax(o->ready[g], o->arrived[g]));
}

static inline void oracle_post(struct oracle *o, size_t g)
{
  int rank = o->rank_of[g];
  for (;;) {
    oracle_post_one(o, g);
    tutti_vertex_id next = o->ensemble.schedules[rank].channel_next[g - o->ensemble.first[rank]];
    if (next == TUTTI_NO_VERTEX)
      return;
    size_t after = o->ensemble.first[rank] + next;
    o->ready[after] = fmax(o->ready[after], o->ready[g]);
    if (--o->pending[after] > 0)
      return;
    g = after;
  }
}

static inline void oracle_complete(struct oracle *o, size_t g, double time)
{
  int rank = o->rank_of[g];
  const tutti_schedule *s = &o->ensemble.schedules[rank];
  size_t local = g - o->ensemble.first[rank];
  o->end = fmax(o->end, time);
  for (uint32_t i = s->successor_first[local]; i < s->successor_first[local + 1]; i++) {
    size_t after = o->ensemble.first[rank] + s->successors[i];
    o->ready[after] = fmax(o->ready[after], time);
    if (--o->pending[after] == 0)
      oracle_post(o, after);
  }
}

/* Whether the task needs the resource of the rank. */
static inline bool oracle_needs(const struct oracle *o, const struct oracle_task *t, int rank, int resource)
{
  bool own = o->rank_of[t->vertex] == rank;
  switch (t->kind) {
  case ORACLE_SEND:
    return own && (resource == ORACLE_PROCESSOR || resource == ORACLE_SEND_PORT);
  case ORACLE_ARRIVAL:
    return own && resource == ORACLE_RECEIVE_PORT;
  case ORACLE_RECEIVE:
    return own && resource == ORACLE_PROCESSOR;
  case ORACLE_LOCAL:
    return own && resource == ORACLE_PROCESSOR && oracle_vertex(o, t->vertex)->count > 0;
  default:
    return (own && resource == ORACLE_SEND_PORT) ||
           (o->rank_of[o->ensemble.partner[t->vertex]] == rank && resource == ORACLE_RECEIVE_PORT);
  }
}

static inline double oracle_start(const struct oracle *o, const struct oracle_task *t)
{
  double start = t->ready;
  int ranks[2] = {o->rank_of[t->vertex],
                  t->kind == ORACLE_MESSAGE ? o->rank_of[o->ensemble.partner[t->vertex]] : o->rank_of[t->vertex]};
  for (int i = 0; i < 2; i++)
    for (int r = 0; r < ORACLE_RESOURCES; r++)
      if (oracle_needs(o, t, ranks[i], r))
        start = fmax(start, o->free_at[ranks[i]][r]);
  return start;
}

/* The first of two that need the same resource at the same time: the one that has reached the port, the send, the lower
   vertex. */
static inline bool oracle_precedes(const struct oracle *o, const struct oracle_task *a, const struct oracle_task *b)
{
  if (a->kind == ORACLE_ARRIVAL && a->ready != b->ready)
    return a->ready < b->ready;
  if ((a->kind == ORACLE_SEND) != (b->kind == ORACLE_SEND))
    return a->kind == ORACLE_SEND;
  if (a->kind == ORACLE_MESSAGE && o->rank_of[a->vertex] != o->rank_of[b->vertex])
    return o->ensemble.partner[a->vertex] < o->ensemble.partner[b->vertex]; /* they share the receiver */
  return a->vertex < b->vertex;
}

static inline bool oracle_compete(const struct oracle *o, const struct oracle_task *a, const struct oracle_task *b)
{
  int ranks[2] = {o->rank_of[a->vertex],
                  a->kind == ORACLE_MESSAGE ? o->rank_of[o->ensemble.partner[a->vertex]] : o->rank_of[a->vertex]};
  for (int i = 0; i < 2; i++)
    for (int r = 0; r < ORACLE_RESOURCES; r++)
      if (oracle_needs(o, a, ranks[i], r) && oracle_needs(o, b, ranks[i], r))
        return true;
  return false;
}

static inline bool oracle_is_first(const struct oracle *o, const struct oracle_task *t, double start)
{
  for (size_t i = 0; i < o->task_count; i++)
    if (&o->tasks[i] != t && o->tasks[i].start <= start && oracle_precedes(o, &o->tasks[i], t) &&
        oracle_compete(o, &o->tasks[i], t))
      return false;
  return true;
}

/* The task that can begin first; of several one that none goes before. */
static inline struct oracle_task oracle_pick(struct oracle *o)
{
  size_t best = 0;
  for (size_t i = 0; i < o->task_count; i++) {
    o->tasks[i].start = oracle_start(o, &o->tasks[i]);
    if (o->tasks[i].start < o->tasks[best].start)
      best = i;
  }
  const double least = o->tasks[best].start;
  for (size_t i = 0; i < o->task_count; i++)
    if (o->tasks[i].start == least && oracle_is_first(o, &o->tasks[i], least)) {
      best = i;
      break;
    }
  struct oracle_task picked = o->tasks[best];
  o->tasks[best] = o->tasks[--o->task_count];
  return picked;
}

static inline void oracle_send(struct oracle *o, size_t g, double start, const tutti_message_cost *cost)
{
  double *free_at = o->free_at[o->rank_of[g]];
  free_at[ORACLE_PROCESSOR] = start + cost->send;
  free_at[ORACLE_SEND_PORT] = start + cost->gap;
  oracle_add(o, o->ensemble.partner[g], ORACLE_ARRIVAL, start + o->costs.latency);
  oracle_complete(o, g, start + cost->send);
}

static inline void oracle_arrive(struct oracle *o, size_t g, double start, const tutti_message_cost *cost)
{
  o->free_at[o->rank_of[g]][ORACLE_RECEIVE_PORT] = start + cost->gap;
  o->arrived[g] = start + cost->transit;
  if (o->posted[g])
    oracle_add(o, g, ORACLE_RECEIVE, fmax(o->ready[g], o->arrived[g]));
}

static inline void oracle_occupy(struct oracle *o, size_t g, double end)
{
  if (oracle_vertex(o, g)->count > 0 || o->ensemble.partner[g] != NO_PARTNER)
    o->free_at[o->rank_of[g]][ORACLE_PROCESSOR] = end;
  oracle_complete(o, g, end);
}

static inline void oracle_message(struct oracle *o, size_t g, double end)
{
  size_t receive = o->ensemble.partner[g];
  o->free_at[o->rank_of[g]][ORACLE_SEND_PORT] = end;
  o->free_at[o->rank_of[receive]][ORACLE_RECEIVE_PORT] = end;
  oracle_complete(o, g, end);
  oracle_complete(o, receive, end);
}

static inline void oracle_run(struct oracle *o, const struct oracle_task *t)
{
  const tutti_vertex *v = oracle_vertex(o, t->vertex);
  double start = oracle_start(o, t);
  tutti_message_cost cost;
  o->costs.message(o->costs.context, v->count, &cost);
  if (t->kind == ORACLE_SEND)
    oracle_send(o, t->vertex, start, &cost);
  else if (t->kind == ORACLE_ARRIVAL)
    oracle_arrive(o, t->vertex, start, &cost);
  else if (t->kind == ORACLE_RECEIVE)
    oracle_occupy(o, t->vertex, start + cost.receive);
  else if (t->kind == ORACLE_LOCAL)
    oracle_occupy(o, t->vertex, start + (double)v->count * (v->kind == TUTTI_REDUCE ? o->costs.gamma : o->costs.delta));
  else
    oracle_message(o, t->vertex, start + cost.gap);
}

static inline void oracle_begin(struct oracle *o)
{
  size_t vertices = o->ensemble.first[o->ensemble.size];
  o->rank_of = calloc(vertices + 1, sizeof *o->rank_of);
  o->pending = calloc(vertices + 1, sizeof *o->pending);
  o->ready = calloc(vertices + 1, sizeof *o->ready);
  o->arrived = calloc(vertices + 1, sizeof *o->arrived);
  o->posted = calloc(vertices + 1, sizeof *o->posted);
  o->tasks = calloc(vertices + 1, sizeof *o->tasks);
  o->free_at = calloc((size_t)o->ensemble.size, sizeof *o->free_at);
  for (int r = 0; r < o->ensemble.size; r++)
    for (size_t g = o->ensemble.first[r]; g < o->ensemble.first[r + 1]; g++) {
      o->rank_of[g] = r;
      o->arrived[g] = NAN;
      o->pending[g] = o->ensemble.schedules[r].prerequisites[g - o->ensemble.first[r]];
    }
}

static inline void oracle_free(struct oracle *o)
{
  free(o->rank_of), free(o->pending), free(o->ready), free(o->arrived), free(o->posted), free(o->tasks);
  free(o->free_at);
  tutti_ensemble_free(&o->ensemble);
}

/* Seconds until the last rank is done; bytes are elements. */
static inline double oracle_price(const tutti_model *model, const tutti_method *method, const tutti_call *call)
{
  struct oracle o = {.costs = tutti_model_costs(model)};
  tutti_call *calls;
  tutti_schedule *schedules;
  FREED_BY(tutti_arena_release) tutti_arena arena;
  tutti_arena_init(&arena);
  if (tutti_calls_of(call, &arena, &calls, REASON) != TUTTI_OK ||
      tutti_schedules_of(method, calls, NULL, &arena, &schedules, REASON) != TUTTI_OK ||
      tutti_ensemble_create(&o.ensemble, schedules, call->size, REASON) != TUTTI_OK)
    fail_msg("%s", error.message);
  oracle_begin(&o);
  for (size_t g = 0; g < o.ensemble.first[o.ensemble.size]; g++)
    if (!o.posted[g] && o.pending[g] == 0)
      oracle_post(&o, g);
  while (o.task_count > 0) {
    struct oracle_task task = oracle_pick(&o);
    oracle_run(&o, &task);
  }
  oracle_free(&o);
  return o.end;
}

#endif
