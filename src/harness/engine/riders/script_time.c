/* When ranks sleep, and how noise interrupts them. */
#include <math.h>

#include "harness/engine/riders/script_rank.h"

/* Sleep until a time since the start; false if it has come. */
bool tutti_script_sleep_until(struct script_rider *rider, uint32_t rank, double time, enum engine_parameter parameter)
{
  const double rest = time - rider->engine.now;
  if (!(rest > 0))
    return false;
  tutti_engine_sleep(&rider->engine, rank, rest, parameter);
  return true;
}

static uint64_t nanoseconds(const struct script_rider *rider)
{
  return (uint64_t)llround((rider->engine.now - rider->script->start.time) * 1e9);
}

static bool sleep_until_ns(struct script_rider *rider, uint32_t rank, uint64_t time)
{
  return tutti_script_sleep_until(rider, rank, rider->script->start.time + (double)time * 1e-9, ENGINE_CONSTANT);
}

static const tutti_noise *noise_of(const struct script_rider *rider, const struct script_rank *r)
{
  return rider->noises && rider->script->steps[r->step].disturbed ? rider->script->start.noise : NULL;
}

/* Before a vertex, or before the end. True if the rank sleeps. */
bool tutti_script_interrupt(struct script_rider *rider, uint32_t rank, bool vertex)
{
  const tutti_noise *noise = noise_of(rider, &rider->ranks[rank]);
  if (!noise)
    return false;
  struct script_noise *own = &rider->noises[rank];
  const uint64_t now = nanoseconds(rider);
  if (noise->kind != TUTTI_NOISE_DETOUR)
    return vertex && sleep_until_ns(rider, rank, now + tutti_noise_jitter(noise, (int)rank, own->index++));
  const uint64_t pause = tutti_noise_pause(noise, own->phase, now);
  own->begun = now + pause;
  return pause > 0 && sleep_until_ns(rider, rank, now + pause);
}

bool tutti_script_interrupt_work(struct script_rider *rider, uint32_t rank)
{
  const tutti_noise *noise = noise_of(rider, &rider->ranks[rank]);
  if (!noise || noise->kind != TUTTI_NOISE_DETOUR)
    return false;
  const struct script_noise *own = &rider->noises[rank];
  const uint64_t work = nanoseconds(rider) - own->begun;
  return sleep_until_ns(rider, rank, tutti_noise_finish(noise, own->phase, own->begun, work));
}

void tutti_script_begin_noise(struct script_rider *rider, uint32_t rank)
{
  const tutti_noise *noise = rider->script->start.noise;
  if (!rider->noises)
    return;
  rider->noises[rank] = (struct script_noise){0};
  if (noise->kind == TUTTI_NOISE_DETOUR)
    rider->noises[rank].phase = tutti_noise_phase(noise, (int)rank);
}
