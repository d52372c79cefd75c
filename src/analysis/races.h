/* Two vertices of a rank that touch the same element without waiting for each other. */
#ifndef TUTTI_SCHEDULE_RACES_H
#define TUTTI_SCHEDULE_RACES_H

#include "tutti/schedule.h"

/* TUTTI_ERR_FAULT names the first pair of vertices that access a common element, one of them writing it, although
   neither must wait for the other; also a vertex that writes TUTTI_INPUT. Takes V^2 / 8 bytes. */
tutti_status tutti_check_races(const tutti_schedule *schedule, tutti_error *error);

#endif
