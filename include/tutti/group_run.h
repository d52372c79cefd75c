/**
 * @file group_run.h
 * @ingroup groups
 * The construction of a system-ranked process group, by an actor (actor.h) on every process of the parent group; and
 * the group run: groups drawn at random, constructed by one builder, timed and counted.
 *
 * A construction begins with a broadcast over the tree of the parent group, collects the members, gives them a tree of
 * their own of bounded degree, and ends with a reduction over the new tree, which finds its size. The end is then made
 * known over the tree of the parent group, so that processes outside the new group stop serving it; neither that nor
 * the start is part of the published message counts.
 *
 * Builders, as written in options: centralized, shrink-balance/child-as-filler, shrink-balance/leaf-as-filler,
 * shrink-hash/no-filler, shrink-hash/child-as-filler, shrink-hash/leaf-as-filler, chain.
 *
 * Source: Langer, Venkataraman, Kale 2012: centralized, section IV; Shrink-and-Balance, section V; Shrink-and-Hash,
 * section VI (their slides call it Rank-and-Hash). chain: after Moody, Ahn, de Supinski 2011.
 *
 * A *sample* defines the processes of a group that is drawn at random. Each process computes this for itself and for
 * any other, in constant time and memory and without a message, so the members are the same for every builder and every
 * transport.
 *
 * The processes themselves count everything in a *group run* except the times. The original tree is the k-ary tree
 * of all processes with the branching factor of the new one, from process 0, as in Langer, Venkataraman, Kale 2012.
 * Times are defined as there: from the start broadcast on the original tree to the end of the reduction on the new one,
 * of the last group if there are several.
 */
#ifndef TUTTI_GROUP_RUN_H
#define TUTTI_GROUP_RUN_H

#include <stdint.h>

#include "tutti/actor.h"
#include "tutti/error.h"
#include "tutti/tree.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tutti_group_builder tutti_group_builder;

/** The builder of this name; NULL, and an error that lists the names, for an unknown one. */
const tutti_group_builder *tutti_group_builder_find(const char *name, tutti_error *error);

/** The builders in the order of reports; NULL past the last. */
const tutti_group_builder *tutti_group_builder_at(int index);

/** Its name ("shrink-hash/no-filler"); static storage. */
const char *tutti_group_builder_name(const tutti_group_builder *builder);

/** Whether every member learns its rank. Otherwise none does (Shrink-and-Balance). */
bool tutti_group_builder_ranks(const tutti_group_builder *builder);

/** Whether every member learns its rank and any rank can be looked up afterwards (Shrink-and-Hash). Never in a group
   that was built with ranks_per_node > 1: its intermediaries know nodes, not ranks. */
bool tutti_group_builder_hashes(const tutti_group_builder *builder);

/** The parent of processes that are in no group. */
#define TUTTI_NO_PROCESS (-1)

/** Input of one process to a construction. The same on all processes, except members marked "own". */
typedef struct tutti_group_request {
  const tutti_group_builder *builder;
  const tutti_tree *tree; /**< own: place in the tree of the parent group, by process ids; any degree. Not owned, and
                               used until the construction is done */
  const int *sizes;       /**< own: [tree->child_count] processes in each subtree of the tree, or NULL if the tree is
                               the k-ary tree of all processes 0 .. tree->size - 1; not owned */
  int branching; /**< k >= 2: maximum children of a member. With ranks_per_node > 1 it has up to k in other nodes and k
                    in its own; with chain, up to one for each bit of the size, for any k */
  int colors;    /**< groups to build at once; 1 unless the builder is shrink-hash/no-filler */
  int color;     /**< own: 0 .. colors - 1, or -1: in no group */
  int ranks_per_node; /**< > 1: build inside each node, then among nodes, where process id i is on node
                           i / ranks_per_node; 1: no matter. Only with shrink-hash/no-filler and sizes == NULL */
} tutti_group_request;

/** Result of a construction at one process. All ids are ids of processes of the parent group. */
typedef struct tutti_membership {
  int size;   /**< of the own group; 0 for a process in none */
  int rank;   /**< in it; -1 if the builder gives no ranks */
  int parent; /**< TUTTI_NO_PROCESS at the root */
  int child_count;
  const int *children; /**< [child_count] */
  const int *sizes;    /**< [child_count] members in the subtree of each child */
  int height;          /**< levels of the subtree below and including this member; the tree's at the root */
  int degree;          /**< maximum children of a member of that subtree */
} tutti_membership;

/**
 * An actor for @p request at process @p id; owned by the caller, freed by tutti_actor_free(). It is done when the end
 * of all groups of the construction has been made known to it.
 * @return NULL with TUTTI_ERR_ARGUMENT (branching < 2, color out of range, a form that the builder does not have) or
 *         TUTTI_ERR_MEMORY.
 */
tutti_actor *tutti_group_protocol_create(const tutti_group_request *request, tutti_transport *transport, int id,
                                         int topic, tutti_error *error);

/** The result of a complete construction at this process; points into the actor. */
tutti_membership tutti_group_protocol_membership(const tutti_actor *actor);

/**
 * The process with rank @p rank of the own group, found through the intermediary of the rank: *@p id, or
 * TUTTI_NO_PROCESS if a query was sent; then call again when messages have been delivered. The 16 last used answers are
 * cached; more than 16 queries at once wait for each other. Intermediaries may be outside the group: they answer
 * whenever messages are delivered to them.
 * @return TUTTI_ERR_ARGUMENT if the process is in no group or the group has no such rank; TUTTI_ERR_UNSUPPORTED if the
 *         builder does not hash, or built with ranks_per_node > 1.
 */
tutti_status tutti_group_protocol_find(tutti_actor *actor, int rank, int *id, tutti_error *error);

/** Whether this process has just learned that its whole group is complete. Only ever true at the root of a group; the
   moment at which the published times end. */
bool tutti_group_protocol_complete(const tutti_actor *actor);

/** Messages in the longest chain of causes that ended at that moment; 0 where it was not. */
int tutti_group_protocol_critical_path(const tutti_actor *actor);

/**
 * Check that these are the requested groups: every process with color g >= 0 is in the tree of group g exactly once,
 * parent and children agree, sizes, heights and degrees are correct, the ranks of a group are 0 .. size - 1, or none of
 * its members has one (tutti_group_builder_ranks() decides which), no member has more than @p max_children children,
 * and no tree more than @p spare levels above equation (4) for @p branching. Takes O(processes) memory.
 * @param memberships  [processes] by process id
 * @param colors      [processes] the requested group of each, or -1
 * @return TUTTI_ERR_FAULT names a process.
 */
tutti_status tutti_groups_validate(const tutti_membership *memberships, const int *colors, int processes, int branching,
                                   int max_children, int spare, tutti_error *error);

/** Levels of a balanced tree of @p size >= 0 vertices and branching factor @p k: equation (4); 0 for none. */
int tutti_balanced_height(int64_t size, int k);

/** Maximum vertices of a tree of @p height levels, equation (7); at most INT_MAX. */
int tutti_balanced_capacity(int height, int k);

/** How members, and the colors of many groups, are drawn. */
typedef struct tutti_group_sample {
  int size;        /**< processes, >= 1 */
  double fraction; /**< 0 .. 1: the probability of each process to be a member, independent of the others, as in the
                      paper; not read if members >= 0 */
  int members;     /**< 0 .. size: the exact number, the first ones of a seeded permutation; -1: by fraction */
  int colors;      /**< >= 1: each member is in one of this many groups, all equally probable */
  uint64_t seed;
} tutti_group_sample;

/** TUTTI_ERR_ARGUMENT names the number that is out of range. */
tutti_status tutti_group_sample_check(const tutti_group_sample *sample, tutti_error *error);

/** The color of @p process (0 <= process < size) of a sample that was checked: 0 .. colors - 1, or -1: in no group. */
int tutti_group_sample_color(const tutti_group_sample *sample, int process);

/** The contribution of a member to the fingerprint of groups, the sum over all members modulo 2^64. */
uint64_t tutti_group_sample_mark(int process, int color);

/** Longest text of tutti_group_sample_format(), terminating zero included. */
#define TUTTI_GROUP_SAMPLE_LENGTH 40

/** "fraction=0.3" or "members=600", the shortest that reads as the same number. Returns @p text. */
char *tutti_group_sample_format(const tutti_group_sample *sample, char *text);

/** The groups to build. */
typedef struct tutti_group_point {
  const tutti_group_builder *builder;
  tutti_group_sample sample; /**< its size is the number of processes */
  int branching;             /**< of both trees, >= 2 */
  int node_ranks;            /**< > 1: inside each node of this many ranks first, then among nodes; 1: no nodes */
} tutti_group_point;

/** Sums over the processes: messages sent by kind (from 0 on, in the order of tutti_message_kind), and: */
enum {
  TUTTI_GROUP_BYTES = TUTTI_MESSAGE_KINDS, /**< of all messages */
  TUTTI_GROUP_MEMBERS,                     /**< processes that are in a group */
  TUTTI_GROUP_GROUPS,                      /**< that have members */
  TUTTI_GROUP_FINGERPRINT, /**< of the members: tutti_group_sample_mark() of each, with the color it took part with */
  TUTTI_GROUP_SUMS
};

/** Maxima over the processes. */
enum {
  TUTTI_GROUP_SIZE,          /**< members of the largest group */
  TUTTI_GROUP_HEIGHT,        /**< levels of the highest new tree */
  TUTTI_GROUP_DEGREE,        /**< maximum children of a member */
  TUTTI_GROUP_CRITICAL_PATH, /**< messages in the longest chain of causes that ends with the last group complete */
  TUTTI_GROUP_LARGEST,       /**< bytes of the largest message */
  TUTTI_GROUP_MEMORY,        /**< maximum bytes of the construction at any moment in one process */
  TUTTI_GROUP_ENDPOINT,      /**< the same of the transport over MPI; 0 where there was none */
  TUTTI_GROUP_MAXIMA
};

/** Counts. Zero-initialize. */
typedef struct tutti_group_counts {
  uint64_t sums[TUTTI_GROUP_SUMS];
  uint64_t maxima[TUTTI_GROUP_MAXIMA];
} tutti_group_counts;

/** One build, measured. Seconds. */
typedef struct tutti_group_run {
  tutti_group_point point;
  int ranks_per_node;                    /**< of the launch, whether or not the builder uses it */
  int repetitions;                       /**< timed ones; 0 within one process, where there is no time */
  double minimum, median, mean, maximum; /**< 0 without times */
  tutti_group_counts counts;
} tutti_group_run;

/** Names of sums ("upward", "members") and maxima ("memory_B") in records, in the store and in JSON; static storage. */
const char *tutti_group_sum_name(int sum);
const char *tutti_group_maximum_name(int maximum);

/** Messages in the sense of the published counts: all but the start, the reduction, the end and lookups. */
uint64_t tutti_group_counted_messages(const tutti_group_counts *counts);

/** Order: processes, branching factor, fraction or members, colors, nodes, seed, builder; 0 for the same build. */
int tutti_group_point_compare(const tutti_group_point *left, const tutti_group_point *right);

/** Longest text of tutti_group_point_format(), terminating zero included. */
#define TUTTI_GROUP_POINT_LENGTH 192

/** One word per member but the size of the sample, as in points files:
    "shrink-hash/no-filler fraction=0.3 branching=3 seed=7 colours=1 node_ranks=1". Returns @p text. */
char *tutti_group_point_format(const tutti_group_point *point, char *text);

/** Why this cannot be built: TUTTI_ERR_ARGUMENT, by no builder, because a number is out of range;
   TUTTI_ERR_UNSUPPORTED, not by this builder; TUTTI_ERR_MEMORY. */
tutti_status tutti_group_point_check(const tutti_group_point *point, tutti_error *error);

/** The place of @p process in the original tree. */
tutti_status tutti_group_point_tree(const tutti_group_point *point, int process, tutti_tree *tree, tutti_error *error);

/** The actor of the process with place @p tree, which must live as long; as tutti_group_protocol_create(). */
tutti_actor *tutti_group_point_actor(const tutti_group_point *point, const tutti_tree *tree, tutti_transport *transport,
                                     int topic, tutti_error *error);

/** Add what one process counted, whose actor, of tutti_group_protocol_create(), is done. */
void tutti_group_counts_add(tutti_group_counts *counts, const tutti_actor *actor);

/** Check that the counted members, on all processes together, are those of the sample. Takes O(size) time.
   TUTTI_ERR_FAULT: their number or their fingerprint differs. */
tutti_status tutti_group_counts_check(const tutti_group_counts *counts, const tutti_group_sample *sample,
                                      tutti_error *error);

/** Build among actors of this process, every message taking one unit of time, and count. Takes about 0.6 KB a process.
    @return as tutti_group_point_check(), TUTTI_ERR_MEMORY, TUTTI_ERR_FAULT: the construction went wrong, or built other
    groups than those drawn. */
tutti_status tutti_group_run_in_process(const tutti_group_point *point, tutti_group_counts *counts, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
