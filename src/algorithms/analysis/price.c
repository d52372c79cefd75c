/* Pricing a method: the event loop, the size of a quantum, and costs of messages in quanta. */
#include <math.h>
#include <stdlib.h>

#include "algorithms/analysis/price_state.h"
#include "base/clock.h"
#include "tutti/price.h"

/* ---- the event loop ---- */

enum { FAR = 16, NEAR = 6 }; /* how far ahead memory fetches what will be needed: first the rank, then its vertices */

static void fetch_dirty(const struct price_state *state, size_t i)
{
  if (i + FAR < state->dirty.count)
    __builtin_prefetch(&state->ranks[state->dirty.items[i + FAR].rank]);
  if (i + NEAR < state->dirty.count) {
    const struct price_rank *r = &state->ranks[state->dirty.items[i + NEAR].rank];
    if (r->heads[PRICE_SENDS] != PRICE_NONE)
      __builtin_prefetch(&r->vertices[r->heads[PRICE_SENDS]]);
  }
}

static void fetch_events(const struct price_state *state)
{
  const struct calendar_event *far = tutti_calendar_peek(&state->calendar, FAR);
  const struct calendar_event *near = tutti_calendar_peek(&state->calendar, NEAR);
  if (far)
    __builtin_prefetch(&state->ranks[far->rank]);
  if (near)
    __builtin_prefetch(&state->ranks[near->rank].vertices[near->what >> 2]);
}

static void dispatch_all(struct price_state *state)
{
  for (size_t i = 0; i < state->dirty.count; i++) {
    uint32_t rank = state->dirty.items[i].rank;
    fetch_dirty(state, i);
    state->is_dirty[rank] = false;
    if (state->ranks[rank].vertices)
      state->discipline->dispatch(state, rank);
  }
  state->dirty.count = 0;
}

static bool failed(const struct price_state *state)
{
  return state->no_memory || state->too_fine || state->bad_cost || state->stray.sender != PRICE_NONE;
}

/* All that happens at one time: first everything that ends, then what ranks can begin, then what has left. */
static void run_instant(struct price_state *state)
{
  struct calendar_event e;
  while (!failed(state)) {
    fetch_events(state);
    if (tutti_calendar_pop(&state->calendar, &e))
      state->discipline->event(state, e.rank, e.what >> 2, e.what & 3);
    else if (state->dirty.count > 0)
      dispatch_all(state);
    else if (state->departed.count > 0)
      state->discipline->settle(state);
    else
      return;
  }
}

static void start_ready(struct price_state *state)
{
  for (uint32_t r = 0; r < (uint32_t)state->size; r++)
    for (uint32_t v = 0; v < state->ranks[r].vertex_count && state->ranks[r].vertices; v++)
      if (state->ranks[r].vertices[v].pending == 0 && !state->ranks[r].vertices[v].posted)
        tutti_price_post(state, r, v);
  tutti_price_drain(state);
}

static void run_to_end(struct price_state *state)
{
  bool memory = true;
  start_ready(state);
  run_instant(state);
  while (!failed(state) && tutti_calendar_advance(&state->calendar, &memory))
    run_instant(state);
  state->no_memory |= !memory;
}

/* ---- what went wrong ---- */

static tutti_status report_stray(const struct price_state *state, tutti_error *error)
{
  const struct price_departure *stray = &state->stray;
  return tutti_fail(
      error, TUTTI_ERR_FAULT, "rank %u, vertex %u: no receive of rank %u matches this message of %llu bytes",
      (unsigned)stray->sender, (unsigned)stray->send, (unsigned)stray->peer, (unsigned long long)stray->bytes);
}

/* Posted, but the other end never is. */
static bool waits_for_peer(const struct price_state *state, const struct price_vertex *v)
{
  if (!v->posted)
    return false;
  if (v->kind == TUTTI_RECV)
    return !v->met;
  return v->kind == TUTTI_SEND && v->mate != PRICE_NONE && !price_vertex_of(state, v->peer, v->mate)->posted;
}

static tutti_status report_incomplete(const struct price_state *state, tutti_error *error)
{
  for (uint32_t r = 0; r < (uint32_t)state->size; r++)
    for (uint32_t v = 0; state->ranks[r].left > 0 && v < state->ranks[r].vertex_count; v++)
      if (waits_for_peer(state, price_vertex_of(state, r, v)))
        return tutti_fail(error, TUTTI_ERR_FAULT, "rank %u, vertex %u waits for ever for rank %u", (unsigned)r,
                          (unsigned)v, (unsigned)price_vertex_of(state, r, v)->peer);
  return TUTTI_OK;
}

static tutti_status check_end(const struct price_state *state, tutti_error *error)
{
  if (state->no_memory)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the events of %d ranks", state->size);
  if (state->bad_cost)
    return TUTTI_ERR_ARGUMENT;
  if (state->stray.sender != PRICE_NONE)
    return report_stray(state, error);
  return report_incomplete(state, error);
}

/* ---- seconds to quanta ---- */

/* Times up to 2^62 quanta fit; a single duration may take no more than half of that. */
static uint64_t quanta(struct price_state *state, double seconds)
{
  double q = seconds * state->scale;
  if (q < 0x1p61)
    return (uint64_t)(q + 0.5);
  state->too_fine = true;
  return 0;
}

static tutti_status check_time(const char *what, double seconds, tutti_error *error)
{
  return isfinite(seconds) && seconds >= 0
             ? TUTTI_OK
             : tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s is %g seconds: a cost is finite and not negative", what,
                          seconds);
}

static tutti_status check_costs(const tutti_costs *costs, const tutti_message_cost *m, tutti_error *error)
{
  const struct {
    const char *what;
    double seconds;
  } all[] = {{"latency", costs->latency}, {"gamma", costs->gamma}, {"delta", costs->delta},
             {"send", m->send},           {"gap", m->gap},         {"transit", m->transit},
             {"receive", m->receive}};
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < sizeof all / sizeof *all && status == TUTTI_OK; i++)
    status = check_time(all[i].what, all[i].seconds, error);
  return status;
}

/* Only those of the largest message are known to be fine. */
static struct price_cost cost_of(struct price_state *state, uint64_t bytes)
{
  tutti_message_cost cost;
  state->costs->message(state->costs->context, bytes, &cost);
  if (check_costs(state->costs, &cost, state->cost_error) != TUTTI_OK) {
    state->bad_cost = true;
    return (struct price_cost){.bytes = bytes};
  }
  return (struct price_cost){.bytes = bytes,
                             .send = quanta(state, cost.send),
                             .gap = quanta(state, cost.gap),
                             .transit = quanta(state, cost.transit),
                             .receive = quanta(state, cost.receive),
                             .reduce = quanta(state, state->costs->gamma * (double)bytes),
                             .copy = quanta(state, state->costs->delta * (double)bytes),
                             .known = true};
}

struct price_cost tutti_price_cost(struct price_state *state, uint64_t bytes)
{
  struct price_cost *cost = &state->cache[bytes * UINT64_C(0x9e3779b97f4a7c15) >> 58];
  if (!cost->known || cost->bytes != bytes)
    *cost = cost_of(state, bytes);
  return *cost;
}

/* An upper bound for nearly every algorithm: as many steps as the rank with the most has vertices, plus the number of
   ranks, each with all costs of the largest message; for the others there is `coarser`. */
static double longest(const struct price_state *state, const tutti_message_cost *m, int coarser)
{
  const tutti_costs *costs = state->costs;
  double step = costs->latency + m->send + m->gap + m->transit + m->receive +
                (costs->gamma + costs->delta) * (double)state->most_bytes;
  return step > 0 ? ldexp(2 * step * (double)((uint64_t)state->size + state->most_vertices), coarser)
                  : ldexp(1, 60 + coarser);
}

/* The size of a quantum, from the costs of messages of all sizes up to the largest. */
static tutti_status set_quantum(struct price_state *state, int coarser, tutti_error *error)
{
  tutti_message_cost m;
  int exponent;
  state->costs->message(state->costs->context, state->most_bytes, &m);
  tutti_status status = check_costs(state->costs, &m, error);
  if (status != TUTTI_OK)
    return status;
  double most = longest(state, &m, coarser);
  status = check_time("the completion time", 4 * most, error); /* 2^62 quanta are less than 4 * most */
  if (status != TUTTI_OK)
    return status;
  frexp(most, &exponent);
  state->scale = ldexp(1, 61 - exponent);
  state->latency = quanta(state, state->costs->latency);
  for (int i = 0; i < PRICE_COSTS; i++)
    state->cache[i].known = false;
  return TUTTI_OK;
}

/* ---- one pricing ---- */

struct question {
  int size;
  uint64_t type_size;
  price_source source;
  const void *context;
};

static void take_counts(const struct price_state *state, tutti_price *price)
{
  price->seconds = (double)state->end / state->scale;
  price->messages = state->messages;
  price->vertices = state->vertices;
  price->events = state->calendar.popped;
  price->memory_B =
      state->bytes + state->calendar.bytes +
      (state->complete.capacity + state->dirty.capacity + state->departed.capacity) * sizeof(struct price_place);
}

static tutti_status load_and_run(struct price_state *state, const struct question *question, int coarser,
                                 tutti_price *price, tutti_error *error)
{
  double begun = tutti_clock(CLOCK_PROCESS_CPUTIME_ID);
  tutti_status status = tutti_price_load(state, question->source, question->context, question->type_size, error);
  double loaded = tutti_clock(CLOCK_PROCESS_CPUTIME_ID);
  if (status == TUTTI_OK)
    status = set_quantum(state, coarser, error);
  if (status != TUTTI_OK)
    return status;
  run_to_end(state);
  price->build_s += loaded - begun;
  price->run_s += tutti_clock(CLOCK_PROCESS_CPUTIME_ID) - loaded;
  if (state->too_fine && !state->bad_cost)
    return TUTTI_OK;
  take_counts(state, price);
  status = check_end(state, error);
  return status == TUTTI_OK && state->options->path ? tutti_price_trace_back(state, price, error) : status;
}

static tutti_status price_once(const struct question *question, const tutti_costs *costs,
                               const tutti_price_options *options, int coarser, bool *too_fine, tutti_price *price,
                               tutti_error *error)
{
  struct price_state *state = malloc(sizeof *state);
  if (!state)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for pricing");
  *state = (struct price_state){.size = question->size,
                                .discipline = costs->rendezvous ? &tutti_price_rendezvous : &tutti_price_eager,
                                .costs = costs,
                                .options = options,
                                .stray = {.sender = PRICE_NONE},
                                .cost_error = error};
  tutti_status status = load_and_run(state, question, coarser, price, error);
  *too_fine = state->too_fine;
  tutti_price_unload(state);
  free(state);
  return status;
}

/* Again with a coarser quantum if times did not fit. A trace is called for the last time only, once that is known to be
 * it. */
static tutti_status price_all(const struct question *question, const tutti_costs *costs,
                              const tutti_price_options *options, tutti_price *price, tutti_error *error)
{
  enum { STEP = 8 };
  tutti_price_options quiet = options ? *options : (tutti_price_options){0};
  bool again = true;
  int coarser = 0;
  tutti_status status = TUTTI_OK;
  *price = (tutti_price){0};
  quiet.trace = NULL;
  for (; again && status == TUTTI_OK; coarser += STEP)
    status = price_once(question, costs, &quiet, coarser, &again, price, error);
  if (status == TUTTI_OK && options && options->trace) {
    tutti_price_free(price);
    status = price_once(question, costs, options, coarser - STEP, &again, price, error);
  }
  if (status != TUTTI_OK) {
    tutti_price_free(price);
    *price = (tutti_price){0};
  }
  return status;
}

/* ---- where schedules come from ---- */

struct method_source {
  const tutti_method *method;
  const tutti_call *call;
};

static tutti_status schedule_of_method(const void *context, int rank, tutti_arena *arena, tutti_schedule *schedule,
                                       tutti_error *error)
{
  const struct method_source *source = context;
  tutti_call call = *source->call;
  call.rank = rank;
  return tutti_method_schedule(source->method, &call, arena, schedule, error);
}

tutti_status tutti_price_method(const tutti_method *method, const tutti_call *call, const tutti_costs *costs,
                                const tutti_price_options *options, tutti_price *price, tutti_error *error)
{
  struct method_source source = {method, call};
  struct question question = {call->size, call->type_size, schedule_of_method, &source};
  *price = (tutti_price){0};
  tutti_status status = tutti_method_check(method, call, error);
  return status == TUTTI_OK ? price_all(&question, costs, options, price, error) : status;
}

static tutti_status given_schedule(const void *context, int rank, tutti_arena *arena, tutti_schedule *schedule,
                                   tutti_error *error)
{
  (void)arena;
  const tutti_schedule *schedules = context;
  *schedule = schedules[rank];
  return tutti_schedule_validate(schedule, error);
}

tutti_status tutti_price_schedules(const tutti_schedule *schedules, int size, uint64_t type_size,
                                   const tutti_costs *costs, const tutti_price_options *options, tutti_price *price,
                                   tutti_error *error)
{
  struct question question = {size, type_size, given_schedule, schedules};
  *price = (tutti_price){0};
  if (size < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a group has at least one rank, not %d", size);
  for (int r = 0; r < size; r++)
    if (schedules[r].size != size || schedules[r].rank != r)
      return tutti_fail(error, TUTTI_ERR_FAULT, "schedule %d is that of rank %d of %d", r, schedules[r].rank,
                        schedules[r].size);
  return price_all(&question, costs, options, price, error);
}
