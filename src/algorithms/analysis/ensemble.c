/* The schedules of all ranks together: sends matched with receives, executed in an order that respects every wait, and
 * the cycle that halts an execution. */
#include "algorithms/analysis/ensemble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum vertex_state { VERTEX_WAITING, VERTEX_POSTED, VERTEX_COMPLETE };

/* One end of a message. */
struct end {
  int from, to;
  size_t vertex;
};

struct ends {
  struct end *items;
  size_t count;
};

static struct ends collect(const struct ensemble *e, tutti_kind kind)
{
  struct ends ends = {malloc((e->first[e->size] + 1) * sizeof *ends.items), 0};
  for (int r = 0; ends.items && r < e->size; r++)
    for (size_t g = e->first[r]; g < e->first[r + 1]; g++) {
      const tutti_vertex *v = tutti_ensemble_vertex(e, r, g);
      if (v->kind != kind)
        continue;
      struct end end = kind == TUTTI_SEND ? (struct end){r, v->peer, g} : (struct end){v->peer, r, g};
      ends.items[ends.count++] = end;
    }
  return ends;
}

static int key(const struct end *end, bool by_receiver)
{
  return by_receiver ? end->to : end->from;
}

/* Stable counting sort. `start` has size + 1 entries, `out` room for all. */
static void sort(struct ends *ends, struct end *out, size_t *start, int size, bool by_receiver)
{
  for (int r = 0; r <= size; r++)
    start[r] = 0;
  for (size_t i = 0; i < ends->count; i++)
    start[key(&ends->items[i], by_receiver) + 1]++;
  for (int r = 0; r < size; r++)
    start[r + 1] += start[r];
  for (size_t i = 0; i < ends->count; i++)
    out[start[key(&ends->items[i], by_receiver)]++] = ends->items[i];
  for (size_t i = 0; i < ends->count; i++)
    ends->items[i] = out[i];
}

static int compare(const struct end *send, const struct end *receive)
{
  if (send->to != receive->to)
    return send->to < receive->to ? -1 : 1;
  return (send->from > receive->from) - (send->from < receive->from);
}

static tutti_status unmatched(const struct ensemble *e, const struct end *end, bool is_send, tutti_error *error)
{
  if (is_send)
    return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d, vertex %zu: its send to rank %d has no receive", end->from,
                      end->vertex - e->first[end->from], end->to);
  return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d, vertex %zu: its receive from rank %d has no send", end->to,
                    end->vertex - e->first[end->to], end->from);
}

static tutti_status pair(struct ensemble *e, const struct end *send, const struct end *receive, tutti_error *error)
{
  uint64_t sent = tutti_ensemble_vertex(e, send->from, send->vertex)->count;
  uint64_t expected = tutti_ensemble_vertex(e, receive->to, receive->vertex)->count;
  if (sent != expected)
    return tutti_fail(error, TUTTI_ERR_FAULT,
                      "rank %d, vertex %zu sends %llu elements to rank %d, whose vertex %zu receives %llu", send->from,
                      send->vertex - e->first[send->from], (unsigned long long)sent, send->to,
                      receive->vertex - e->first[receive->to], (unsigned long long)expected);
  e->partner[send->vertex] = receive->vertex;
  e->partner[receive->vertex] = send->vertex;
  return TUTTI_OK;
}

/* Both lists are in the order of (receiver, sender, vertex): they must be equal end by end. */
static tutti_status pair_all(struct ensemble *e, const struct ends *sends, const struct ends *receives,
                             tutti_error *error)
{
  size_t common = sends->count < receives->count ? sends->count : receives->count;
  for (size_t i = 0; i < common; i++) {
    int order = compare(&sends->items[i], &receives->items[i]);
    if (order != 0)
      return unmatched(e, order < 0 ? &sends->items[i] : &receives->items[i], order < 0, error);
    tutti_status status = pair(e, &sends->items[i], &receives->items[i], error);
    if (status != TUTTI_OK)
      return status;
  }
  if (sends->count > common)
    return unmatched(e, &sends->items[common], true, error);
  if (receives->count > common)
    return unmatched(e, &receives->items[common], false, error);
  return TUTTI_OK;
}

/* Fill in ensemble->partner. TUTTI_ERR_FAULT on a send without receive, a receive without send, unequal counts. */
static tutti_status match(struct ensemble *e, tutti_error *error)
{
  tutti_status status = TUTTI_ERR_MEMORY;
  struct ends sends = collect(e, TUTTI_SEND), receives = collect(e, TUTTI_RECV);
  size_t largest = sends.count > receives.count ? sends.count : receives.count;
  struct end *scratch = malloc((largest + 1) * sizeof *scratch);
  size_t *start = malloc(((size_t)e->size + 1) * sizeof *start);
  if (sends.items && receives.items && scratch && start) {
    sort(&sends, scratch, start, e->size, true); /* collected by sender already */
    sort(&receives, scratch, start, e->size, false);
    sort(&receives, scratch, start, e->size, true);
    status = pair_all(e, &sends, &receives, error);
  } else {
    tutti_fail(error, status, "out of memory while matching messages");
  }
  free(sends.items);
  free(receives.items);
  free(scratch);
  free(start);
  return status;
}

/* A vertex of a rank. */
struct vertex_place {
  int rank;
  size_t vertex;
};

/* The vertex that `at` waits for. A posted message waits for its other end, any other for an incomplete prerequisite:
   an edge into it, or the vertex before it in its channel that has not been posted. */
static struct vertex_place cause(const struct ensemble *e, const unsigned char *state, struct vertex_place at)
{
  const tutti_schedule *s = &e->schedules[at.rank];
  size_t base = e->first[at.rank], local = at.vertex - base;
  if (state[at.vertex] == VERTEX_POSTED)
    return (struct vertex_place){s->vertices[local].peer, e->partner[at.vertex]};
  for (size_t v = 0; v < local; v++) {
    if (state[base + v] == VERTEX_WAITING && s->channel_next[v] == local)
      return (struct vertex_place){at.rank, base + v};
    for (uint32_t i = s->successor_first[v]; i < s->successor_first[v + 1]; i++)
      if (s->successors[i] == local && state[base + v] != VERTEX_COMPLETE)
        return (struct vertex_place){at.rank, base + v};
  }
  return at;
}

static struct vertex_place first_incomplete(const struct ensemble *e, const unsigned char *state)
{
  for (int r = 0; r < e->size; r++)
    for (size_t g = e->first[r]; g < e->first[r + 1]; g++)
      if (state[g] != VERTEX_COMPLETE)
        return (struct vertex_place){r, g};
  return (struct vertex_place){0, 0};
}

static void describe(const struct ensemble *e, struct vertex_place at, char *text, size_t length)
{
  const tutti_vertex *v = tutti_ensemble_vertex(e, at.rank, at.vertex);
  static const char *const verbs[] = {"send to", "receive from"};
  size_t local = at.vertex - e->first[at.rank], used = strlen(text);
  if (v->kind == TUTTI_SEND || v->kind == TUTTI_RECV)
    snprintf(text + used, length - used, " rank %d vertex %zu (%s %d);", at.rank, local, verbs[v->kind], v->peer);
  else
    snprintf(text + used, length - used, " rank %d vertex %zu;", at.rank, local);
}

/* Fill in @p error with a cycle of waiting vertices; state[vertices] is that of the halted execution. Returns
   TUTTI_ERR_FAULT. */
static tutti_status report_cycle(const struct ensemble *e, const unsigned char *state, tutti_error *error)
{
  struct vertex_place at = first_incomplete(e, state);
  for (size_t i = 0; i < e->first[e->size]; i++) /* after that many steps the walk is on the cycle */
    at = cause(e, state, at);
  struct vertex_place start = at;
  char text[TUTTI_ERROR_LENGTH - 64] = "";
  do {
    describe(e, at, text, sizeof text);
    at = cause(e, state, at);
  } while (at.vertex != start.vertex && strlen(text) < sizeof text - 64);
  return tutti_fail(error, TUTTI_ERR_FAULT, "cyclic wait, each for the next:%s", text);
}

const tutti_vertex *tutti_ensemble_vertex(const struct ensemble *e, int rank, size_t vertex)
{
  return &e->schedules[rank].vertices[vertex - e->first[rank]];
}

static tutti_status check_schedules(const struct ensemble *e, tutti_error *error)
{
  for (int r = 0; r < e->size; r++) {
    const tutti_schedule *s = &e->schedules[r];
    if (s->size != e->size || s->rank != r)
      return tutti_fail(error, TUTTI_ERR_FAULT, "schedule %d is that of rank %d of %d", r, s->rank, s->size);
    tutti_status status = tutti_schedule_validate(s, error);
    if (status != TUTTI_OK)
      return status;
  }
  return TUTTI_OK;
}

tutti_status tutti_ensemble_create(struct ensemble *e, const tutti_schedule *schedules, int size, tutti_error *error)
{
  *e = (struct ensemble){.schedules = schedules, .size = size};
  if (size < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a group has at least one rank, not %d", size);
  tutti_status status = check_schedules(e, error);
  if (status != TUTTI_OK)
    return status;
  e->first = calloc((size_t)size + 1, sizeof *e->first);
  if (!e->first)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the schedules of %d ranks", size);
  for (int r = 0; r < size; r++)
    e->first[r + 1] = e->first[r] + schedules[r].vertex_count;
  e->partner = malloc((e->first[size] + 1) * sizeof *e->partner);
  if (!e->partner)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu vertices", e->first[size]);
  for (size_t g = 0; g < e->first[size]; g++)
    e->partner[g] = NO_PARTNER;
  return match(e, error);
}

void tutti_ensemble_free(struct ensemble *e)
{
  free(e->first);
  free(e->partner);
  *e = (struct ensemble){0};
}

/* A vertex is posted when all it waits for is complete; a message happens when both its ends are posted. */
struct run {
  const struct ensemble *ensemble;
  uint32_t *pending;    /* prerequisites that are not complete yet */
  unsigned char *state; /* enum vertex_state */
  struct event *queue;  /* possible events; each vertex enters at most once */
  size_t head, tail;
  size_t completed;
};

/* The event of a vertex that has just been posted, if its other end is posted too. */
static void enqueue(struct run *run, int rank, size_t vertex)
{
  const tutti_vertex *v = tutti_ensemble_vertex(run->ensemble, rank, vertex);
  size_t other = run->ensemble->partner[vertex];
  if (other == NO_PARTNER)
    run->queue[run->tail++] = (struct event){vertex, NO_PARTNER, rank, rank};
  else if (run->state[other] == VERTEX_POSTED && v->kind == TUTTI_SEND)
    run->queue[run->tail++] = (struct event){vertex, other, rank, v->peer};
  else if (run->state[other] == VERTEX_POSTED)
    run->queue[run->tail++] = (struct event){other, vertex, v->peer, rank};
}

static void post(struct run *run, int rank, size_t vertex);

static void release(struct run *run, int rank, size_t vertex)
{
  if (--run->pending[vertex] == 0)
    post(run, rank, vertex);
}

static void post(struct run *run, int rank, size_t vertex)
{
  const struct ensemble *e = run->ensemble;
  for (;;) { /* along the channel: a loop, because channels are as long as messages have segments */
    run->state[vertex] = VERTEX_POSTED;
    enqueue(run, rank, vertex);
    tutti_vertex_id next = e->schedules[rank].channel_next[vertex - e->first[rank]];
    if (next == TUTTI_NO_VERTEX || --run->pending[e->first[rank] + next] > 0)
      return;
    vertex = e->first[rank] + next;
  }
}

static void complete(struct run *run, int rank, size_t vertex)
{
  const struct ensemble *e = run->ensemble;
  const tutti_schedule *s = &e->schedules[rank];
  size_t local = vertex - e->first[rank];
  run->completed++;
  run->state[vertex] = VERTEX_COMPLETE;
  for (uint32_t i = s->successor_first[local]; i < s->successor_first[local + 1]; i++)
    release(run, rank, e->first[rank] + s->successors[i]);
}

static void post_initial(struct run *run)
{
  const struct ensemble *e = run->ensemble;
  for (int r = 0; r < e->size; r++)
    for (size_t g = e->first[r]; g < e->first[r + 1]; g++)
      run->pending[g] = e->schedules[r].prerequisites[g - e->first[r]];
  for (int r = 0; r < e->size; r++)
    for (size_t g = e->first[r]; g < e->first[r + 1]; g++)
      if (e->schedules[r].prerequisites[g - e->first[r]] == 0)
        post(run, r, g);
}

static tutti_status execute(struct run *run, tutti_visit visit, void *context, tutti_error *error)
{
  const struct ensemble *e = run->ensemble;
  post_initial(run);
  while (run->head < run->tail) {
    if (run->head % 1024 == 0)
      tutti_watch_tell(e->watch, "messages", run->completed, e->first[e->size]);
    struct event event = run->queue[run->head++];
    tutti_status status = visit(context, &event, error);
    if (status != TUTTI_OK)
      return status;
    complete(run, event.rank, event.vertex);
    if (event.receive != NO_PARTNER)
      complete(run, event.receiver, event.receive);
  }
  if (run->completed < e->first[e->size])
    return report_cycle(e, run->state, error);
  return TUTTI_OK;
}

tutti_status tutti_ensemble_run(const struct ensemble *e, tutti_visit visit, void *context, tutti_error *error)
{
  size_t vertices = e->first[e->size];
  struct run run = {.ensemble = e,
                    .pending = malloc((vertices + 1) * sizeof *run.pending),
                    .state = calloc(vertices + 1, 1),
                    .queue = malloc((vertices + 1) * sizeof *run.queue)};
  tutti_status status = TUTTI_ERR_MEMORY;
  if (run.pending && run.state && run.queue)
    status = execute(&run, visit, context, error);
  else
    tutti_fail(error, status, "out of memory while executing %zu vertices", vertices);
  free(run.pending);
  free(run.state);
  free(run.queue);
  return status;
}

tutti_status tutti_calls_of(const tutti_call *call, tutti_arena *arena, tutti_call **calls, tutti_error *error)
{
  if (call->size < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a group has at least one rank, not %d", call->size);
  *calls = tutti_arena_alloc(arena, (size_t)call->size * sizeof **calls);
  if (!*calls)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the calls of %d ranks", call->size);
  for (int r = 0; r < call->size; r++) {
    (*calls)[r] = *call;
    (*calls)[r].rank = r;
  }
  return TUTTI_OK;
}

tutti_status tutti_schedules_of(const tutti_method *method, const tutti_call *calls, const tutti_watch *watch,
                                tutti_arena *arena, tutti_schedule **schedules, tutti_error *error)
{
  int size = calls->size;
  *schedules = tutti_arena_alloc(arena, (size_t)size * sizeof **schedules);
  if (!*schedules)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the schedules of %d ranks", size);
  tutti_status status = TUTTI_OK;
  for (int r = 0; r < size && status == TUTTI_OK; r++) {
    tutti_watch_tell(watch, "schedules", (size_t)r, (size_t)size);
    status = tutti_method_schedule(method, &calls[r], arena, &(*schedules)[r], error);
  }
  return status;
}
