/* Which handles are MPI's own, so that they are never freed and mean the same for ever. */
#ifndef TUTTI_COLLECTIVES_PREDEFINED_H
#define TUTTI_COLLECTIVES_PREDEFINED_H

#include <mpi.h>
#include <stdbool.h>

bool tutti_type_is_predefined(MPI_Datatype type);
bool tutti_operation_is_predefined(MPI_Op op);

#endif
