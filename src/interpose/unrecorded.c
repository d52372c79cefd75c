/* Detecting calls that a trace does not record where they begin: windows, files, probes that take the message,
   partitioned messages, cancelling. */
#include "decision/results/trace_format.h"
#include "interpose/calls.h"

#define FUNCTIONS_BEFORE TUTTI_MESSAGES

#define NOTED(function, what, parameters, list)                                                                        \
  FORWARDED(function, parameters, list)                                                                                \
  int function parameters                                                                                              \
  {                                                                                                                    \
    tutti_process()->unrecorded |= 1u << (what);                                                                       \
    return library_##function list;                                                                                    \
  }

NOTED(MPI_Win_create, TRACE_WINDOWS,
      (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *window),
      (base, size, unit, info, comm, window))
NOTED(MPI_Win_allocate, TRACE_WINDOWS,
      (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window),
      (size, unit, info, comm, base, window))
NOTED(MPI_Win_allocate_shared, TRACE_WINDOWS,
      (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window),
      (size, unit, info, comm, base, window))
NOTED(MPI_Win_create_dynamic, TRACE_WINDOWS, (MPI_Info info, MPI_Comm comm, MPI_Win *window), (info, comm, window))
NOTED(MPI_File_open, TRACE_FILES, (MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file),
      (comm, name, mode, info, file))
NOTED(MPI_Cancel, TRACE_CANCELLED, (MPI_Request * request), (request))

#ifndef SMPI_HELPERS_H /* SMPI has none of these */
NOTED(MPI_Mprobe, TRACE_MATCHED_PROBES, (int from, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),
      (from, tag, comm, message, status))
NOTED(MPI_Improbe, TRACE_MATCHED_PROBES,
      (int from, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status),
      (from, tag, comm, flag, message, status))
#endif

#if MPI_VERSION >= 4
NOTED(MPI_Psend_init, TRACE_PARTITIONED,
      (const void *buffer, int parts, MPI_Count count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Info info,
       MPI_Request *request),
      (buffer, parts, count, type, to, tag, comm, info, request))
NOTED(MPI_Precv_init, TRACE_PARTITIONED,
      (void *buffer, int parts, MPI_Count count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Info info,
       MPI_Request *request),
      (buffer, parts, count, type, from, tag, comm, info, request))
#endif

#ifndef SMPI_HELPERS_H
_Static_assert(FUNCTIONS_BEFORE + __COUNTER__ <= TUTTI_FUNCTIONS, "the table of functions is too short");
#endif
