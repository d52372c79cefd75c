/* A clock that all ranks share, and waiting for a time on it. */
#ifndef TUTTI_MPI_CLOCK_H
#define TUTTI_MPI_CLOCK_H

#include <stdbool.h>

#include "tutti/view.h"

struct clock {
  double offset; /* seconds to add to MPI_Wtime() to get the clock of rank 0 */
  double margin; /* seconds that rank 0 allows for sending all ranks a start time */
};

/* Whether this is a simulation, whose clock is global and whose ranks can sleep at no cost. */
bool tutti_clock_is_simulated(void);

/* Find the offset to rank 0: it exchanges messages with each rank in turn, and the exchange with the shortest round
   trip is believed (SKaMPI). Nothing is exchanged in simulation. */
tutti_status tutti_clock_synchronize(const tutti_view *view, struct clock *clock, tutti_error *error);

/* Now, on the shared clock. */
double tutti_clock_now(const struct clock *clock);

/* Rank 0: a start time for all ranks; in simulation as in base/meeting.h. */
double tutti_clock_next_start(const struct clock *clock);

/* Wait until `time`; false if it has passed already. */
bool tutti_clock_wait_until(const struct clock *clock, double time);

#endif
