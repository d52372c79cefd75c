/* Errors of MPI calls. */
#ifndef TUTTI_MPI_FAILURE_H
#define TUTTI_MPI_FAILURE_H

#include <mpi.h>

#include "tutti/error.h"

/* TUTTI_ERR_MPI: what failed, ": ", and what MPI says of the code that a call of it returned. */
tutti_status tutti_mpi_fail(tutti_error *error, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* MPICH 4.0.2 raises errors of MPI_Wait(), MPI_Test() and their like by the handler of MPI_COMM_WORLD, whatever
   communicator the message is on; only requests of messages to the same process keep theirs. So that they are returned,
   that handler is set aside meanwhile, on other libraries than Open MPI and SMPI, unless other threads may need it. @{
 */

/* MPI_ERRHANDLER_NULL: it stays. */
MPI_Errhandler tutti_errors_set_aside(void);

/* What that has returned. */
void tutti_errors_put_back(MPI_Errhandler handler);
/* @} */

#endif
