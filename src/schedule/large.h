/* Messages of more elements than an int counts. */
#ifndef TUTTI_SCHEDULE_LARGE_H
#define TUTTI_SCHEDULE_LARGE_H

#include <mpi.h>
#include <stdint.h>

/* A committed type of `count` consecutive elements of `type`. Returns an MPI error class. */
int tutti_large_type(uint64_t count, MPI_Datatype type, MPI_Datatype *large);

#endif
