/* The MPI library that a process runs with. */
#ifndef TUTTI_MPI_LIBRARY_H
#define TUTTI_MPI_LIBRARY_H

#include <stddef.h>

/* What the library says of itself, owned by the caller; NULL: out of memory. */
char *tutti_mpi_banner(void);

/* Name and version from it: "SimGrid-3.32", "MPICH-4.0.2", "OpenMPI-4.1.4"; the family alone if it does not say its
   version. */
void tutti_mpi_library_name(const char *banner, char *text, size_t length);

/* The same of the library that runs. */
void tutti_mpi_library(char *text, size_t length);

#endif
