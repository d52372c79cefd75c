/* One collective operation on one rank: from the arguments of the call to a schedule that can be run, once or again;
   and the entry points that run it blocking, nonblocking or persistent. */
#ifndef TUTTI_MPI_COLLECTIVES_OPERATION_H
#define TUTTI_MPI_COLLECTIVES_OPERATION_H

#include "algorithms/mpi/collectives/arguments.h"
#include "algorithms/mpi/collectives/pack.h"
#include "algorithms/mpi/run_state.h"
#include "tutti/collectives.h"

/* Base addresses of an operation. */
struct operation_place {
  const void *input, *output; /* buffers of the call */
  char *scratch;
};

struct operation {
  tutti_arena arena; /* of everything below */
  struct operation_place place;
  size_t scratch_bytes;
  tutti_schedule schedule;
  struct pack input, output;
  tutti_progress own; /* where the view has no progress */
  struct run run;
  bool direct; /* tutti_operation_find_steps() */
};

/* Find out what the buffers of a call hold (see tutti_call) and prepare them. Fills in everything of *call but
   the parameters. */
tutti_status tutti_arguments_pack(const struct arguments *arguments, const tutti_view *view, struct pack_memory *memory,
                                  struct pack *input, struct pack *output, tutti_call *call, tutti_error *error);

/* Prepare an operation, allocated from *arena, which it takes over: it is released by tutti_operation_free(), or here
   on failure. `error` must live as long as the operation. A call outside the domain of the method is refused if `ran`
   is NULL, else done by its substitute, and *ran becomes the method that does it. */
tutti_status tutti_operation_create(const tutti_method *method, const struct arguments *arguments,
                                    const tutti_view *view, int tag, tutti_method *ran, struct operation **operation,
                                    tutti_error *error);

/* The same, but without scratch memory: scratch_bytes says how much it needs where tutti_operation_bind() puts it. */
tutti_status tutti_operation_lay_out(const tutti_method *method, const struct arguments *arguments,
                                     const tutti_view *view, int tag, tutti_method *ran, struct operation **operation,
                                     tutti_error *error);

/* From now on it has these buffers, which differ from those before in nothing but their addresses. */
void tutti_operation_bind(struct operation *operation, const struct operation_place *place);

/* Not while messages are in flight: after a failed run the memory must stay. */
void tutti_operation_free(struct operation *operation);

/* Load the packed buffers and start the run. A failure shows in the run's status. */
void tutti_operation_start(struct operation *operation);

/* Start it and wait for its end. Returns the status of the whole operation. */
tutti_status tutti_operation_run(struct operation *operation);

/* It will be run again: find its steps. It is direct if these are all there is to do. */
void tutti_operation_find_steps(struct operation *operation);

/* tutti_operation_run() of one whose steps were sought. */
static inline tutti_status tutti_operation_repeat(struct operation *operation)
{
  if (!operation->direct)
    return tutti_operation_run(operation);
  operation->run.status = TUTTI_OK;
  tutti_run_steps(&operation->run);
  return operation->run.status;
}

/* Run it once, and free it. */
tutti_status tutti_operation_run_once(struct operation *operation);

/* After the run is done: store the packed buffers. Returns the status of the whole operation. */
tutti_status tutti_operation_finish(struct operation *operation);

/* ---- blocking, nonblocking and persistent: the three ways to run any collective ---- */

/* Run to the end. The arguments are normalized here: tutti_arguments_normalize(). */
tutti_status tutti_run_blocking(const tutti_method *method, struct arguments *arguments, const tutti_view *view,
                                tutti_error *error);

/* Start, to be completed by tutti_wait() and the like. */
tutti_status tutti_run_nonblocking(const tutti_method *method, struct arguments *arguments, tutti_view *view,
                                   tutti_request **request, tutti_error *error);

/* Prepare, to be started by tutti_start(). */
tutti_status tutti_run_persistent(const tutti_method *method, struct arguments *arguments, tutti_view *view,
                                  tutti_request **request, tutti_error *error);

#endif
