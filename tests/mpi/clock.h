/* A clock to compare times of several processes by. */
#ifndef TUTTI_TESTS_CLOCK_H
#define TUTTI_TESTS_CLOCK_H

#include <time.h>

/* In seconds. One clock for all processes of this machine, which MPI_Wtime() need not be; in simulation the simulated
   one. */
static inline double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#endif
