/* Clocks of this machine, in seconds. */
#ifndef TUTTI_BASE_CLOCK_H
#define TUTTI_BASE_CLOCK_H

#include <time.h>

/* CLOCK_MONOTONIC: since some time in the past; CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID: of the processor. */
static inline double tutti_clock(clockid_t clock)
{
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
