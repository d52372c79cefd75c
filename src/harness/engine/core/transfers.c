/* Flows over time: the latency first, then as many bytes a second as sharing gives. */
#include "base/memory.h"
#include <math.h>

#include "harness/engine/core/engine.h"

/* Bytes of the envelope that SMPI adds to each message. */
#define ENVELOPE 16.0

static struct engine_transfer *transfer_of(struct engine *e, uint32_t flow)
{
  while (e->transfers.count <= flow)
    tutti_xpush(&e->transfers, (struct engine_transfer){0});
  return &e->transfers.items[flow];
}

uint32_t tutti_engine_transfer(struct engine *e, uint32_t from, uint32_t to, uint64_t bytes, uint64_t tag)
{
  const struct engine_machine *m = e->machine;
  const struct engine_route *route = &e->route;
  const double size = (double)bytes + ENVELOPE;
  if (!tutti_network_route(&m->network, engine_host_of(e, from), engine_host_of(e, to), &e->route))
    return ENGINE_NONE;
  const double latency = route->latency, paid = latency * tutti_pieces_factor(&m->latency_factor, size),
               most = latency > 0 && m->tcp_gamma > 0 ? m->tcp_gamma / (2.0 * latency) : INFINITY;
  const uint32_t flow = tutti_sharing_create(&e->sharing, route, from, paid > 0 ? route->penalty : 1.0, most);
  *transfer_of(e, flow) = (struct engine_transfer){.remaining = size,
                                                   .updated = e->now,
                                                   .factor = tutti_pieces_factor(&m->bandwidth_factor, size),
                                                   .tag = tag,
                                                   .in_latency = paid > 0};
  if (paid > 0)
    tutti_dates_set(&e->network_dates, flow, paid + e->now);
  else
    tutti_sharing_join_new(&e->sharing, flow);
  return flow;
}

static void update(const struct engine *e, struct engine_transfer *t)
{
  if (t->remaining > 0)
    t->remaining = engine_left(e, t->remaining, t->rate, e->now - t->updated);
  t->updated = e->now;
}

void tutti_engine_meet(struct engine *e, uint32_t flow, uint64_t tag)
{
  e->transfers.items[flow].tag = tag;
  update(e, &e->transfers.items[flow]);
}

void tutti_transfers_date(struct engine *e)
{
  tutti_sharing_solve(&e->sharing);
  for (size_t i = 0; i < e->sharing.changed.count; i++) {
    const uint32_t flow = e->sharing.changed.items[i];
    struct engine_transfer *t = &e->transfers.items[flow];
    update(e, t);
    t->rate = e->sharing.flows.items[flow].value * t->factor;
    tutti_dates_set(&e->network_dates, flow, e->now + (t->remaining > 0 ? t->remaining / t->rate : 0.0));
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
      tutti_sharing_join(&e->sharing, flow);
    } else
      tutti_xpush(&e->ended_flows, flow);
  }
}

void tutti_transfers_end(struct engine *e)
{
  for (size_t i = 0; i < e->ended_flows.count; i++) {
    const uint32_t flow = e->ended_flows.items[i];
    tutti_sharing_leave(&e->sharing, flow);
    e->rider->arrived(e->context, e->transfers.items[flow].tag);
  }
  e->ended_flows.count = 0;
}
