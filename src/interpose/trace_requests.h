/* The requests of a program that are under way (trace_messages.h). */
#ifndef TUTTI_INTERPOSE_TRACE_REQUESTS_H
#define TUTTI_INTERPOSE_TRACE_REQUESTS_H

#include "interpose/trace_messages.h"

/* Out of memory, it is not known. */
void tutti_trace_request_add(struct trace_messages *messages, const struct trace_request *request);

/* One with that handle; NULL: there is none. Until the next one is added or removed. */
struct trace_request *tutti_trace_request_find(const struct trace_messages *messages, MPI_Request handle);
void tutti_trace_request_remove(struct trace_messages *messages, struct trace_request *request);

#endif
