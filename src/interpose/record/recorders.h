/* Recorders: parts that begin after MPI_Init(), see each call that is counted, with its time, and end in
   MPI_Finalize(). The report, the profile and the trace do all three; others only begin and end with MPI. */
#ifndef TUTTI_INTERPOSE_RECORDERS_H
#define TUTTI_INTERPOSE_RECORDERS_H

#include "interpose/process.h"
#include "interpose/serve/serve.h"

/* All that the policy asks for begin, on all ranks, or end. There is a shadow (communicator.h). Collective. @{ */
void tutti_recorders_begin(struct process *process);
void tutti_recorders_end(struct process *process);
/* @} */

/* Before a call that is like another one before, whose row and shape are set: call->counts may become false. */
void tutti_count_begin(struct process *process, struct call *call);

/* After a call that is known by its row and shape. */
void tutti_count_again(struct process *process, const struct call *call);

/* After a call that was passed through, whose ranks and bytes are set as far as they are known. */
void tutti_count(struct process *process, struct call *call, const struct executor *executor);

/* After a call that was served. */
void tutti_count_served(struct process *process, struct call *call, const tutti_method *method, uint64_t bytes);

/* After a call of another form, that is counted, has begun to be served by that method. */
void tutti_count_started(struct process *process, struct call *call, const tutti_method *method);

/* A persistent request was made, whose operation is served by that method. */
void tutti_trace_served(struct process *process, struct call *call, const tutti_method *method);

/* Set the bytes and ranks of a call that is passed through, as far as its arguments and its communicator show them. The
   number of neighbors is known to the topology only. */
void tutti_size_up(struct call *call);

#endif
