/* Beginning and ending what all ranks do at the same time. */
#ifndef TUTTI_MEASURE_START_H
#define TUTTI_MEASURE_START_H

#include "measure/clock.h"

/* Two views of the same processes, each with half of the tags: around what is timed, and for it. */
tutti_status tutti_halve_tags(const tutti_view *view, tutti_view *around, tutti_view *inside, tutti_error *error);

/* Start together: in simulation everybody at a time that rank 0 tells; on a real machine after a barrier, because ranks
   may be more than cores. *start is now, on the shared clock. Collective. */
tutti_status tutti_start_together(const tutti_view *view, const struct clock *clock, double *start, tutti_error *error);

/* In simulation, let those that are not done yet end in peace: sleep until `seconds` (whole ones) after the start, or
   until the next whole second if that has passed. Nothing on a real machine. */
void tutti_rest(const struct clock *clock, double start, double seconds);

#endif
