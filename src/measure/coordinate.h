/* What the ranks do together around a measurement, on schedules of our own, and the clock that they share. */
#ifndef TUTTI_MEASURE_COORDINATE_H
#define TUTTI_MEASURE_COORDINATE_H

#include <stdbool.h>

#include "tutti/collectives.h"

/* ---- a clock that all ranks share, and waiting for a time on it ---- */

struct clock {
  double offset; /* seconds to add to MPI_Wtime() to get the clock of rank 0 */
  double margin; /* seconds that rank 0 allows for sending all ranks a start time */
};

/* Is this a simulation, whose clock is global and whose ranks can sleep for nothing? */
bool tutti_clock_is_simulated(void);

/* Find the offset to rank 0: it exchanges messages with each rank in turn, and the exchange with the shortest round
   trip is believed (SKaMPI). Nothing is exchanged in simulation. */
tutti_status tutti_clock_synchronize(const tutti_view *view, struct clock *clock, tutti_error *error);

/* Now, on the shared clock. */
double tutti_clock_now(const struct clock *clock);

/* Rank 0: a start time that everybody can meet. In simulation a whole second from 2^14 on: then every start lies in
   [2^14 s, 2^15 s), where floating-point times have one spacing (3.6e-12 s, far below the nanosecond that SimGrid works
   with), and a measurement comes out the same to the last bit whatever was measured before it: as long as one launch
   measures no more than 16384 s of simulated time. */
double tutti_clock_next_start(const struct clock *clock);

/* Wait until `time`; false if it has passed already. */
bool tutti_clock_wait_until(const struct clock *clock, double time);

/* ---- what they do together ---- */

/* Everybody gets the bytes of rank 0. */
tutti_status tutti_bcast_from_rank0(const tutti_view *view, void *data, uint64_t bytes, tutti_error *error);

/* Rank 0 gets the largest of each value in values[count]; the others keep theirs. */
tutti_status tutti_max_at_rank0(const tutti_view *view, double *values, int count, tutti_error *error);

/* The barrier of the OCC scheme. */
tutti_status tutti_barrier_bruck(const tutti_view *view, tutti_error *error);

/* Two views of the same processes, each with half of the tags: around what is timed, and for it. */
tutti_status tutti_halve_tags(const tutti_view *view, tutti_view *around, tutti_view *inside, tutti_error *error);

/* Start together: in simulation at a time that rank 0 chooses; on a real machine after a barrier, because there may be
   more ranks than cores. *start is now, on the shared clock. Collective. */
tutti_status tutti_start_together(const tutti_view *view, const struct clock *clock, double *start, tutti_error *error);

/* In simulation, let the other ranks finish first: sleep until `seconds` (a whole number) after the
   start, or until the next whole second if that has passed. Nothing on a real machine. */
void tutti_sleep_until(const struct clock *clock, double start, double seconds);

#endif
