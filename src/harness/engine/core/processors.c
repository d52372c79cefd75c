/* Executions and sleeps. The executions of a host share its cores; what begins or ends there, sleeps too, dates them
   anew. */
#include <math.h>

#include "base/memory.h"
#include "harness/engine/core/engine.h"

static void mark(struct engine *e, uint32_t h)
{
  struct engine_host *host = &e->hosts[h];
  if (host->mark != ENGINE_NONE)
    return;
  host->mark = (uint32_t)e->marked_hosts.count;
  tutti_xpush(&e->marked_hosts, h);
}

/* An unused host loses its place. */
static void leave(struct engine *e, struct engine_host *host)
{
  if (host->executions + host->sleepers > 0 || host->mark == ENGINE_NONE)
    return;
  e->marked_hosts.items[host->mark] = ENGINE_NONE;
  host->mark = ENGINE_NONE;
}

void tutti_engine_sleep(struct engine *e, uint32_t rank, double seconds, enum engine_parameter parameter)
{
  const double duration = seconds < ENGINE_INSTANT ? ENGINE_INSTANT : seconds;
  const uint32_t host = engine_host_of(e, rank);
  mark(e, host);
  e->hosts[host].sleepers++;
  e->actions[rank] = (struct engine_action){.updated = e->now + duration, .sleeping = true};
  tutti_xpush(&e->new_sleeps, rank);
  if (e->slopes)
    tutti_slopes_sleep(e->slopes, rank, seconds, parameter);
}

void tutti_engine_execute(struct engine *e, uint32_t rank, double flops)
{
  const uint32_t h = engine_host_of(e, rank);
  struct engine_host *host = &e->hosts[h];
  e->actions[rank] =
      (struct engine_action){.remaining = flops, .updated = e->now, .next = host->newest, .previous = ENGINE_NONE};
  if (host->newest != ENGINE_NONE)
    e->actions[host->newest].previous = rank;
  host->newest = rank;
  host->executions++;
  mark(e, h);
  if (e->slopes)
    e->slopes->actions[rank] = (struct engine_moving){.updated = e->slopes->cause, .paced_by = ENGINE_REDUCTION};
}

void tutti_engine_alarm(struct engine *e, double seconds, uint32_t tag)
{
  uint32_t alarm = (uint32_t)e->alarms.count;
  if (e->unused_alarms.count > 0)
    alarm = e->unused_alarms.items[--e->unused_alarms.count];
  else
    tutti_xpush(&e->alarms, 0);
  e->alarms.items[alarm] = tag;
  tutti_dates_set(&e->processor_dates, e->rank_count + alarm,
                  e->now + (seconds < ENGINE_INSTANT ? ENGINE_INSTANT : seconds));
  if (!e->slopes)
    return;
  while (e->slopes->alarms.count <= alarm)
    tutti_xpush(&e->slopes->alarms, (struct engine_slope){{0}});
  e->slopes->alarms.items[alarm] = tutti_slopes_after(e->slopes, seconds, ENGINE_COMPUTATION);
}

static void date_executions(struct engine *e, const struct engine_host *host)
{
  const struct engine_processor processor = tutti_processor_of(e->machine, (uint32_t)(host - e->hosts));
  const double speed = processor.speed / engine_factor(e, ENGINE_REDUCTION), all = processor.cores * speed;
  const double share = all / host->executions, rate = speed < share ? speed : share;
  for (uint32_t rank = host->newest; rank != ENGINE_NONE; rank = e->actions[rank].next) {
    struct engine_action *action = &e->actions[rank];
    if (action->remaining > 0)
      action->remaining = engine_left(e, action->remaining, action->rate, e->now - action->updated);
    if (e->slopes) {
      tutti_slopes_pass(e->slopes, &e->slopes->actions[rank], action->rate, e->now - action->updated,
                        action->remaining);
      tutti_slopes_date(e->slopes, &e->slopes->actions[rank], rate, action->remaining);
    }
    action->updated = e->now;
    action->rate = rate;
    tutti_dates_set(&e->processor_dates, rank, rate > 0 ? e->now + action->remaining / rate : INFINITY);
  }
}

/* Sleeps first, the newest before the others. */
void tutti_processors_date(struct engine *e)
{
  for (size_t i = e->new_sleeps.count; i-- > 0;)
    tutti_dates_set(&e->processor_dates, e->new_sleeps.items[i], e->actions[e->new_sleeps.items[i]].updated);
  e->new_sleeps.count = 0;
  for (size_t i = 0; i < e->marked_hosts.count; i++) {
    if (e->marked_hosts.items[i] == ENGINE_NONE)
      continue;
    struct engine_host *host = &e->hosts[e->marked_hosts.items[i]];
    host->mark = ENGINE_NONE;
    if (host->executions > 0)
      date_executions(e, host);
  }
  e->marked_hosts.count = 0;
}

uint32_t tutti_processors_stopped(const struct engine *e)
{
  for (uint32_t h = 0; h < e->machine->network.host_count; h++)
    if (e->hosts[h].executions > 0 && tutti_processor_of(e->machine, h).speed == 0)
      return e->hosts[h].newest;
  return ENGINE_NONE;
}

void tutti_processors_advance(struct engine *e)
{
  while (engine_dates_due(&e->processor_dates, e->now))
    tutti_xpush(&e->ended_actions, tutti_dates_pop(&e->processor_dates));
}

static void end(struct engine *e, uint32_t rank)
{
  const struct engine_action *action = &e->actions[rank];
  const uint32_t h = engine_host_of(e, rank);
  struct engine_host *host = &e->hosts[h];
  if (action->sleeping)
    host->sleepers--;
  else {
    mark(e, h);
    host->executions--;
    *(action->previous == ENGINE_NONE ? &host->newest : &e->actions[action->previous].next) = action->next;
    if (action->next != ENGINE_NONE)
      e->actions[action->next].previous = action->previous;
  }
  leave(e, host);
}

void tutti_processors_end(struct engine *e)
{
  for (size_t i = 0; i < e->ended_actions.count; i++) {
    const uint32_t action = e->ended_actions.items[i];
    if (e->slopes)
      e->slopes->cause =
          action < e->rank_count ? e->slopes->actions[action].date : e->slopes->alarms.items[action - e->rank_count];
    if (action < e->rank_count) {
      end(e, action);
      tutti_engine_wake(e, action);
      continue;
    }
    tutti_xpush(&e->unused_alarms, action - e->rank_count);
    e->rider->rang(e->context, e->alarms.items[action - e->rank_count]);
  }
  e->ended_actions.count = 0;
}
