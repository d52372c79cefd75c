/* What reducing and copying cost one process, seconds per byte. */
#ifndef TUTTI_MEASURE_COMPUTE_H
#define TUTTI_MEASURE_COMPUTE_H

#include "tutti/measurement.h"

/* Reports each operation and type, then the copy. On a real machine arrays are larger than the caches; in simulation
   what the platform charges for an array is read off the clock. Stops at the first failure of `report`;
   TUTTI_ERR_MEMORY, TUTTI_ERR_MPI. */
tutti_status compute_measure(tutti_status (*report)(void *context, const tutti_parameter *parameter,
                                                    tutti_error *error),
                             void *context, tutti_error *error);

#endif
