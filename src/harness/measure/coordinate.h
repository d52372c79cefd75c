/* Common steps of the ranks around a measurement, on our own schedules, and their shared clock. */
#ifndef TUTTI_MEASURE_COORDINATE_H
#define TUTTI_MEASURE_COORDINATE_H

#include "algorithms/mpi/clock.h"
#include "tutti/collectives.h"

/* ---- what they do together ---- */

/* All ranks get the bytes of rank 0. */
tutti_status tutti_bcast_from_rank0(const tutti_view *view, void *data, uint64_t bytes, tutti_error *error);

/* Rank 0 gets the maximum of each value in values[count]; the others keep theirs. */
tutti_status tutti_max_at_rank0(const tutti_view *view, double *values, int count, tutti_error *error);

/* The barrier of the OCC scheme. */
tutti_status tutti_barrier_bruck(const tutti_view *view, tutti_error *error);

/* Two views of the same processes, each with half of the tags: for use around the timed operation, and for the
   operation. */
tutti_status tutti_halve_tags(const tutti_view *view, tutti_view *around, tutti_view *inside, tutti_error *error);

struct shared_meeting;

/* The starts of a launch, on one rank; zeroed before the first. */
struct starts {
  struct clock *clock;
  struct shared_meeting *last; /* in simulation; NULL: none */
  bool measured;               /* a point of the launch has been measured */
  bool over;                   /* this launch can measure no further point */
};

/* Start together: in simulation at a time that rank 0 chooses, at least @p behind seconds (a whole number) after it has
   been sent, and again, with twice the notice, until all ranks know it in time; on a real machine after a barrier,
   because there may be more ranks than cores. *start is now, on the shared clock. Collective. In simulation
   TUTTI_ERR_UNSUPPORTED where the clock is too coarse by then; if a new launch can measure the remaining points, the
   launch is over. */
tutti_status tutti_start_together(const tutti_view *view, struct starts *starts, double behind, double *start,
                                  tutti_error *error);

/* In simulation, let the other ranks finish first: sleep until `seconds` (a whole number) after the start, and twice as
   long, and so on, until all of them have come here. Nothing on a real machine. */
void tutti_sleep_until_all(struct starts *starts, double seconds);

/* End the starts of the launch. */
void tutti_starts_end(struct starts *starts);

#endif
