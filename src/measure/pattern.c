#include "measure/bench.h"

#include <math.h>

static uint64_t nanoseconds_since_start(const struct pattern *pattern)
{
  return (uint64_t)llround((tutti_clock_now(pattern->clock) - pattern->start) * 1e9);
}

static void wait_until(const struct pattern *pattern, uint64_t nanoseconds)
{
  tutti_clock_wait_until(pattern->clock, pattern->start + (double)nanoseconds * 1e-9);
}

static void inject_jitter(struct pattern *pattern, tutti_noise_point noise_point)
{
  if (noise_point == TUTTI_BEFORE_VERTEX)
    wait_until(pattern,
               nanoseconds_since_start(pattern) + tutti_noise_jitter(&pattern->noise, pattern->rank, pattern->index++));
}

static void inject_detours(struct pattern *pattern, tutti_noise_point noise_point)
{
  const tutti_noise *noise = &pattern->noise;
  uint64_t now = nanoseconds_since_start(pattern), pause;
  if (noise_point == TUTTI_AFTER_WORK) {
    uint64_t work = now - pattern->begun;
    wait_until(pattern, tutti_noise_finish(noise, pattern->phase, pattern->begun, work));
    return;
  }
  pause = tutti_noise_pause(noise, pattern->phase, now);
  if (pause > 0)
    wait_until(pattern, now + pause);
  pattern->begun = now + pause;
}

static void inject_noise(tutti_noise_hook *noise_hook, tutti_noise_point noise_point)
{
  struct pattern *pattern = (struct pattern *)noise_hook;
  if (pattern->noise.kind == TUTTI_NOISE_DETOUR)
    inject_detours(pattern, noise_point);
  else
    inject_jitter(pattern, noise_point);
}

void tutti_pattern_init(struct pattern *pattern, const struct points *points, const struct point *point,
                        const tutti_view *view, const struct clock *clock)
{
  *pattern = (struct pattern){.noise_hook = {inject_noise}, .clock = clock, .rank = view->rank};
  if (!point)
    return;
  const tutti_trace *trace = tutti_points_trace(points, &point->arrival);
  pattern->noise = point->noise;
  pattern->delay = (double)tutti_arrival_delay(&point->arrival, trace, view->rank, view->size) * 1e-9;
  if (view->rank == 0)
    pattern->latest = (double)tutti_arrival_latest(&point->arrival, trace, view->size) * 1e-9;
  if (point->noise.kind == TUTTI_NOISE_DETOUR)
    pattern->phase = tutti_noise_phase(&point->noise, view->rank);
}

void tutti_pattern_arrive(struct pattern *pattern, double start)
{
  pattern->start = start;
  pattern->waited = (start + pattern->latest) - start;
  pattern->begun = pattern->index = 0;
  if (pattern->delay > 0)
    tutti_clock_wait_until(pattern->clock, start + pattern->delay);
}

tutti_noise_hook *tutti_pattern_noise_hook(struct pattern *pattern)
{
  return pattern->noise.kind == TUTTI_NOISE_NONE ? NULL : &pattern->noise_hook;
}
