#include "algorithms/mpi/failure.h"

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

MPI_Errhandler tutti_errors_set_aside(void)
{
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
#if !defined SMPI_HELPERS_H && !defined OPEN_MPI
  int level, initialized = 0; /* not if there are sessions alone */
  if (PMPI_Initialized(&initialized) == MPI_SUCCESS && initialized && PMPI_Query_thread(&level) == MPI_SUCCESS &&
      level < MPI_THREAD_MULTIPLE && PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler) == MPI_SUCCESS)
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
#endif
  return handler;
}

void tutti_errors_put_back(MPI_Errhandler handler)
{
  if (handler == MPI_ERRHANDLER_NULL)
    return;
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  PMPI_Errhandler_free(&handler);
}
