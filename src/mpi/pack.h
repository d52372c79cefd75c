/* MPI_Pack() and MPI_Unpack() as they should be. */
#ifndef TUTTI_SCHEDULE_PACK_H
#define TUTTI_SCHEDULE_PACK_H

#include <mpi.h>
#include <stdbool.h>

/* Pack elements into exactly `bytes` bytes, or unpack them from there; the address of the elements may be 0. Returns an
   MPI error code. */
int tutti_pack_or_unpack(char *element, int count, MPI_Datatype type, char *packed, int bytes, bool load,
                         MPI_Comm comm);

#endif
