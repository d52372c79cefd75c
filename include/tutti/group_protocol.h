/**
 * @file group_protocol.h
 * @ingroup groups
 * The construction of a system-ranked process group: an actor (actor.h) on every process of the parent group.
 *
 * A construction begins with a broadcast over the tree of the parent group, enrols the members, gives them a tree of
 * their own of bounded degree, and ends with a reduction over the new tree, which finds its size. The end is then made
 * known over the tree of the parent group, so that processes outside the new group stop serving it; neither that nor
 * the start is part of the published message counts.
 *
 * Builders, as written in options: centralized, shrink-balance/child-as-filler, shrink-balance/leaf-as-filler,
 * shrink-hash/no-filler, shrink-hash/child-as-filler, shrink-hash/leaf-as-filler, chain.
 *
 * Source: Langer, Venkataraman, Kale 2012: centralized, section IV; Shrink-and-Balance, section V; Shrink-and-Hash,
 * section VI (their slides call it Rank-and-Hash). chain: after Moody, Ahn, de Supinski 2011.
 */
#ifndef TUTTI_GROUP_PROTOCOL_H
#define TUTTI_GROUP_PROTOCOL_H

#include "tutti/actor.h"
#include "tutti/tree.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tutti_group_builder tutti_group_builder;

/** The builder of this name; NULL, and an error that lists the names, if there is none. */
const tutti_group_builder *tutti_group_builder_find(const char *name, tutti_error *error);

/** The builders in the order of reports; NULL past the last. */
const tutti_group_builder *tutti_group_builder_at(int index);

/** Its name ("shrink-hash/no-filler"); static storage. */
const char *tutti_group_builder_name(const tutti_group_builder *builder);

/** Does every member learn its rank? Otherwise none does (Shrink-and-Balance). */
bool tutti_group_builder_ranks(const tutti_group_builder *builder);

/** Does every member learn its rank and can any rank be looked up afterwards (Shrink-and-Hash)? Not, whatever the
    builder, in a group that was built with ranks_per_node > 1: its intermediaries know nodes, not ranks. */
bool tutti_group_builder_hashes(const tutti_group_builder *builder);

/** The parent of processes that are in no group. */
#define TUTTI_NO_PROCESS (-1)

/** What one process brings to a construction. The same on all processes but for what is said to be its own. */
typedef struct tutti_group_request {
  const tutti_group_builder *builder;
  const tutti_tree *tree; /**< own: place in the tree of the parent group, by process ids; any degree. Not owned, and
                               used until the construction is done */
  const int *sizes;       /**< own: [tree->child_count] processes in each subtree of the tree, or NULL if the tree is
                               the k-ary tree of all processes 0 .. tree->size - 1; not owned */
  int branching;          /**< k >= 2: most children of a member. With ranks_per_node > 1 it has up to k in other nodes
                               and k in its own; with chain, up to one for each bit of the size, whatever k is */
  int colors;             /**< groups to build at once; 1 unless the builder is shrink-hash/no-filler */
  int color;              /**< own: 0 .. colors - 1, or -1: in no group */
  int ranks_per_node;     /**< > 1: build inside each node, then among nodes, where process id i is on node
                               i / ranks_per_node; 1: no matter. Only with shrink-hash/no-filler and sizes == NULL */
} tutti_group_request;

/** What one process takes away. All ids are ids of processes of the parent group. */
typedef struct tutti_membership {
  int size;   /**< of the own group; 0 for a process in none */
  int rank;   /**< in it; -1 if the builder gives no ranks */
  int parent; /**< TUTTI_NO_PROCESS at the root */
  int child_count;
  const int *children; /**< [child_count] */
  const int *sizes;    /**< [child_count] members in the subtree of each child */
  int height;          /**< levels of the subtree below and including this member; the tree's at the root */
  int degree;          /**< most children of a member of that subtree */
} tutti_membership;

/**
 * An actor for @p enrolment at process @p id; owned by the caller, freed by tutti_actor_free(). It is done when the end
 * of all groups of the construction has been made known to it.
 * @return NULL with TUTTI_ERR_ARGUMENT (branching < 2, color out of range, a form that the builder does not have) or
 *         TUTTI_ERR_MEMORY.
 */
tutti_actor *tutti_group_protocol_create(const tutti_group_request *request, tutti_transport *transport, int id,
                                         int topic, tutti_error *error);

/** What process takes away from a construction that is done; points into the actor. */
tutti_membership tutti_group_protocol_membership(const tutti_actor *actor);

/**
 * Which process has rank @p rank of the own group, found through the intermediary of the rank: *@p id, or
 * TUTTI_NO_PROCESS if it was asked for; then call again when messages have been delivered. The 16 answers
 * used last are kept; more than 16 questions at once have to wait for each other. Intermediaries may be outside the
 * group: they answer whenever messages are delivered to them.
 * @return TUTTI_ERR_ARGUMENT if the process is in no group or the group has no such rank; TUTTI_ERR_UNSUPPORTED if the
 *         builder does not hash, or built with ranks_per_node > 1.
 */
tutti_status tutti_group_protocol_find(tutti_actor *actor, int rank, int *id, tutti_error *error);

/** Has this process just learnt that its whole group stands? Only ever true at the root of a group; the moment at which
    the published times end. */
bool tutti_group_protocol_complete(const tutti_actor *actor);

/** Messages in the longest chain of causes that ended at that moment; 0 where it was not. */
int tutti_group_protocol_critical_path(const tutti_actor *actor);

/**
 * Are these the groups that were asked for? Every process with color g >= 0 is in the tree of group g exactly once,
 * parent and children agree, sizes, heights and degrees are what they say, the ranks of a group are 0 .. size - 1, or
 * none of its members has one (tutti_group_builder_ranks() says which it has to be), no member has more than
 * @p most_children children, and no tree more than @p spare levels above equation (4) for @p branching. Takes
 * O(processes) memory.
 * @param memberships  [processes] by process id
 * @param colors      [processes] the group that each asked for, or -1
 * @return TUTTI_ERR_FAULT names a process.
 */
tutti_status tutti_groups_validate(const tutti_membership *memberships, const int *colors, int processes, int branching,
                                   int most_children, int spare, tutti_error *error);

/** Levels of a balanced tree of @p size >= 0 vertices and branching factor @p k: equation (4); 0 for none. */
int tutti_balanced_height(int64_t size, int k);

/** Most vertices of a tree of @p height levels, equation (7); at most INT_MAX. */
int tutti_balanced_capacity(int height, int k);

#ifdef __cplusplus
}
#endif
#endif
