/* What the ranks do together around a measurement, on schedules of our own, and the clock that they share. */
#ifndef TUTTI_MEASURE_COORDINATE_H
#define TUTTI_MEASURE_COORDINATE_H

#include "mpi/clock.h"
#include "tutti/collectives.h"

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
