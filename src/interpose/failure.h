/* Errors of calls that were served, as the MPI library would raise them. */
#ifndef TUTTI_INTERPOSE_FAILURE_H
#define TUTTI_INTERPOSE_FAILURE_H

#include "interpose/process.h"

/* By the error handler of the communicator. Returns `code`. */
int tutti_raise_error(MPI_Comm comm, int code);

/* Print the cause, as MPI's error classes are coarse, unless the program expects failures; then raise the error.
   Returns its code. */
int tutti_report_failure(const struct process *process, MPI_Comm comm, tutti_collective collective, tutti_status status,
                         const tutti_error *error);

#endif
