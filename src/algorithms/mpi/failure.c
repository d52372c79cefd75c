#include "algorithms/mpi/failure.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MPICH says in further lines which of its functions called which. */
static void append_reason(tutti_error *error, int code)
{
  size_t used = strlen(error->message);
  int length = 0;
  char *reason = malloc(MPI_MAX_ERROR_STRING + 1); /* simulated stacks are small */
  if (reason && MPI_Error_string(code, reason, &length) == MPI_SUCCESS && length > 0) {
    reason[strcspn(reason, "\n")] = '\0';
    snprintf(error->message + used, sizeof error->message - used, ": %s", reason);
  }
  free(reason);
}

tutti_status tutti_mpi_fail(tutti_error *error, int code, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  tutti_vfail(error, TUTTI_ERR_MPI, format, arguments);
  va_end(arguments);
  if (error) {
    append_reason(error, code);
    error->mpi_code = code;
  }
  return TUTTI_ERR_MPI;
}
