/* Communicators that the program makes get their numbers in the trace in the order in which all their ranks make them.
 */
#include "interpose/record/trace_requests.h"

void tutti_trace_made(MPI_Comm comm)
{
  struct process *process = tutti_process_enter();
  struct communicator *communicator =
      comm != MPI_COMM_NULL && tutti_trace_is_recording(process) ? tutti_communicator_of(&process->known, comm) : NULL;
  if (communicator && !communicator->trace.known)
    tutti_trace_define(&process->trace, &communicator->trace, comm);
  tutti_process_leave(process);
}

void tutti_trace_give_number(struct process *process, MPI_Comm comm, uint64_t number)
{
  struct communicator *communicator = comm != MPI_COMM_NULL ? tutti_communicator_of(&process->known, comm) : NULL;
  if (communicator && !communicator->trace.known)
    communicator->trace = (struct trace_communicator){.number = number, .known = true};
}

void tutti_trace_begun(MPI_Comm comm, MPI_Comm made, MPI_Request request)
{
  struct process *process = tutti_process_enter();
  const uint64_t number =
      made != MPI_COMM_NULL && tutti_trace_is_recording(process) ? tutti_trace_number(&process->trace, comm) : 0;
  if (number > 0 && request == MPI_REQUEST_NULL)
    tutti_trace_give_number(process, made, number);
  else if (number > 0)
    tutti_trace_request_add(
        &process->trace.messages,
        &(struct trace_request){.handle = request, .used = true, .active = true, .comm = made, .communicator = number});
  tutti_process_leave(process);
}
