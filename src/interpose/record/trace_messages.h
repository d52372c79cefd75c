/* TUTTI_TRACE=FILE: the messages of the program itself, and waiting for them. Each is a record of a shape (trace.h). A
   request is known by its number: nonblocking messages are counted. To or from MPI_PROC_NULL nothing is recorded. Time
   in a test or probe that finds nothing, or in a blocking probe, is waiting: it belongs to the next call that is
   recorded. Nonblocking and persistent collectives have requests, too; neighborhood collectives are messages. */
#ifndef TUTTI_INTERPOSE_TRACE_MESSAGES_H
#define TUTTI_INTERPOSE_TRACE_MESSAGES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "decision/results/trace_format.h"

/* A message, as the program has it. */
struct envelope {
  uint64_t count;
  MPI_Datatype type;
  int peer;
  int64_t tag;
  MPI_Comm comm;
};

/* Messages that differ in nothing but time. */
struct trace_message_shape {
  bool used;
  enum trace_message kind;
  int peer;                     /* of the communicator; MPI_ANY_SOURCE */
  int64_t tag;                  /* MPI_ANY_TAG */
  uint64_t communicator, bytes; /* its number in the trace, and 1 */
  uint64_t number;
};

/* Waiting for requests of the same ages. */
struct trace_wait_shape {
  bool used;
  uint64_t digest, number;
};

/* What a request stands for that is no single message: a collective of all ranks, or messages. The program may free the
   communicator and the datatypes before it starts a persistent request, so only what does not need them is kept. */
struct trace_group {
  int count;
  uint64_t shapes[]; /* their numbers, and 1 */
};

/* A request of the program. Those of eager messages may have one handle. */
struct trace_request {
  MPI_Request handle;
  bool used, active, persistent;
  bool any;                  /* a receive whose source or tag is to be seen */
  MPI_Group members;         /* then, of its communicator. Owned; MPI_GROUP_NULL: of MPI_COMM_WORLD */
  uint64_t number;           /* of a message that is active, of several the last one, else 0 */
  int more;                  /* messages before it that it stands for, too */
  uint64_t communicator;     /* of MPI_Comm_idup(): what it makes, by its number in the trace, and 1; else 0 */
  MPI_Comm made;             /* then */
  uint64_t shape;            /* of a persistent message, its number, and 1 */
  struct trace_group *group; /* of another persistent one; owned. NULL: none */
};

enum { TRACE_MESSAGE_SHAPES = 1024 };

/* State of a trace about messages. Zero-initialize. */
struct trace_messages {
  struct trace_message_shape *shapes; /* [TRACE_MESSAGE_SHAPES] by hash; one that finds its place taken takes it */
  struct trace_wait_shape *waits;     /* the same */
  struct trace_request *requests;     /* [capacity] by hash of the handle, open addressing; a power of two */
  size_t capacity, used;
  uint64_t count; /* nonblocking messages and collectives so far */
  int most;       /* of trace_request.more so far */
};

void tutti_trace_messages_free(struct trace_messages *messages);

/* ---- for messages.c; functions that get a result return what MPI's function is to return ---- */

/* Whether a trace is written. Set in tutti_process_begin(). */
extern bool tutti_traces __attribute__((visibility("hidden")));

/* Seconds. */
double tutti_trace_now(void);

/* `status`: of a receive, else NULL. */
int tutti_trace_blocking(enum trace_message kind, const struct envelope *envelope, const MPI_Status *status,
                         double start, int result);
int tutti_trace_nonblocking(enum trace_message kind, const struct envelope *envelope, const MPI_Request *request,
                            double start, int result);
int tutti_trace_prepared(enum trace_message kind, const struct envelope *envelope, const MPI_Request *request,
                         int result);
int tutti_trace_both(const struct envelope *out, const struct envelope *in, const MPI_Status *status, double start,
                     int result);

/* The time since `start` was waiting. */
void tutti_trace_idle(double start);

/* MPI_Start() has started these, which a call did that began at `start`. */
void tutti_trace_started(const MPI_Request *requests, int count, double start);

/* MPI_Request_free() will free it. */
void tutti_trace_released(MPI_Request request);

/* A communicator was made: give it its number. All ranks make those of the same members in one order. */
void tutti_trace_made(MPI_Comm comm);

/* MPI_Comm_idup() of `comm` has begun to make one: it gets the number of this call, but cannot be used until the
   request is complete. MPI_COMM_NULL: its handle is not known yet, and it gets its number at its first use. */
void tutti_trace_begun(MPI_Comm comm, MPI_Comm made, MPI_Request request);

enum { TRACE_FEW = 16 };

/* A call that waits for requests, or tests them. */
struct trace_wait {
  double start;
  int count;
  MPI_Request *handles; /* [count] as before the call: few, or owned */
  MPI_Status *statuses; /* for the call */
  void *owned;
  MPI_Request few[TRACE_FEW];
  MPI_Status few_statuses[TRACE_FEW];
};

/* Before the call. `ignored`: the program wants no statuses. */
void tutti_trace_wait_begin(struct trace_wait *wait, int count, const MPI_Request *requests, MPI_Status *statuses,
                            bool ignored);

/* After it: `done` of the requests are complete; which these are, or, where indices is NULL, the first ones. */
int tutti_trace_wait_end(struct trace_wait *wait, int done, const int *indices, int result);

/* ---- trace_forms.c ---- */

struct call;
struct executor;
struct process;

/* After a call of another form than blocking, or of neighbors. One that has a request has begun, or is prepared. */
void tutti_trace_form(struct process *process, struct call *call, const struct executor *executor, double end);

/* ---- for trace_forms.c ---- */

/* The shape of a message, and 1; 0: it is not recorded. */
uint64_t tutti_trace_message_shape(struct process *process, enum trace_message kind, const struct envelope *envelope);

/* Wait for the last `count` messages. */
void tutti_trace_wait_for_last(struct process *process, int count, double start, double end);

/* What a persistent request stands for has begun: sets its numbers. */
void tutti_trace_start_group(struct process *process, struct trace_request *request, double start, double end);

/* ---- trace_requests.c ---- */

bool tutti_trace_is_recording(const struct process *process);

/* The group of a communicator, to be freed; MPI_GROUP_NULL: that of MPI_COMM_WORLD. @{ */
MPI_Group tutti_trace_members(MPI_Comm comm);
void tutti_trace_members_free(MPI_Group members);
/* @} */

/* Out of memory, it is not known. */
void tutti_trace_request_add(struct trace_messages *messages, const struct trace_request *request);

/* The request with that handle, or NULL. Valid until the next one is added or removed. */
struct trace_request *tutti_trace_request_find(const struct trace_messages *messages, MPI_Request handle);
void tutti_trace_request_remove(struct trace_messages *messages, struct trace_request *request);

/* A communicator is made: it has this number in the trace, and 1. */
void tutti_trace_give_number(struct process *process, MPI_Comm comm, uint64_t number);

#endif
