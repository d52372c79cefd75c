/* TUTTI_NONBLOCKING=1: nonblocking and persistent collectives are served, too; TUTTI_REPRODUCIBLE: reductions among
   them.

   MPI lets a rank that has started one wait in any other function until others have completed theirs. So the operations
   advance in the progress of the MPI library itself, which calls us (progress_hook.c) wherever it waits or tests. There
   arrived messages are taken in, and operations that waited for them are posted.

   The request of the program is a receive of its own from this process, on a private communicator: an empty message
   completes it when the operation is complete, so the library's functions wait for, test and free it. It is a
   persistent receive for a persistent collective: then MPI_Start() starts the operation, too. A message with a byte,
   which is too long, makes these functions return an error if the operation has failed.

   Operations of a communicator have tags in turn. One whose tag is in use begins when the operation that has it is
   complete: all ranks begin them in the same order, so that their messages match. Ranks may start persistent ones in
   any order, so each has a tag until the end. */
#ifndef TUTTI_INTERPOSE_STARTED_H
#define TUTTI_INTERPOSE_STARTED_H

#include <mpi.h>

#include "algorithms/mpi/collectives/arguments.h"
#include "interpose/serve/serve.h"
#include "interpose/serve/watch.h"
#include "tutti/run.h"

struct communicator;
struct operation;
struct process;
struct started;

/* State of a process. */
struct started_calls {
  const char *reason; /* why none is served; NULL: they are */
  bool busy;          /* our own code is at work: the library's progress must not call it again */
  int active;         /* operations that are not complete */
  int persistent;     /* persistent requests that exist */
  tutti_progress progress;
  MPI_Comm self;                /* of this process: completes requests */
  struct started *first, *last; /* active ones, in the order of their beginning */
  int spare;                    /* unused ones that have kept their operation */
  struct started *unused;       /* complete; each has a tag of `self` */
  struct started **slots;       /* persistent requests by hash of their handle; NULL: none so far */
  int tags;                     /* of a communicator: half of them for nonblocking operations */
  int completions;              /* tags of `self` so far */
};

/* After MPI_Init(), if the policy wants it: see whether all ranks can serve such calls. Collective. */
void tutti_started_begin(struct process *process);

/* Before MPI_Finalize(). */
void tutti_started_end(struct process *process);

/* Serve a call if it can be: then *result is what MPI's function returns, and *request is the program's. If not, the
   caller is to call the library and then tutti_passed(). `form`: static storage. */
bool tutti_serve_nonblocking(struct call *call, MPI_Comm comm, const char *form, MPI_Request *request, int *result);
bool tutti_serve_persistent(struct call *call, MPI_Comm comm, const char *form, MPI_Request *request, int *result);
bool tutti_serve_near_nonblocking(struct call *call, MPI_Comm comm, const char *form, MPI_Request *request,
                                  int *result);
bool tutti_serve_near_persistent(struct call *call, MPI_Comm comm, const char *form, MPI_Request *request, int *result);

/* A communicator was made: agree with its ranks on what nonblocking calls cannot wait for. Collective. */
void tutti_started_welcome(struct process *process, MPI_Comm comm);

/* MPI_Start() has started this request: start the operation if it has one. */
void tutti_started_start(struct process *process, MPI_Request request);

/* The persistent collective of a communicator whose messages have that tag, or NULL. */
const struct started *tutti_started_persistent(const struct started_calls *started,
                                               const struct communicator *communicator, int tag);

/* Whether it was prepared, even if it is freed or was refused. */
bool tutti_started_has_prepared(const struct started_calls *started, const struct communicator *communicator, int tag);

/* MPI_Request_free() will free this request. */
void tutti_started_forget(struct process *process, MPI_Request request);

/* MPI_Op_free(): is the operation in use? Then it is freed when it no longer is. */
bool tutti_started_holds(struct process *process, MPI_Op op);

/* ---- operations ---- */

/* Nonblocking operations of a communicator that run at the same time. */
enum { TURNS = 128 };

/* An operation that a nonblocking or persistent call has begun. */
struct started {
  struct started *previous, *next; /* active ones; unused ones by `next` */
  struct started *same_slot;       /* persistent ones */
  struct started *behind;          /* waits for the tag of this one; NULL: none does */
  struct communicator *communicator;
  struct persistent_arguments kept;
  struct operation *operation;
  tutti_method wanted, method; /* decided on, and used: the substitute outside its domain */
  struct call call;            /* its site, form and size; without arguments */
  MPI_Request request;         /* of a persistent call */
  int completion;              /* the tag of the message that completes the request */
  int tag;                     /* of its messages */
  int turn;                    /* of a nonblocking call: number of the tag among those of its communicator */
  uint64_t
      dropped; /* cache_budget's number when it was left with its operation, which serves while that is unchanged */
  struct watched_call watched; /* common to all ranks: watch.h */
  uint64_t number;             /* of a nonblocking call among all of its communicator */
  uint64_t starts;             /* of a persistent one so far */
  bool persistent;
  bool active;
  bool freed;    /* whether the program has freed the persistent request */
  bool frees_op; /* and the operation of the reduction: MPI_Op_free() is to follow */
  tutti_error error;
};

/* ---- started_create.c ---- */

/* The operation of a call, to be begun with that tag of the shared shadow. Returns NULL where an error was raised,
 *which result is then. */
struct started *tutti_started_create(struct process *process, struct call *call, const tutti_method *method, int tag,
                                     MPI_Comm comm, int *result);

/* ---- started_progress.c ---- */

/* Begin it, unless its tag is in use. */
void tutti_started_activate(struct process *process, struct started *started);

/* Free one that is neither active nor has a request. `failed`: messages may be in flight, whose memory stays. */
void tutti_started_discard(struct process *process, struct started *started, bool failed);

/* Free the operation of one that is not active. */
void tutti_started_drop(struct started *started);

/* Advance active operations: called from the library's progress. */
void tutti_started_progress(struct process *process);

#endif
