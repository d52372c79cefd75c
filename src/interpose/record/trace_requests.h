/* The requests of a program that are under way (trace_messages.h). */
#ifndef TUTTI_INTERPOSE_TRACE_REQUESTS_H
#define TUTTI_INTERPOSE_TRACE_REQUESTS_H

#include "interpose/process.h"
#include "interpose/record/trace_messages.h"

static inline bool tutti_trace_is_recording(const struct process *process)
{
  return process->trace.comm != MPI_COMM_NULL && process->trace.buffer && process->trace.shapes && !process->ended;
}

/* Out of memory, it is not known. */
void tutti_trace_request_add(struct trace_messages *messages, const struct trace_request *request);

/* The request with that handle, or NULL. Valid until the next one is added or removed. */
struct trace_request *tutti_trace_request_find(const struct trace_messages *messages, MPI_Request handle);
void tutti_trace_request_remove(struct trace_messages *messages, struct trace_request *request);

/* ---- trace_communicators.c ---- */

/* A communicator is made: it has this number in the trace, and 1. */
void tutti_trace_give_number(struct process *process, MPI_Comm comm, uint64_t number);

#endif
