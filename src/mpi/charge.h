/* The one place where computation costs simulated time. */
#ifndef TUTTI_SCHEDULE_CHARGE_H
#define TUTTI_SCHEDULE_CHARGE_H

#include <stdint.h>

#include "tutti/schedule.h"

/* Charge a reduction or copy of `bytes` bytes to the simulated processor; nothing on a real machine, where it has taken
   its time. Computation is never timed under simulation, which would not be repeatable. */
void tutti_charge(tutti_kind kind, uint64_t bytes);

#endif
