/* Name and version of the MPI library. */
#ifndef TUTTI_MEASURE_LIBRARY_H
#define TUTTI_MEASURE_LIBRARY_H

#include <stddef.h>

/* "SimGrid-3.32", "MPICH-4.0.2", "OpenMPI-4.1.4"; the family alone if the library does not say its version. */
void tutti_library_name(char *text, size_t length);

#endif
