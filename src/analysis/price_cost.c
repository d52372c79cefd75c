/* Seconds to quanta. */
#include <math.h>

#include "analysis/price_state.h"

/* Times up to 2^62 quanta fit; a single duration may take no more than half of that. */
static uint64_t quanta(struct price_state *state, double seconds)
{
  double q = seconds * state->scale;
  if (q < 0x1p61)
    return (uint64_t)(q + 0.5);
  state->too_fine = true;
  return 0;
}

static tutti_status check(const char *what, double seconds, tutti_error *error)
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
    status = check(all[i].what, all[i].seconds, error);
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

/* As many steps as the rank with the most has vertices, and as there are ranks, each with all costs of the largest
   message, is more than nearly every algorithm takes; for the others there is `coarser`. */
static double longest(const struct price_state *state, const tutti_message_cost *m, int coarser)
{
  const tutti_costs *costs = state->costs;
  double step = costs->latency + m->send + m->gap + m->transit + m->receive +
                (costs->gamma + costs->delta) * (double)state->most_bytes;
  return step > 0 ? ldexp(2 * step * (double)((uint64_t)state->size + state->most_vertices), coarser)
                  : ldexp(1, 60 + coarser);
}

tutti_status tutti_price_set_quantum(struct price_state *state, int coarser, tutti_error *error)
{
  tutti_message_cost m;
  int exponent;
  state->costs->message(state->costs->context, state->most_bytes, &m);
  tutti_status status = check_costs(state->costs, &m, error);
  if (status != TUTTI_OK)
    return status;
  double most = longest(state, &m, coarser);
  status = check("the completion time", 4 * most, error); /* 2^62 quanta are less than 4 * most */
  if (status != TUTTI_OK)
    return status;
  frexp(most, &exponent);
  state->scale = ldexp(1, 61 - exponent);
  state->latency = quanta(state, state->costs->latency);
  for (int i = 0; i < PRICE_COSTS; i++)
    state->cache[i].known = false;
  return TUTTI_OK;
}
