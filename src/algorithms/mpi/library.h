/* The MPI library that a process runs with. */
#ifndef TUTTI_MPI_LIBRARY_H
#define TUTTI_MPI_LIBRARY_H

#include <mpi.h>
#include <stddef.h>

/* MPICH and Open MPI from a certain version on have a second library, with the standard ABI of MPI 5 (chapter 20), and
   its mpi.h says so. */
#if defined MPI_ABI_VERSION && MPI_ABI_VERSION > 0
#define TUTTI_STANDARD_ABI
#endif

/* Libraries that differ in ways that matter to Tutti. */
enum tutti_mpi_kind { TUTTI_MPI_SMPI, TUTTI_MPI_MPICH, TUTTI_MPI_OPENMPI, TUTTI_MPI_OTHER };

/* The kind of a library with this version text. */
enum tutti_mpi_kind tutti_mpi_kind_of(const char *banner);

/* The flavor that measurements of such a library have: "mpich", and "abi" of others. */
const char *tutti_mpi_flavor(enum tutti_mpi_kind kind);

/* The version text of the library, owned by the caller; NULL: out of memory. */
char *tutti_mpi_banner(void);

/* Name and version from it: "SimGrid-3.32", "MPICH-4.0.2", "OpenMPI-4.1.4"; the family alone if it does not say its
   version. */
void tutti_mpi_library_name(const char *banner, char *text, size_t length);

/* The same of the library that runs. */
void tutti_mpi_library(char *text, size_t length);

#endif
