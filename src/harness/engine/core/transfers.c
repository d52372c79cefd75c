/* Flows over time: the latency first, then as many bytes a second as sharing gives. */
#include "base/memory.h"
#include <math.h>

#include "harness/engine/core/engine.h"
#include "harness/engine/machine/loads.h"

/* Bytes of the envelope that SMPI adds to each message. */
#define ENVELOPE 16.0

static struct engine_transfer *transfer_of(struct engine *e, uint32_t flow)
{
  while (e->transfers.count <= flow)
    tutti_xpush(&e->transfers, (struct engine_transfer){0});
  return &e->transfers.items[flow];
}

/* ---- levels of links, for derivatives and changed machines ---- */

/* Below ENGINE_LEVELS. */
static int level_of(const struct engine *e, uint32_t link)
{
  if (e->machine->change && e->machine->change->sets)
    return e->machine->change->sets[link];
  const int level = tutti_link_level(&e->machine->network, link), last = ENGINE_LEVELS - 1;
  return level < 0 ? last : level < last ? level : last - 1;
}

static bool is_apart(const struct engine *e, uint32_t link)
{
  return tutti_network_kind(&e->machine->network, link)->apart;
}

double tutti_transfers_factor(const struct engine *e, uint32_t link)
{
  const double *change = e->machine->change->of;
  return (is_apart(e, link) ? 1 : change[ENGINE_BYTE]) * change[ENGINE_LEVEL_BYTE + level_of(e, link)];
}

/* What the levels have of the latency of a route. */
static struct engine_latencies latency_by_level(const struct engine *e, const struct engine_route *route)
{
  struct engine_latencies latencies = {.of = {0}};
  for (int i = 0; i < route->forth; i++) {
    const uint32_t link = route->links[i];
    (is_apart(e, link) ? latencies.apart : latencies.of)[level_of(e, link)] +=
        tutti_network_kind(&e->machine->network, link)->latency;
  }
  return latencies;
}

/* The latency of a route of the changed machine. */
static double changed_latency(const struct engine *e, const struct engine_route *route)
{
  const struct engine_latencies latencies = latency_by_level(e, route);
  const double *change = e->machine->change->of;
  double latency = route->latency, apart = 0;
  for (int l = 0; l < ENGINE_LEVELS; l++) {
    latency += latencies.of[l] * (change[ENGINE_LEVEL_LATENCY + l] - 1) - latencies.apart[l];
    apart += latencies.apart[l] * change[ENGINE_LEVEL_LATENCY + l];
  }
  return latency * change[ENGINE_LATENCY] + apart;
}

/* The part of a link that its flows use: found once for all flows that are dated together. */
static double part_used(const struct engine *e, uint32_t link)
{
  const struct sharing *s = &e->sharing;
  struct engine_used *known = &e->slopes->used[link];
  if (known->dated == e->slopes->dated)
    return known->part;
  uint32_t count;
  const uint32_t *joined = sharing_joined(s, link, &count);
  double used = 0;
  for (uint32_t j = 0; j < count; j++)
    used =
        s->loads[link].fat_pipe ? fmax(used, s->flows.items[joined[j]].value) : used + s->flows.items[joined[j]].value;
  *known = (struct engine_used){e->slopes->dated, used / s->links[link].bound};
  return known->part;
}

/* The link that has least left for more flows: the first of several. */
static uint32_t pacing_link(const struct engine *e, uint32_t flow)
{
  const struct sharing *s = &e->sharing;
  const struct sharing_flow *f = &s->flows.items[flow];
  double most = 0;
  uint32_t pacing = sharing_hops(s, f)[0];
  for (uint32_t h = 0; h < f->hop_count; h++) {
    const uint32_t link = sharing_hops(s, f)[h];
    const double part = part_used(e, link);
    if (part > most * (1 + s->precision)) {
      most = part;
      pacing = link;
    }
  }
  return pacing;
}

/* ---- flows ---- */

static void begin_slopes(const struct engine *e, uint32_t flow, double factor, double window)
{
  const struct engine_latencies latencies = latency_by_level(e, &e->route);
  tutti_slopes_flow(e->slopes, flow, &latencies, factor, window);
}

uint32_t tutti_engine_transfer(struct engine *e, uint32_t from, uint32_t to, uint64_t bytes, uint64_t tag)
{
  const struct engine_machine *m = e->machine;
  const struct engine_route *route = &e->route;
  const double size = (double)bytes + ENVELOPE;
  if (!tutti_network_route(&m->network, engine_host_of(e, from), engine_host_of(e, to), &e->route))
    return ENGINE_NONE;
  const double latency = m->change ? changed_latency(e, route) : route->latency,
               factor = tutti_pieces_factor(&m->latency_factor, size), wire = latency * factor,
               paid = wire > 0 && m->change ? wire + m->change->of[ENGINE_MESSAGE] : wire,
               most = latency > 0 && m->tcp_gamma > 0 ? m->tcp_gamma / (2.0 * latency) : INFINITY,
               penalty = m->change ? latency + (route->penalty - route->latency) * m->change->of[ENGINE_BYTE]
                                   : route->penalty;
  const uint32_t flow = tutti_sharing_create(&e->sharing, route, from, paid > 0 ? penalty : 1.0, most);
  *transfer_of(e, flow) = (struct engine_transfer){.remaining = size,
                                                   .updated = e->now,
                                                   .factor = tutti_pieces_factor(&m->bandwidth_factor, size),
                                                   .tag = tag,
                                                   .in_latency = paid > 0};
  if (e->slopes)
    begin_slopes(e, flow, factor, most);
  if (paid > 0)
    tutti_dates_set(&e->network_dates, flow, paid + e->now);
  else
    tutti_sharing_join_new(&e->sharing, flow);
  return flow;
}

static void update(const struct engine *e, uint32_t flow)
{
  struct engine_transfer *t = &e->transfers.items[flow];
  if (t->remaining > 0)
    t->remaining = engine_left(e, t->remaining, t->rate, e->now - t->updated);
  if (e->slopes)
    tutti_slopes_pass(e->slopes, &e->slopes->flows.items[flow], t->rate, e->now - t->updated, t->remaining);
  t->updated = e->now;
}

/* A flow has got its rate. */
static void date_slopes(const struct engine *e, uint32_t flow)
{
  const struct engine_transfer *t = &e->transfers.items[flow];
  struct engine_moving *moving = &e->slopes->flows.items[flow];
  const bool windowed = e->sharing.flows.items[flow].value >= moving->window * (1 - e->sharing.precision);
  const uint32_t link = windowed ? 0 : pacing_link(e, flow);
  moving->paced_by = windowed ? ENGINE_LATENCY : is_apart(e, link) ? ENGINE_CONSTANT : ENGINE_BYTE;
  moving->byte_level = windowed ? 0 : 1 + level_of(e, link);
  tutti_slopes_date(e->slopes, moving, t->rate, t->remaining);
}

void tutti_engine_meet(struct engine *e, uint32_t flow, uint64_t tag)
{
  e->transfers.items[flow].tag = tag;
  update(e, flow);
}

void tutti_transfers_date(struct engine *e)
{
  tutti_sharing_solve(&e->sharing);
  if (e->slopes)
    e->slopes->dated++;
  for (size_t i = 0; i < e->sharing.changed.count; i++) {
    const uint32_t flow = e->sharing.changed.items[i];
    struct engine_transfer *t = &e->transfers.items[flow];
    update(e, flow);
    t->rate = e->sharing.flows.items[flow].value * t->factor;
    tutti_dates_set(&e->network_dates, flow, e->now + (t->remaining > 0 ? t->remaining / t->rate : 0.0));
    if (e->slopes)
      date_slopes(e, flow);
  }
}

void tutti_transfers_advance(struct engine *e)
{
  while (engine_dates_due(&e->network_dates, e->now)) {
    const uint32_t flow = tutti_dates_pop(&e->network_dates);
    struct engine_transfer *t = &e->transfers.items[flow];
    if (t->in_latency) {
      t->in_latency = false;
      t->updated = e->now;
      if (e->slopes)
        e->slopes->cause = e->slopes->flows.items[flow].updated = e->slopes->flows.items[flow].date;
      tutti_sharing_join(&e->sharing, flow);
    } else
      tutti_xpush(&e->ended_flows, flow);
  }
}

void tutti_transfers_end(struct engine *e)
{
  for (size_t i = 0; i < e->ended_flows.count; i++) {
    const uint32_t flow = e->ended_flows.items[i];
    if (e->slopes)
      e->slopes->cause = e->slopes->flows.items[flow].date;
    tutti_sharing_leave(&e->sharing, flow);
    e->rider->arrived(e->context, e->transfers.items[flow].tag);
  }
  e->ended_flows.count = 0;
}
