#include "harness/engine/core/slopes.h"

#include <stdlib.h>

#include "harness/engine/core/dates.h"

struct engine_change tutti_slopes_unchanged(void)
{
  struct engine_change change = {.sets = NULL};
  for (int p = 0; p < ENGINE_PARAMETERS; p++)
    change.of[p] = p == ENGINE_MESSAGE ? 0 : 1;
  return change;
}

const char *tutti_slopes_name(int parameter)
{
  static const char *const names[ENGINE_CONSTANT] = {
      [ENGINE_LATENCY] = "latency",   [ENGINE_MESSAGE] = "each message", [ENGINE_BYTE] = "1 / bandwidth",
      [ENGINE_OVERHEAD] = "overhead", [ENGINE_REDUCTION] = "reduction",  [ENGINE_COMPUTATION] = "computation",
  };
  return parameter >= 0 && parameter < ENGINE_CONSTANT ? names[parameter] : NULL;
}

struct engine_slopes *tutti_slopes_new(uint32_t rank_count, uint32_t link_count, double begin,
                                       const struct engine_change *change)
{
  struct engine_slopes *s = tutti_xcalloc(1, sizeof *s);
  s->change = change;
  s->cause.of[ENGINE_CONSTANT] = begin;
  s->ranks = tutti_xcalloc(rank_count, sizeof *s->ranks);
  s->received = tutti_xcalloc(rank_count, sizeof *s->received);
  s->actions = tutti_xcalloc(rank_count, sizeof *s->actions);
  s->used = tutti_xcalloc((size_t)link_count + 1, sizeof *s->used);
  for (uint32_t r = 0; r < rank_count; r++)
    s->ranks[r] = s->cause;
  return s;
}

void tutti_slopes_free(struct engine_slopes *s)
{
  if (!s)
    return;
  free(s->ranks);
  free(s->received);
  free(s->actions);
  free(s->used);
  tutti_vector_free(&s->flows);
  tutti_vector_free(&s->alarms);
  free(s);
}

/* Seconds on the changed machine, as the derivative by the factor of it. */
static double by_factor(const struct engine_slopes *s, double seconds, enum engine_parameter parameter)
{
  return s->change && parameter != ENGINE_CONSTANT ? seconds / s->change->of[parameter] : seconds;
}

struct engine_slope tutti_slopes_after(const struct engine_slopes *s, double seconds, enum engine_parameter parameter)
{
  struct engine_slope after = s->cause;
  if (seconds > ENGINE_INSTANT)
    after.of[parameter] += by_factor(s, seconds, parameter);
  else
    after.of[ENGINE_CONSTANT] += ENGINE_INSTANT;
  return after;
}

void tutti_slopes_sleep(struct engine_slopes *s, uint32_t rank, double seconds, enum engine_parameter parameter)
{
  s->actions[rank].date = tutti_slopes_after(s, seconds, parameter);
}

void tutti_slopes_keep_gap(struct engine_slopes *s, uint32_t rank, double rest, double gap)
{
  if (rest > 0)
    s->actions[rank].date = s->received[rank];
  else
    s->received[rank] = s->cause;
  s->received[rank].of[ENGINE_CONSTANT] += gap;
}

static double factor_of(const struct engine_slopes *s, int parameter)
{
  return s->change ? s->change->of[parameter] : 1;
}

/* The derivatives of the latency of a route. Returns the latency. */
static double derive_latency(const struct engine_slopes *s, const struct engine_latencies *latencies, double *slope)
{
  const double all = factor_of(s, ENGINE_LATENCY);
  double sum = 0;
  for (int l = 0; l < ENGINE_LEVELS; l++) {
    const double level = factor_of(s, ENGINE_LEVEL_LATENCY + l);
    slope[ENGINE_LATENCY] += latencies->of[l] * level;
    slope[ENGINE_CONSTANT] += latencies->apart[l] * level;
    slope[ENGINE_LEVEL_LATENCY + l] = latencies->of[l] * all + latencies->apart[l];
    sum += slope[ENGINE_LEVEL_LATENCY + l] * level;
  }
  return sum;
}

void tutti_slopes_flow(struct engine_slopes *s, uint32_t flow, const struct engine_latencies *latencies, double factor,
                       double window)
{
  while (s->flows.count <= flow)
    tutti_xpush(&s->flows, (struct engine_moving){.window = 0});
  struct engine_moving *moving = &s->flows.items[flow];
  *moving = (struct engine_moving){.updated = s->cause, .date = s->cause, .window = window};
  const double latency = derive_latency(s, latencies, moving->shares);
  for (int p = 0; p < ENGINE_PARAMETERS; p++) {
    moving->date.of[p] += moving->shares[p] * factor;
    moving->shares[p] = latency > 0 ? moving->shares[p] / latency : 0;
  }
  moving->date.of[ENGINE_MESSAGE] += latency * factor > 0;
}

/* So many seconds at the pace of what a flow or an execution waits for. */
static void add_paced(const struct engine_slopes *s, const struct engine_moving *m, double seconds,
                      struct engine_slope *slope)
{
  if (m->paced_by == ENGINE_LATENCY)
    for (int p = 0; p < ENGINE_PARAMETERS; p++)
      slope->of[p] += seconds * m->shares[p];
  else
    slope->of[m->paced_by] += by_factor(s, seconds, m->paced_by);
  if (m->byte_level > 0)
    slope->of[ENGINE_LEVEL_BYTE + m->byte_level - 1] += seconds / factor_of(s, ENGINE_LEVEL_BYTE + m->byte_level - 1);
}

/* What is updated twice at a time has moved with the first cause. */
void tutti_slopes_pass(struct engine_slopes *s, struct engine_moving *m, double rate, double elapsed, double left)
{
  if (!(elapsed > 0))
    return;
  for (int p = 0; p < ENGINE_PARAMETERS; p++)
    m->left.of[p] = left > 0 ? m->left.of[p] - rate * (s->cause.of[p] - m->updated.of[p]) : 0;
  if (left > 0 && rate > 0)
    add_paced(s, m, rate * elapsed, &m->left);
  m->updated = s->cause;
}

void tutti_slopes_date(const struct engine_slopes *s, struct engine_moving *m, double rate, double left)
{
  m->date = m->updated;
  if (!(left > 0) || !(rate > 0))
    return;
  for (int p = 0; p < ENGINE_PARAMETERS; p++)
    m->date.of[p] += m->left.of[p] / rate;
  add_paced(s, m, left / rate, &m->date);
}
