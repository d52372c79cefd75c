/**
 * @file progress.h
 * @ingroup mpi
 * Progress: what completes the nonblocking operations of a process.
 *
 * MPI lets any call drive all outstanding operations. Tutti keeps no global state, so a process says which operations
 * advance together: those on views with the same tutti_progress. Waiting for one of them, or running a blocking
 * operation on such a view, advances all. One per process, set on its first view (`view.progress = &progress`), is what
 * most programs want; ranges inherit it. Small blocking operations with such a view that are made again with the same
 * arguments are kept ready, which saves most of what Tutti costs beside the messages.
 */
#ifndef TUTTI_PROGRESS_H
#define TUTTI_PROGRESS_H

#include <mpi.h>
#include <stdbool.h>

#include "tutti/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Messages in flight of all operations that advance together. Do not copy. Members are private. */
typedef struct tutti_progress {
  MPI_Request *requests;        /**< [capacity] */
  struct tutti_flight *flights; /**< [capacity] whose message each one is */
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
