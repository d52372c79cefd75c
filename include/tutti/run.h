/**
 * @file run.h
 * @ingroup mpi
 * Running a schedule on MPI.
 *
 * Receives and sends are nonblocking and posted as soon as their prerequisites are complete; completions are taken in
 * whatever order they come. In simulation sends are synchronous (MPI_Issend), so that simulated time does not hinge on
 * SMPI's thresholds, and reductions and copies are charged to the simulated processor (charge.c).
 */
#ifndef TUTTI_RUN_H
#define TUTTI_RUN_H

#include "tutti/schedule.h"
#include "tutti/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the symbolic buffers of a schedule stand for in one run. */
typedef struct tutti_bindings {
  const void *input;        /**< TUTTI_INPUT; may be NULL if the schedule does not name it */
  MPI_Datatype input_type;  /**< committed */
  void *output;             /**< TUTTI_OUTPUT, with displacement 0 of its first element as in MPI calls */
  MPI_Datatype output_type; /**< also that of the temporaries; the same as input_type where the input is reduced */
  MPI_Op op;                /**< of TUTTI_REDUCE vertices; MPI_OP_NULL if there are none */
} tutti_bindings;

/**
 * Run @p schedule to its end. All memory comes from @p arena, which must outlive the call and is left to the caller to
 * release, after success: a run that fails may leave messages in flight, whose memory must stay. Every rank of the view
 * must run its part of the same operation.
 * @return TUTTI_ERR_ARGUMENT (schedule of another rank or size) before anything is sent; TUTTI_ERR_MEMORY;
 * TUTTI_ERR_MPI if an MPI call fails. MPI calls fail only where error handlers return (MPI_ERRORS_RETURN), those on
 * datatypes that of MPI_COMM_WORLD (MPI 3.1) or MPI_COMM_SELF (MPI 4.0).
 */
tutti_status tutti_run(const tutti_schedule *schedule, const tutti_view *view, const tutti_bindings *bindings,
                       tutti_arena *arena, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
