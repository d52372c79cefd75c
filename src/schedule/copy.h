/* Copying elements within a process, as MPI sees them. */
#ifndef TUTTI_SCHEDULE_COPY_H
#define TUTTI_SCHEDULE_COPY_H

#include <mpi.h>

/* Copy `count` elements; the two types have the same number of bytes of data an element. No message is sent, so that
   nothing can get between. Returns an MPI error code. */
int tutti_copy_local(const void *source, MPI_Datatype source_type, void *target, MPI_Datatype target_type, int count,
                     MPI_Comm comm);

#endif
