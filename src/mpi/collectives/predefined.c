#include "mpi/collectives/predefined.h"

#include <stddef.h>

bool tutti_type_is_predefined(MPI_Datatype type)
{
  int integers, addresses, types, combiner;
  return PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
         combiner == MPI_COMBINER_NAMED;
}

bool tutti_operation_is_predefined(MPI_Op op)
{
  const MPI_Op own[] = {MPI_SUM, MPI_MAX, MPI_MIN,  MPI_PROD, MPI_LAND,   MPI_BAND,
                        MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (op == own[i])
      return true;
  return false;
}
