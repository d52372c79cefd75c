/* Errors of MPI calls. */
#ifndef TUTTI_MPI_FAILURE_H
#define TUTTI_MPI_FAILURE_H

#include "tutti/error.h"

/* TUTTI_ERR_MPI: what failed, ": ", and what MPI says of the code that a call of it returned. */
tutti_status tutti_mpi_fail(tutti_error *error, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
