#include <stdio.h>

#include "base/say.h"
#include "interpose/process.h"
#include "interpose/serve/serve.h"

int tutti_raise_error(MPI_Comm comm, int code)
{
#ifdef SMPI_HELPERS_H /* its PMPI_Comm_call_errhandler() does not accept predefined handlers */
  MPI_Errhandler handler;
  PMPI_Comm_get_errhandler(comm, &handler);
  if (handler == MPI_ERRORS_RETURN || handler == MPI_ERRHANDLER_NULL)
    return code;
  if (handler == MPI_ERRORS_ARE_FATAL)
    PMPI_Abort(comm, code);
#endif
  PMPI_Comm_call_errhandler(comm, code);
  return code;
}

static int error_class(tutti_status status)
{
  return status == TUTTI_ERR_MEMORY ? MPI_ERR_NO_MEM : status == TUTTI_ERR_ARGUMENT ? MPI_ERR_ARG : MPI_ERR_OTHER;
}

/* Whether the program handles errors itself. */
static bool handles_errors(MPI_Comm comm)
{
  MPI_Errhandler handler;
  if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS || handler == MPI_ERRHANDLER_NULL)
    return false;
  bool fatal = handler == MPI_ERRORS_ARE_FATAL;
  PMPI_Errhandler_free(&handler);
  return !fatal;
}

int tutti_report_failure(const struct process *process, MPI_Comm comm, tutti_collective collective, tutti_status status,
                         const tutti_error *error)
{
  if (process->policy->verbose || !handles_errors(comm))
    tutti_say(stderr, "tutti: %s: %s\n", tutti_collective_name(collective), error->message);
  return tutti_raise_error(comm, error->mpi_code != MPI_SUCCESS ? error->mpi_code : error_class(status));
}
