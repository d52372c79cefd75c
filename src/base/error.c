#include "tutti/error.h"

#include <stdio.h>

#include "base/utf8.h"

tutti_status tutti_vfail(tutti_error *error, tutti_status status, const char *format, va_list arguments)
{
  if (error) {
    error->status = status;
    error->mpi_code = 0;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    tutti_utf8_clean(error->message); /* names and values of other people's files */
  }
  return status;
}

tutti_status tutti_fail(tutti_error *error, tutti_status status, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  tutti_vfail(error, status, format, arguments);
  va_end(arguments);
  return status;
}

const char *tutti_status_name(tutti_status status)
{
  switch (status) {
  case TUTTI_OK:
    return "ok";
  case TUTTI_ERR_ARGUMENT:
    return "bad argument";
  case TUTTI_ERR_MEMORY:
    return "out of memory";
  case TUTTI_ERR_IO:
    return "input/output error";
  case TUTTI_ERR_MPI:
    return "MPI error";
  case TUTTI_ERR_FAULT:
    return "fault found";
  case TUTTI_ERR_LAUNCH:
    return "launched program failed";
  case TUTTI_ERR_UNSUPPORTED:
    return "unsupported";
  }
  return "unknown status";
}
