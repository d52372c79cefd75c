#include "interpose/record/tick_clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#if TUTTI_HAS_TICKS

static const double SHORTEST = 1e-3, LONGEST = 1; /* seconds between comparisons */

/* Linux takes another source where the counter is not the same on all cores, or does not count evenly. */
static bool kernel_trusts_ticks(void)
{
  char source[16] = "";
  FILE *stream = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
  if (!stream)
    return false;
  const bool trusted = fgets(source, sizeof source, stream) && strcmp(source, "tsc\n") == 0;
  fclose(stream);
  return trusted;
}

/* Both clocks at one moment: of a few tries the one that took shortest. */
static void read_both(uint64_t *ticks, double *seconds)
{
  enum { TRIES = 3 };
  uint64_t least = UINT64_MAX;
  for (int t = 0; t < TRIES; t++) {
    const uint64_t before = __builtin_ia32_rdtsc();
    const double now = PMPI_Wtime();
    const uint64_t took = __builtin_ia32_rdtsc() - before;
    if (took < least) {
      least = took;
      *ticks = before + took / 2;
      *seconds = now;
    }
  }
}

void tutti_tick_clock_begin(struct tick_clock *clock)
{
  *clock = (struct tick_clock){.per_tick = 0};
  if (!kernel_trusts_ticks())
    return;
  read_both(&clock->first_ticks, &clock->first_seconds);
  do
    read_both(&clock->ticks, &clock->seconds);
  while (clock->seconds < clock->first_seconds + SHORTEST);
  clock->per_tick = (clock->seconds - clock->first_seconds) / (double)(clock->ticks - clock->first_ticks);
  clock->span = (uint64_t)(SHORTEST / clock->per_tick);
}

double tutti_tick_clock_compare(struct tick_clock *clock)
{
  static const double MAX_CHANGE = 0.01;
  const uint64_t longest = (uint64_t)(LONGEST / clock->per_tick);
  read_both(&clock->ticks, &clock->seconds);
  const double per_tick = (clock->seconds - clock->first_seconds) / (double)(clock->ticks - clock->first_ticks);
  const bool even = per_tick > 0 && fabs(per_tick - clock->per_tick) < MAX_CHANGE * clock->per_tick;
  clock->per_tick = even ? per_tick : 0; /* the machine slept, or the program moved to another one */
  clock->span = 2 * clock->span < longest ? 2 * clock->span : longest;
  return clock->seconds;
}

#else

void tutti_tick_clock_begin(struct tick_clock *clock)
{
  *clock = (struct tick_clock){.per_tick = 0};
}

double tutti_tick_clock_compare(struct tick_clock *clock)
{
  (void)clock;
  return PMPI_Wtime();
}

#endif
