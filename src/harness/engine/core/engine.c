#include "harness/engine/core/engine.h"

#include <string.h>

#include "base/memory.h"

void tutti_engine_init(struct engine *e, const struct engine_machine *machine, uint32_t rank_count,
                       const struct engine_rider *rider, void *context)
{
  *e = (struct engine){.machine = machine, .rider = rider, .context = context, .rank_count = rank_count};
  tutti_sharing_init(&e->sharing, &machine->network, machine->one_flow_a_link);
  e->sharing.precision = machine->precision;
  for (uint32_t l = 0; l < machine->network.link_count && machine->change; l++)
    e->sharing.links[l].bound /= tutti_transfers_factor(e, l);
  tutti_sharing_tolerate(&e->sharing, machine->tolerance);
  tutti_sharing_settle(&e->sharing, rank_count);
  e->actions = tutti_xcalloc(rank_count, sizeof *e->actions);
  e->hosts = tutti_xmalloc(machine->network.host_count * sizeof *e->hosts);
  for (uint32_t h = 0; h < machine->network.host_count; h++)
    e->hosts[h] = (struct engine_host){.newest = ENGINE_NONE, .mark = ENGINE_NONE};
  for (uint32_t r = 0; r < rank_count; r++)
    tutti_engine_wake(e, r);
}

void tutti_engine_free(struct engine *e)
{
  tutti_dates_free(&e->processor_dates);
  tutti_dates_free(&e->network_dates);
  tutti_sharing_free(&e->sharing);
  tutti_vector_free(&e->transfers);
  tutti_slopes_free(e->slopes);
  free(e->actions);
  free(e->hosts);
  tutti_vector_free(&e->marked_hosts);
  tutti_vector_free(&e->new_sleeps);
  tutti_vector_free(&e->ready);
  tutti_vector_free(&e->turn);
  tutti_vector_free(&e->alarms);
  tutti_vector_free(&e->unused_alarms);
  tutti_vector_free(&e->ended_actions);
  tutti_vector_free(&e->ended_flows);
}

void tutti_engine_begin(struct engine *e, double time, const uint32_t *order)
{
  e->now = time;
  if (order)
    memcpy(e->ready.items, order, e->rank_count * sizeof *order);
}

void tutti_engine_wake(struct engine *e, uint32_t rank)
{
  tutti_xpush(&e->ready, rank);
  if (e->slopes)
    e->slopes->ranks[rank] = e->slopes->cause;
}

static void end_actions(struct engine *e)
{
  tutti_processors_end(e);
  tutti_transfers_end(e);
}

/* One turn each of those that are ready now. */
static void take_turns(struct engine *e)
{
  const struct engine_numbers turn = e->ready;
  e->ready = e->turn;
  e->ready.count = 0;
  e->turn = turn;
  for (size_t i = 0; i < turn.count && !e->stopped; i++) {
    if (e->slopes)
      e->slopes->cause = e->slopes->ranks[turn.items[i]];
    if (e->rider->turn(e->context, turn.items[i]))
      tutti_engine_wake(e, turn.items[i]);
  }
}

void tutti_engine_run(struct engine *e)
{
  for (;;) {
    while (e->ready.count > 0 && !e->stopped)
      take_turns(e);
    if (e->stopped)
      return;
    tutti_processors_date(e);
    tutti_transfers_date(e);
    const double next =
        fmin(engine_dates_next(&e->processor_dates, e->now), engine_dates_next(&e->network_dates, e->now));
    if (isinf(next))
      return;
    e->now += next;
    if (e->machine->stops_at > 0 && e->now > e->machine->stops_at) {
      e->stopped = true;
      return;
    }
    tutti_processors_advance(e);
    tutti_transfers_advance(e);
    end_actions(e);
  }
}
