/* One collective operation on one rank: from the arguments of the call to a schedule that can be run, once or again;
   and the entry points that run it blocking, nonblocking or persistent. */
#ifndef TUTTI_MPI_COLLECTIVES_OPERATION_H
#define TUTTI_MPI_COLLECTIVES_OPERATION_H

#include "mpi/collectives/arguments.h"
#include "mpi/collectives/pack.h"
#include "mpi/run_state.h"
#include "tutti/collectives.h"

struct operation {
  tutti_arena arena; /* of everything below */
  tutti_schedule schedule;
  struct pack input, output;
  tutti_progress own; /* where the view has none */
  struct run run;
};

/* Find out what the buffers of a call hold (see tutti_call) and prepare them. Fills in everything of *call but
   the parameters. */
tutti_status tutti_arguments_pack(const struct arguments *arguments, const tutti_view *view, tutti_arena *arena,
                                  struct pack *input, struct pack *output, tutti_call *call, tutti_error *error);

/* Prepare an operation, allocated from *arena, which it takes over: it is released by tutti_operation_free(), or here
   on failure. `error` must live as long as the operation. A call outside the domain of the method is refused if `ran`
   is NULL, else done by its substitute, and *ran becomes the method that does it. */
tutti_status tutti_operation_create(const tutti_method *method, const struct arguments *arguments,
                                    const tutti_view *view, int tag, tutti_method *ran, struct operation **operation,
                                    tutti_error *error);

/* Not while messages are in flight: after a failed run the memory must stay. */
void tutti_operation_free(struct operation *operation);

/* Load the packed buffers and start the run. A failure shows in the run's status. */
void tutti_operation_start(struct operation *operation);

/* After the run is done: store the packed buffers. Returns the status of the whole operation. */
tutti_status tutti_operation_finish(struct operation *operation);

/* ---- blocking, nonblocking and persistent: the three ways to run any collective ---- */

/* Run to the end. The arguments are normalized here: tutti_arguments_normalize(). */
tutti_status tutti_run_blocking(const tutti_method *method, struct arguments *arguments, const tutti_view *view,
                                tutti_error *error);

/* The same by the substitute of the method where the call is outside its domain. *ran: the method that did it. */
tutti_status tutti_run_substituted(const tutti_method *method, const struct arguments *arguments,
                                   const tutti_view *view, tutti_method *ran, tutti_error *error);

/* Start, to be completed by tutti_wait() and the like. */
tutti_status tutti_run_nonblocking(const tutti_method *method, struct arguments *arguments, tutti_view *view,
                                   tutti_request **request, tutti_error *error);

/* Prepare, to be started by tutti_start(). */
tutti_status tutti_run_persistent(const tutti_method *method, struct arguments *arguments, tutti_view *view,
                                  tutti_request **request, tutti_error *error);

#endif
