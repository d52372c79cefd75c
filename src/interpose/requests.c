/* Further wrappers of library functions where nonblocking and persistent collectives are served (started.h), or a trace
   is written (trace_messages.h): functions that start and free persistent requests, that free an operation, and that
   make a communicator. */
#include "interpose/calls.h"
#include "interpose/record/trace_messages.h"
#include "interpose/serve/near.h"
#include "interpose/serve/started.h"

#define FUNCTIONS_BEFORE TUTTI_FORMS

static bool has_persistent(const struct process *process)
{
  return __builtin_expect(process->started.persistent > 0, 0);
}

#define STARTS_REQUESTS(function, parameters, list, requests, count)                                                   \
  STANDS_IN_FRONT(function, parameters, list)                                                                          \
  int function parameters                                                                                              \
  {                                                                                                                    \
    const double start = tutti_traces ? tutti_trace_now() : 0;                                                         \
    const int result = library_##function list;                                                                        \
    if (result == MPI_SUCCESS)                                                                                         \
      note_started(requests, count, start);                                                                            \
    return result;                                                                                                     \
  }

static void note_started(const MPI_Request *requests, int count, double start)
{
  struct process *process = tutti_process();
  if (tutti_traces)
    tutti_trace_started(requests, count, start);
  for (int i = 0; has_persistent(process) && i < count; i++)
    tutti_started_start(process, requests[i]);
}

STARTS_REQUESTS(MPI_Start, (MPI_Request * request), (request), request, 1)
STARTS_REQUESTS(MPI_Startall, (int count, MPI_Request requests[]), (count, requests), requests, count)

STANDS_IN_FRONT(MPI_Request_free, (MPI_Request * request), (request))

int MPI_Request_free(MPI_Request *request)
{
  struct process *process = tutti_process();
  if (has_persistent(process))
    tutti_started_forget(process, *request);
  if (tutti_traces)
    tutti_trace_released(*request);
  return library_MPI_Request_free(request);
}

STANDS_IN_FRONT(MPI_Op_free, (MPI_Op * op), (op))

int MPI_Op_free(MPI_Op *op)
{
  struct process *process = tutti_process();
  if (process->started.active + process->started.persistent == 0 || !tutti_started_holds(process, *op))
    return library_MPI_Op_free(op);
  *op = MPI_OP_NULL;
  return MPI_SUCCESS;
}

/* ---- functions that make a communicator, which comes last: all its ranks are in it at the same time ---- */

#define MAKES_COMMUNICATOR(function, parameters, list)                                                                 \
  STANDS_IN_FRONT(function, parameters, list)                                                                          \
  int function parameters                                                                                              \
  {                                                                                                                    \
    const int result = library_##function list;                                                                        \
    if (result == MPI_SUCCESS && tutti_traces)                                                                         \
      tutti_trace_made(*made);                                                                                         \
    if (result == MPI_SUCCESS) {                                                                                       \
      tutti_started_welcome(tutti_process(), *made);                                                                   \
      tutti_near_welcome(tutti_process(), comm, *made);                                                                \
    }                                                                                                                  \
    return result;                                                                                                     \
  }

MAKES_COMMUNICATOR(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made))
MAKES_COMMUNICATOR(MPI_Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made), (comm, info, made))
MAKES_COMMUNICATOR(MPI_Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), (comm, color, key, made))
MAKES_COMMUNICATOR(MPI_Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
                   (comm, type, key, info, made))
MAKES_COMMUNICATOR(MPI_Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), (comm, group, made))
MAKES_COMMUNICATOR(MPI_Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made),
                   (comm, group, tag, made))
MAKES_COMMUNICATOR(MPI_Cart_create,
                   (MPI_Comm comm, int count, const int sizes[], const int periods[], int reorder, MPI_Comm *made),
                   (comm, count, sizes, periods, reorder, made))
MAKES_COMMUNICATOR(MPI_Cart_sub, (MPI_Comm comm, const int kept[], MPI_Comm *made), (comm, kept, made))
#ifndef SMPI_HELPERS_H
MAKES_COMMUNICATOR(MPI_Graph_create,
                   (MPI_Comm comm, int count, const int index[], const int edges[], int reorder, MPI_Comm *made),
                   (comm, count, index, edges, reorder, made))
MAKES_COMMUNICATOR(MPI_Dist_graph_create,
                   (MPI_Comm comm, int count, const int sources[], const int degrees[], const int destinations[],
                    const int weights[], MPI_Info info, int reorder, MPI_Comm *made),
                   (comm, count, sources, degrees, destinations, weights, info, reorder, made))
MAKES_COMMUNICATOR(MPI_Dist_graph_create_adjacent,
                   (MPI_Comm comm, int in, const int sources[], const int in_weights[], int out,
                    const int destinations[], const int out_weights[], MPI_Info info, int reorder, MPI_Comm *made),
                   (comm, in, sources, in_weights, out, destinations, out_weights, info, reorder, made))
#endif
/* The communicator can be used later, though libraries set its handle at once. */
#define BEGINS_COMMUNICATOR(function, parameters, list)                                                                \
  STANDS_IN_FRONT(function, parameters, list)                                                                          \
  int function parameters                                                                                              \
  {                                                                                                                    \
    if (tutti_traces && made)                                                                                          \
      *made = MPI_COMM_NULL;                                                                                           \
    const int result = library_##function list;                                                                        \
    if (result == MPI_SUCCESS && tutti_traces)                                                                         \
      tutti_trace_begun(comm, *made, *request);                                                                        \
    return result;                                                                                                     \
  }

BEGINS_COMMUNICATOR(MPI_Comm_idup, (MPI_Comm comm, MPI_Comm *made, MPI_Request *request), (comm, made, request))
#if MPI_VERSION >= 4
BEGINS_COMMUNICATOR(MPI_Comm_idup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made, MPI_Request *request),
                    (comm, info, made, request))
#endif
MAKES_COMMUNICATOR(MPI_Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *made), (comm, high, made))

#ifndef SMPI_HELPERS_H
_Static_assert(FUNCTIONS_BEFORE + __COUNTER__ <= TUTTI_REQUESTS, "the table of functions is too short");
#endif
