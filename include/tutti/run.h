/**
 * @file run.h
 * @ingroup mpi
 * Running a schedule on MPI, and progress: what completes the nonblocking operations of a process.
 *
 * Receives and sends are nonblocking and posted as soon as their prerequisites are complete; completions are taken in
 * any order. In simulation the platform file defines up to which size sends are eager
 * (smpi/send-is-detached-thresh; 0, none, in Tutti's files of clusters), and reductions and copies are charged to the
 * simulated processor (src/algorithms/mpi/copy.c).
 *
 * MPI lets any call drive all outstanding operations. Tutti keeps no global state, so a process defines which
 * operations advance together: those on views with the same tutti_progress. Waiting for one of them, or running a
 * blocking operation on such a view, advances all. Most programs want one per process, set on its first view
 * (`view.progress = &progress`); ranges inherit it. On such a view, small blocking operations that are made again with
 * the same arguments are cached, which saves most of Tutti's cost beyond the messages themselves.
 */
#ifndef TUTTI_RUN_H
#define TUTTI_RUN_H

#include <mpi.h>
#include <stdbool.h>

#include "tutti/counted_memory.h"
#include "tutti/schedule.h"
#include "tutti/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The memory of the symbolic buffers of a schedule in one run. */
typedef struct tutti_bindings {
  const void *input;        /**< TUTTI_INPUT; may be NULL if the schedule does not name it */
  MPI_Datatype input_type;  /**< committed */
  void *output;             /**< TUTTI_OUTPUT, with displacement 0 of its first element as in MPI calls */
  MPI_Datatype output_type; /**< also that of the temporaries; the same as input_type where the input is reduced */
  MPI_Op op;                /**< of TUTTI_REDUCE vertices, or MPI_OP_NULL */
} tutti_bindings;

/**
 * Run @p schedule to its end. All memory comes from @p arena, which must outlive the call and is left to the caller to
 * release, after success: a run that fails may leave messages in flight, whose memory must stay. Every rank of the view
 * must run its part of the same operation. A rank whose part fails takes part until the end, but without data: the
 * ranks that depend on it receive less than they expect and fail, too. It waits for others for 2 seconds at most
 * (without limit in a simulation); then its receives are cancelled. Ranks that run parts of different operations may
 * wait forever.
 * @return TUTTI_ERR_ARGUMENT (schedule of another rank or size) before anything is sent; TUTTI_ERR_MEMORY;
 * TUTTI_ERR_MPI if an MPI call fails. MPI calls fail only where error handlers return (MPI_ERRORS_RETURN), those on
 * datatypes that of MPI_COMM_WORLD (MPI 3.1) or MPI_COMM_SELF (MPI 4.0).
 */
tutti_status tutti_run(const tutti_schedule *schedule, const tutti_view *view, const tutti_bindings *bindings,
                       tutti_arena *arena, tutti_error *error);

/** Messages in flight of all operations that advance together. Do not copy. Members are private. */
typedef struct tutti_progress {
  MPI_Request *requests;        /**< [capacity] */
  struct tutti_flight *flights; /**< [capacity] whose message each one is; then [capacity] statuses and indices */
  int active, capacity;
  tutti_arena *arena; /**< of the two arrays */
  tutti_arena own;
  struct tutti_request *requests_of_user; /**< nonblocking and persistent ones that exist, newest first */
  struct tutti_request *sought;           /**< messages whose source is looked for, oldest first */
  void (*seek)(struct tutti_progress *progress, bool wait); /**< looks, and waits for one if nothing else can happen */
  struct tutti_readiness *ready; /**< blocking operations that may be wanted again; NULL: none so far */
  void (*free_ready)(struct tutti_readiness *ready);
} tutti_progress;

/** Nothing in flight. Takes no memory until the first operation. */
void tutti_progress_init(tutti_progress *progress);

/** Free its memory. No operation may be outstanding. */
void tutti_progress_free(tutti_progress *progress);

#ifdef __cplusplus
}
#endif
#endif
