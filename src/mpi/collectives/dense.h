/* Which datatypes are nothing but consecutive bytes. */
#ifndef TUTTI_COLLECTIVES_DENSE_H
#define TUTTI_COLLECTIVES_DENSE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Are `count` elements of the type consecutive bytes, in the order of its type map? Then *lower is where they begin
   relative to the address of the buffer. A datatype that MPI does not explain is not dense. */
bool tutti_type_is_dense(MPI_Datatype type, uint64_t count, MPI_Aint *lower);

#endif
