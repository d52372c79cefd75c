/* The MPI library that the process runs with must be the one that the interposer was built for: handles of another one
   mean nothing to it. */
#ifndef TUTTI_INTERPOSE_MPI_LIBRARY_H
#define TUTTI_INTERPOSE_MPI_LIBRARY_H

#include "algorithms/mpi/library.h"
#include <stdbool.h>

/* The library of the process: known at compile time, except for the standard ABI (process.c). */
#if defined TUTTI_STANDARD_ABI
enum tutti_mpi_kind tutti_library_kind(void);
#else
static inline enum tutti_mpi_kind tutti_library_kind(void)
{
#if defined SMPI_HELPERS_H
  return TUTTI_MPI_SMPI;
#elif defined OPEN_MPI
  return TUTTI_MPI_OPENMPI;
#else
  return TUTTI_MPI_MPICH;
#endif
}
#endif

/* The library whose functions the interposer calls, from its version text; also before MPI_Init(). */
enum tutti_mpi_kind tutti_find_library_kind(void);

/* Whether this is the first rank according to the launcher. Used where MPI cannot be called. */
bool tutti_is_first_rank(void);

/* If it is another one, the first rank prints a sentence that names both and the file to load instead, and the process
 * ends with the exit status. Calls nothing that takes a handle. */
void tutti_refuse_other_mpi_library(int exit_status);

#endif
