/* How a call is handled: served by Tutti, or passed through to the MPI library, as one that is not valid is. */
#ifndef TUTTI_INTERPOSE_SERVE_H
#define TUTTI_INTERPOSE_SERVE_H

#include "algorithms/mpi/collectives/operation_cache.h"

struct choice;
struct communicator;
struct process;
struct profile_row;
struct recent_call;

/* A call. The caller sets arguments and site, tutti_serve() the other members. */
struct call {
  struct arguments *arguments;
  const void *site;                  /* of the program */
  struct communicator *communicator; /* NULL: none that is valid */
  struct arguments given;            /* by the program; only if the call is not like one before, nor of another form */
  /* 0 at the beginning, from here to the end */
  const char *reason;            /* why it is passed through */
  const char *form;              /* nonblocking, ...; NULL: a blocking collective of all ranks */
  const tutti_method *candidate; /* the one picked to serve it (adapt.h); NULL: none */
  struct adapted_class *adapted; /* its class, if undecided; NULL: none */
  struct adapted_class *trial;   /* the same if it is a trial */
  double arrival;                /* seconds; of a trial */
  bool near;                     /* of neighbors only: as many blocks as there are neighbors */
  bool prepares;                 /* it makes a persistent request */
  bool starts;                   /* it is a start of one */
  bool failed;                   /* in the library */
  const MPI_Request *request;    /* that it has made; NULL: none */
  bool stays;                    /* for that reason all such calls are passed through */
  bool counts;                   /* the call is counted with its time; what follows only then */
  bool known;                    /* by its row and shape: nothing else of it is needed */
  bool sized;                    /* whether its bytes are known */
  int ranks;                     /* of the communicator; 0: the arguments are invalid there */
  uint64_t bytes;                /* bytes by which a method is picked */
  double start;                  /* seconds */
  struct profile_row *row;       /* of the profile; NULL: unknown */
  uint64_t shape;                /* of the trace; 0: unknown */
};

/* Serve the call if it can be: then *result is what MPI's function returns. If not, the caller is to call the library
   and then tutti_passed(). `recent`: how one like it was done before; NULL: not known yet.
 */
bool tutti_serve(struct call *call, MPI_Comm comm, const struct recent_call *recent, int *result);

/* Serve a call in the same way as an earlier, simple one (recent.h). Returns the result of MPI's function. */
int tutti_serve_again(const struct recent_call *recent, const void *input, const void *output);

/* Run a call whose operation is not kept. The watch of other ranks sees it with these bytes. */
tutti_status tutti_serve_once(struct process *process, struct call *call, const tutti_method *method, uint64_t bytes,
                              tutti_method *ran, tutti_error *error);

/* Note a call of another form than blocking, or of neighbors only, as `form` (static storage) names. The caller calls
   the library and then tutti_passed(), unless it serves the call (started.h). */
void tutti_note(struct call *call, MPI_Comm comm, const char *form, bool near);

/* The library returned `result`. Returns what MPI's function returns. */
int tutti_passed(struct call *call, MPI_Comm comm, int result);

/* ---- failure.c: errors of calls that were served, as the MPI library would raise them ---- */

/* By the error handler of the communicator. Returns `code`. */
int tutti_raise_error(MPI_Comm comm, int code);

/* Print the cause, as MPI's error classes are coarse, unless the program expects failures; then raise the error.
   Returns its code. */
int tutti_report_failure(const struct process *process, MPI_Comm comm, tutti_collective collective, tutti_status status,
                         const tutti_error *error);

/* ---- choose.c: which calls are served, and by which method ---- */

/* NULL if the collective is served, as far as that does not depend on its arguments. */
const char *tutti_why_native(const struct process *process, tutti_collective collective,
                             const struct communicator *communicator);

/* NULL if a call that is not cached can be served: then *choice is how, and *bytes the size by which it was picked.
   Else the reason, and call->stays is whether it holds for all such calls. */
const char *tutti_why_not_serve(struct process *process, struct call *call, struct choice *choice, uint64_t *bytes);

/* The method for a noted call, without a message: what ranks must first agree on is a reason not to serve it. Returns
   why it is to be passed through; NULL: it is to be served by *method. */
const char *tutti_choose_method(struct process *process, struct call *call, tutti_method *method);

/* ---- valid.c: whether calls are well formed, by a cheap check ---- */

/* Whether these arguments may be served. If not, the MPI library reports the fault by its own rules. Checks only
   arguments that are significant at this rank: in a correct program all ranks answer yes. */
bool tutti_arguments_are_valid(const struct arguments *arguments, const tutti_view *view);

/* The same of neighbors. */
bool tutti_neighbor_arguments_are_valid(const struct arguments *arguments, const tutti_neighbors *near);

/* True if the MPI library reports an error when the two buffers of such a call are one. Then *distance is the distance
   of the input from the output in bytes if they are. Not for reductions. */
bool tutti_alias_distance(const struct arguments *arguments, const tutti_view *view, MPI_Aint *distance);

/* NULL if the call is not a reduction, or one that may be served: its operation is defined for its datatype, a user's
   for any. Else why it is passed through. Checks only what *choice, the last one that passed, does not cover. */
struct choice;
const char *tutti_why_not_reduced(const struct arguments *arguments, const struct communicator *communicator,
                                  struct choice *choice);

/* Whether another order of the operands may give other bits. Only for reductions: sums and products except of integers,
   and a program's own operations. */
bool tutti_call_rounds(const struct arguments *arguments);

#endif
