/**
 * @file group.h
 * @ingroup groups
 * Process groups as objects: split off, used at once, split again, freed; and the endpoint of a process, which is the
 * transport of actors (actor.h) over MPI.
 *
 * An *endpoint* keeps several receives from any source posted at all times and delivers arrivals to the actor with the
 * same topic; messages to a topic without an actor are kept until one is attached. Any number of actors may be
 * attached, so many constructions can be under way at the same time. Progress is made inside the functions below.
 *
 * In simulation the cost of the message-driven runtime with which the published times were measured is charged: seconds
 * for each message sent and received, more for one received that starts a construction (TUTTI_MESSAGE_START), for each
 * byte of it, for each entry of a list in it and each candidate for a hole (tutti_actor_work()), as the platform file
 * states (tutti/actor-send-s, tutti/actor-receive-s, tutti/actor-start-s, tutti/actor-byte-s, tutti/actor-entry-s,
 * tutti/actor-candidate-s in its outermost zone; 0 by default).
 *
 * A *group* is made by an endpoint from all processes of its view, or from the members of another group; the system
 * ranks its members (see group_run.h). It has a tree, and broadcast, reduction, allreduction and barrier run on
 * that tree with the same schedules as on any other. Processes are named by their ranks in the endpoint's view.
 *
 * Order: as with MPI communicators, all processes of a parent begin its splits in the same order, and members call the
 * blocking operations of their groups in an order that would not deadlock if all of them synchronized. Any number of
 * splits, of the same or of different parents, may be under way at once and be completed in any order.
 *
 * Progress is made inside the functions below that wait, for all groups and actors of the endpoint, and, if the
 * endpoint's view has a tutti_progress, for the operations that advance with it. A process serves the look-ups of
 * others only there.
 *
 * Tags: groups use those of the endpoint's view after TUTTI_ENDPOINT_TAGS; it takes two or more. Topics: those above 1
 * belong to groups; other actors of the endpoint take 0, 1 or negative ones.
 */
#ifndef TUTTI_GROUP_H
#define TUTTI_GROUP_H

#include "tutti/actor.h"
#include "tutti/group_run.h"
#include "tutti/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Tags of its view that an endpoint sends with. What the view has beyond them is for the groups made with it. */
#define TUTTI_ENDPOINT_TAGS 2

typedef struct tutti_endpoint tutti_endpoint;

/**
 * Open the endpoint of this process; process ids are ranks of @p view, and the view's tags belong to the endpoint until
 * it is closed. Local: no message, but every process that is sent to must open its own.
 * @return TUTTI_ERR_ARGUMENT if the process is not in the view or the view has fewer tags than TUTTI_ENDPOINT_TAGS, or
 *         if a property of the simulated platform is not a time; TUTTI_ERR_MEMORY; TUTTI_ERR_MPI.
 */
tutti_status tutti_endpoint_open(const tutti_view *view, tutti_endpoint **endpoint, tutti_error *error);

/** Close it. Nothing may be on its way to this process, and no actor attached; what is on its way from here is waited
    for. NULL is allowed. TUTTI_ERR_FAULT if an actor is attached, and nothing is closed, or, after all is freed, if a
    message was not delivered. Once an actor of a construction is done nothing is on its way to it but look-ups. */
tutti_status tutti_endpoint_close(tutti_endpoint *endpoint, tutti_error *error);

/** Whom actors send through. */
tutti_transport *tutti_endpoint_transport(tutti_endpoint *endpoint);

/** Let @p actor get the messages of its topic. Not owned. TUTTI_ERR_ARGUMENT if the topic is taken. */
tutti_status tutti_endpoint_attach(tutti_endpoint *endpoint, tutti_actor *actor, tutti_error *error);

/** The actor gets no more messages. */
void tutti_endpoint_detach(tutti_endpoint *endpoint, const tutti_actor *actor);

/** Deliver messages, to all actors, until @p stop(@p argument) holds; waits without polling. Returns at once if it
   holds already; then, too, all sends of this process that matter to others are under way. Fails with the first failure
   of an attached actor. */
tutti_status tutti_endpoint_wait(tutti_endpoint *endpoint, bool (*stop)(const void *argument), const void *argument,
                                 tutti_error *error);

/** Deliver what has arrived, and return. */
tutti_status tutti_endpoint_poll(tutti_endpoint *endpoint, tutti_error *error);

/** Largest number of bytes that the endpoint itself (receive pool, messages not yet sent) ever held. */
size_t tutti_endpoint_memory(const tutti_endpoint *endpoint);

/** One group, seen from one process. Opaque; freed by tutti_group_free(). */
typedef struct tutti_group tutti_group;

/** How to split. The same on all processes. */
typedef struct tutti_split {
  const tutti_group_builder *builder;
  int branching;          /**< k >= 2: maximum children of a member, as in tutti_group_request */
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
 * @name Knowledge of this process
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
 * the rank is found through the intermediary of that rank, and the last few results are cached
 * (tutti_group_protocol_find()). Blocking; messages between two members arrive in the order in which they were sent; @p
 * count is the same on both sides. @{
 */
/** The process that has that rank. */
tutti_status tutti_group_find(tutti_group *group, int rank, int *id, tutti_error *error);
/** TUTTI_ERR_ARGUMENT also if @p rank is the own one. @{ */
tutti_status tutti_group_send(tutti_group *group, const void *buffer, uint64_t count, MPI_Datatype type, int rank,
                              tutti_error *error);
tutti_status tutti_group_recv(tutti_group *group, void *buffer, uint64_t count, MPI_Datatype type, int rank,
                              tutti_error *error);
/** @} */
/**
 * Wait until every process of the endpoint's view is here, and serve the look-ups of the others until then.
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
