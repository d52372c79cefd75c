/* MPI_Wtime() for code that reads the clock twice a call: from the time stamp counter of the processor, where the
   kernel itself keeps time by it (so that it counts evenly, and the same on all cores). That takes 16 ns, and
   MPI_Wtime() 27 ns, in a virtual machine of the Intel Xeon (Sapphire Rapids) that Tutti is developed on. Elsewhere, in
   a simulation, and where several threads are in MPI at the same time, it is MPI_Wtime(). */
#ifndef TUTTI_INTERPOSE_TICK_CLOCK_H
#define TUTTI_INTERPOSE_TICK_CLOCK_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#if defined __x86_64__ && defined __linux__ && !defined SMPI_HELPERS_H
#define TUTTI_HAS_TICKS 1 /* by the builtin: x86intrin.h takes a second to compile */
#else
#define TUTTI_HAS_TICKS 0
#endif

/* Zero-initialize: MPI_Wtime(). */
struct tick_clock {
  double per_tick;             /* seconds; 0: ticks are not used */
  uint64_t ticks, first_ticks; /* when it was last compared with MPI_Wtime(), and first */
  double seconds, first_seconds;
  uint64_t span; /* ticks until it is compared again */
};

/* Compare ticks with MPI_Wtime() for a millisecond. */
void tutti_tick_clock_begin(struct tick_clock *clock);

/* Compare them again, so that errors do not grow. Returns MPI_Wtime(). */
double tutti_tick_clock_compare(struct tick_clock *clock);

/* Seconds, as MPI_Wtime() counts them. Not thread-safe if ticks are used. */
static inline double tutti_tick_clock_now(struct tick_clock *clock)
{
#if TUTTI_HAS_TICKS
  if (clock->per_tick > 0) {
    const uint64_t since = __builtin_ia32_rdtsc() - clock->ticks;
    return since < clock->span ? clock->seconds + (double)(int64_t)since * clock->per_tick
                               : tutti_tick_clock_compare(clock);
  }
#endif
  (void)clock;
  return PMPI_Wtime();
}

#endif
