/**
 * @file group.h
 * @ingroup groups
 * Process groups as objects: split off, used at once, split again, freed.
 *
 * A group is made by an endpoint (endpoint.h) from all processes of its view, or from the members of another group; the
 * system ranks its members (construction.h says how). It has a tree, and broadcast, reduction, allreduction and barrier
 * run on that tree with the same schedules as on any other. Processes are named by their ranks in the endpoint's view.
 *
 * Order: as with MPI communicators, all processes of a parent begin its splits in the same order, and members call the
 * blocking operations of their groups in an order that would not deadlock if all of them synchronised. Any number of
 * splits, of the same or of different parents, may be under way at once and be completed in any order.
 *
 * Progress is made inside the functions below that wait, for all groups and actors of the endpoint, and, if the
 * endpoint's view has a tutti_progress, for the operations that advance with it. A process serves the look-ups of
 * others only there.
 *
 * Tags: groups use those of the endpoint's view behind TUTTI_ENDPOINT_TAGS; it takes two or more. Topics: those above 1
 * belong to groups; other actors of the endpoint take 0, 1 or negative ones.
 */
#ifndef TUTTI_GROUP_H
#define TUTTI_GROUP_H

#include "tutti/endpoint.h"
#include "tutti/group_protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One group, seen from one process. Opaque; freed by tutti_group_free(). */
typedef struct tutti_group tutti_group;

/** How to split. The same on all processes. */
typedef struct tutti_split {
  const tutti_group_builder *builder;
  int branching;          /**< k >= 2: most children of a member, as in tutti_group_request */
  int colors;             /**< groups to split into; 0 is 1. More than one: shrink-hash/no-filler */
  int ranks_per_node;     /**< > 1: build inside each node first, see tutti_group_request; 0 is 1 */
  uint64_t segment_bytes; /**< in which the collectives of the group pass on large messages; 0: whole */
} tutti_split;

/**
 * @name Making
 * @{
 */

/**
 * Begin to split off the groups of the processes with colors 0 .. colors - 1 (-1: in none). Every process of the
 * parent takes part and gets a handle; that of a process in no group has size 0 and serves the look-ups of the others.
 *
 * If it fails, *@p group is NULL and nothing is left to free. The split counts all the same among those of the parent,
 * whose later splits keep their order; processes on which it did not fail wait for this one in vain.
 * @param parent  complete and with this process in it; NULL: all processes of the endpoint's view
 * @return TUTTI_ERR_ARGUMENT (a number in @p how, a color, a parent that cannot be split, too few tags),
 *         TUTTI_ERR_UNSUPPORTED (a builder that does not split groups that were built), TUTTI_ERR_MEMORY, or
 *         TUTTI_ERR_MPI.
 */
tutti_status tutti_group_isplit(tutti_endpoint *endpoint, tutti_group *parent, const tutti_split *how, int color,
                                tutti_group **group, tutti_error *error);

/** The same to its end. If it fails while it waits, *@p group is what tutti_group_wait() would have left: not NULL, not
    complete. */
tutti_status tutti_group_split(tutti_endpoint *endpoint, tutti_group *parent, const tutti_split *how, int color,
                               tutti_group **group, tutti_error *error);

/** Deliver what has arrived; *@p done: is the group complete? */
tutti_status tutti_group_test(tutti_group *group, bool *done, tutti_error *error);

/** Wait until the group is, or all @p count of the same endpoint are, complete. @{ */
tutti_status tutti_group_wait(tutti_group *group, tutti_error *error);
tutti_status tutti_group_waitall(size_t count, tutti_group *const *groups, tutti_error *error);
/** @} */

/**
 * Free a group. Local, but no process of its parent may look up a rank of it any more: see tutti_endpoint_barrier().
 * NULL is allowed.
 * @return TUTTI_ERR_ARGUMENT, and nothing is freed, if it is not complete (unless its construction has failed), or has
 *         groups of its own that are not freed.
 */
tutti_status tutti_group_free(tutti_group *group, tutti_error *error);

/** @} */
/**
 * @name What this process knows
 * @{
 */

/** Size, rank, parent, children: valid as long as the group; size 0 before it is complete. */
tutti_membership tutti_group_membership(const tutti_group *group);

/** The actor, for its tally and its memory. */
const tutti_actor *tutti_group_actor(const tutti_group *group);

/** @} */
/**
 * @name Collectives
 * Blocking, from or to the root of the group, which is the member with membership.parent == TUTTI_NO_PROCESS. Counts
 * and types as in MPI; @p op has to commute; buffers must not be the same, nor MPI_IN_PLACE. TUTTI_ERR_ARGUMENT for
 * these, for a process in no group and a group that is not complete, TUTTI_ERR_MEMORY, TUTTI_ERR_MPI. @{
 */
tutti_status tutti_group_bcast(tutti_group *group, void *buffer, uint64_t count, MPI_Datatype type, tutti_error *error);
/** @p output matters at the root only. */
tutti_status tutti_group_reduce(tutti_group *group, const void *input, void *output, uint64_t count, MPI_Datatype type,
                                MPI_Op op, tutti_error *error);
tutti_status tutti_group_allreduce(tutti_group *group, const void *input, void *output, uint64_t count,
                                   MPI_Datatype type, MPI_Op op, tutti_error *error);
tutti_status tutti_group_barrier(tutti_group *group, tutti_error *error);
/** @} */
/**
 * @name Messages between ranks
 * For groups whose builder hashes, built with ranks_per_node <= 1; TUTTI_ERR_UNSUPPORTED for others. The process with
 * the rank is found through the intermediary of that rank, and a few of those found last are remembered
 * (tutti_group_protocol_find()). Blocking; messages between two members arrive in the order in which they were sent; @p
 * count is the same on both sides. @{
 */
/** Which process has that rank? */
tutti_status tutti_group_find(tutti_group *group, int rank, int *id, tutti_error *error);
/** TUTTI_ERR_ARGUMENT also if @p rank is the own one. @{ */
tutti_status tutti_group_send(tutti_group *group, const void *buffer, uint64_t count, MPI_Datatype type, int rank,
                              tutti_error *error);
tutti_status tutti_group_recv(tutti_group *group, void *buffer, uint64_t count, MPI_Datatype type, int rank,
                              tutti_error *error);
/** @} */
/**
 * Wait until every process of the endpoint's view is here, and serve the look-ups of the others meanwhile.
 * Intermediaries may be outside a group, and must neither leave nor free their handles while members may still look
 * ranks up: so all processes call this after the last look-up (which messages to ranks begin with) and before the
 * groups are freed.
 */
tutti_status tutti_endpoint_barrier(tutti_endpoint *endpoint, tutti_error *error);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
