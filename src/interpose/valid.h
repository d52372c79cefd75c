/* Which calls are well formed, as far as it can be told cheaply. */
#ifndef TUTTI_INTERPOSE_VALID_H
#define TUTTI_INTERPOSE_VALID_H

#include "mpi/collectives/arguments.h"

/* May these arguments be served? If not, the MPI library is left to report what is wrong with them by its own rules.
   Only arguments that MPI calls significant at this rank are looked at: of a correct program, all ranks answer yes. */
bool tutti_arguments_are_valid(const struct arguments *arguments, const tutti_view *view);

/* Is the operation defined for the datatype? A user's operation is for any. */
bool tutti_operation_serves(MPI_Op op, MPI_Datatype type);

#endif
