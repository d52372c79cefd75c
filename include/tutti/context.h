/**
 * @file context.h
 * @ingroup groups
 * Context ids of communicators (communicator.h). No MPI.
 */
#ifndef TUTTI_CONTEXT_H
#define TUTTI_CONTEXT_H

#ifdef __cplusplus
extern "C" {
#endif

/** Contexts that a process can lead at a time (the paper's k = 6 bits). */
#define TUTTI_LEADER_CONTEXTS 64
/** Tags of a context: the first half for operations and creations, the second for messages of the user (0 to
    TUTTI_CONTEXT_TAGS / 2 - 1 in calls). */
#define TUTTI_CONTEXT_TAGS 32

/** A context id. */
typedef struct tutti_context {
  int leader, index;      /**< or a and b of a range; the leader of the communicator of all is their number */
  int first, last, count; /**< <f, l, c>; last is -1 in a context of the first kind */
} tutti_context;

#ifdef __cplusplus
}
#endif
#endif
