/* The MPI library that the process runs with must be the one that the interposer was built for: handles of another one
   mean nothing to it. */
#ifndef TUTTI_INTERPOSE_MPI_LIBRARY_H
#define TUTTI_INTERPOSE_MPI_LIBRARY_H

/* NULL if it is, or is not known; else a sentence that names both and the file to load instead; the program must end.
 * Calls nothing that takes a handle. */
const char *tutti_other_mpi_library(void);

#endif
