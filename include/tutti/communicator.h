/**
 * @file communicator.h
 * @ingroup groups
 * Our own communicators over one MPI communicator: each with a context id that separates its messages from those of all
 * others, and a group map that the processes of a node share.
 *
 * A *context pool* duplicates an MPI communicator once and owns all of its tags: all tag ranges of
 * TUTTI_CONTEXT_TAGS tags that MPI_TAG_UB allows above those of views (2^28 with MPICH 4.0, 2^31 with Open MPI 4.1 and
 * SimGrid 3.32). Every communicator of the pool has a tag range; its view (tutti_comm_view()) runs all collectives
 * (collectives.h), and messages with the tags 0 .. TUTTI_CONTEXT_TAGS / 2 - 1. Copies of the view, and ranges of it
 * (tutti_view_range()), have the same tags. All operations of a context pool advance together (run.h).
 *
 *     tag range   first quarter: operations, its last tag: split and create    second quarter: nonblocking creation
 *                 second half: messages
 *
 * Copies of a map: in simulation all ranks have one heap; one of the ranks that share a map puts it into a table where
 * the others find it, and waiting for it takes no simulated time. On real MPI the map is a segment of POSIX shared
 * memory, whose name is removed as soon as all have it open, and which is freed with the last of them. Maps that cannot
 * be read where they are (tutti_map_attach()), and those of tutti_icomm_create_group(), are copies in each process.
 *
 * Two kinds of context ids:
 *  - <leader, leader bit index> (Kamal, Mirtaheri, Wagner 2010, section 4): the leader is the world rank of a member,
 *    the index one of its TUTTI_LEADER_CONTEXTS bits. Unique in the context pool, so it is the key to the shared map,
 *    too. The tag range is that of number leader * 64 + index: no two are the same.
 *  - <a, b, f, l, c> (Axtmann, Wiebigke, Sanders 2018, section VI): a and b name a parent whose id was agreed on, f to
 *    l the range of its ranks, c how many ranges it is within. Made without a message for a range. The tag range is
 *    chosen by a hash from those that leaders do not have; if two in use on one process have the same tag range, the
 *    creation of the second fails there (never silently).
 *
 * Views of group maps: tutti_map_lookup() makes any tutti_map the ranks that collectives run on. It is not in view.h,
 * so that programs without maps need not be linked with their representations (tutti_maps).
 */
#ifndef TUTTI_COMMUNICATOR_H
#define TUTTI_COMMUNICATOR_H

#include "tutti/collectives.h"
#include "tutti/context.h"
#include "tutti/map.h"
#include "tutti/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The processes that share maps. */
typedef enum tutti_sharing {
  TUTTI_SHARE_NOTHING, /**< every process has its own */
  TUTTI_SHARE_NODE,    /**< one map on each node (in simulation: host) */
  TUTTI_SHARE_WORLD    /**< simulation only: one map in all */
} tutti_sharing;

typedef struct tutti_context_pool tutti_context_pool;
typedef struct tutti_comm tutti_comm;

/** How to open a context pool. Zero: nothing is shared, minimum space. */
typedef struct tutti_context_pool_options {
  tutti_sharing sharing;
  tutti_map_strategy strategy; /**< how maps are represented */
  int ranks_per_node;          /**< with TUTTI_SHARE_NODE: this many consecutive processes share; 0: those that MPI (in
                                  simulation: the host) reports */
  bool borrowed;               /**< do not duplicate the communicator: nothing else uses its tags from TUTTI_FIRST_TAG +
                                    TUTTI_TAG_COUNT on, or receives with MPI_ANY_TAG. For simulations at scale, where
                                    SMPI's duplicate takes O(ranks) bytes on every rank */
} tutti_context_pool_options;

/** Open a context pool. Collective over @p comm. TUTTI_ERR_UNSUPPORTED if MPI_TAG_UB has no tag range for every leader
   and bit: the message states their number. */
tutti_status tutti_context_pool_open(MPI_Comm comm, const tutti_context_pool_options *options,
                                     tutti_context_pool **contexts, tutti_error *error);

/** Close. Collective. TUTTI_ERR_ARGUMENT, and nothing is closed, if a communicator is left. NULL is allowed. */
tutti_status tutti_context_pool_close(tutti_context_pool *contexts, tutti_error *error);

/** The communicator of all processes; owned by the context pool. */
tutti_comm *tutti_context_pool_world(tutti_context_pool *contexts);

/**
 * MPI_Comm_split by procedure 1: the root gathers color, key and leader bits, sorts, picks for each group the member
 * that leads the fewest contexts, and sends ids to all, but the members of a group only to the first of those on one
 * node. Collective over @p parent. Color MPI_UNDEFINED: *made is NULL; any other integer is a color.
 * @return TUTTI_ERR_UNSUPPORTED on every member of a group all of whose members lead 64 contexts already
 */
tutti_status tutti_comm_split(tutti_comm *parent, int color, int key, tutti_comm **made, tutti_error *error);

/**
 * The same processes in another order, which keeps the map of the parent and adds a permutation of its ranks: the
 * meaning of a color MPI_PERMUTE in MPI_Comm_split (Kamal, Mirtaheri, Wagner 2010, section 7.1). The map is held by all
 * communicators that use it and freed with the last; of one that was permuted itself, that of its parent is used. A
 * parent without a map of its own (all processes, a range) is split. Collective over @p parent.
 * @param rank  the new rank of this process
 * @return TUTTI_ERR_ARGUMENT on every process if the new ranks are not 0 .. size - 1, each once
 */
tutti_status tutti_comm_permute(tutti_comm *parent, int rank, tutti_comm **made, tutti_error *error);

/** MPI_Comm_create by procedure 2, where every member of @p group (ranks of the parent) has the group already.
    Collective over the group; groups that do not overlap may be created at the same time. */
tutti_status tutti_comm_create(tutti_comm *parent, const tutti_map *group, tutti_comm **made, tutti_error *error);

/**
 * Nonblocking creation (section VI), called by the members. A range first .. last of the parent's ranks: at once, no
 * message. Another group: rank 0 of it draws the id and broadcasts it; completed by tutti_comm_wait() or
 * tutti_comm_test(); any number may be outstanding. @p tag (0 .. TUTTI_CONTEXT_TAGS / 4 - 1) keeps apart creations of
 * groups that share more than one process; messages may have the same. Until it is complete the communicator can only
 * be waited for, and @p group and the parent must stay.
 *
 * The id of a range is computed, not agreed on: the same range of the same parent has the same id again. It is refused
 * where the first one still lives (then take the range of that one), and may be made again when no message of the first
 * one is under way anywhere. @{
 */
tutti_status tutti_comm_range(tutti_comm *parent, int first, int last, tutti_comm **made, tutti_error *error);
tutti_status tutti_icomm_create_group(tutti_comm *parent, const tutti_map *group, int tag, tutti_comm **made,
                                      tutti_error *error);
tutti_status tutti_comm_wait(tutti_comm *comm, tutti_error *error);
tutti_status tutti_comm_test(tutti_comm *comm, bool *done, tutti_error *error);
/** @} */

/**
 * Queries that groups as sets cannot answer (Kamal, Mirtaheri, Wagner 2010, section 7.1): ranks of one communicator in
 * another, and whether two have the same members in the same order. Local, without memory; both of one context pool,
 * created completely, else TUTTI_ERR_ARGUMENT. @{
 */
/** @param ranks  [count] ranks of @p a, or -1 (no process) @param translated  [count] receives the ranks of the same
   processes in @p b, or -1 */
tutti_status tutti_comm_translate(const tutti_comm *a, const int *ranks, int count, const tutti_comm *b,
                                  int *translated, tutti_error *error);
tutti_status tutti_comm_compare(const tutti_comm *a, const tutti_comm *b, tutti_map_relation *relation,
                                tutti_error *error);
/** @} */

/**
 * Free. Local: the id is free again when its leader has freed it, and the map when the last process that shares it has.
 * No operation may be under way on it here. *comm becomes NULL.
 *
 * A leader may use its id again while others still hold the communicator. That is safe if all of them free it in the
 * order that MPI requires of MPI_Comm_free, which is collective: then a process that is in the new communicator, too,
 * has freed the old one before it takes part in the creation, and no message of the old one is left for it. Otherwise
 * the creation is refused there, as the tags are taken. Maps are distinguished by more than the id.
 */
tutti_status tutti_comm_free(tutti_comm **comm, tutti_error *error);

/**
 * @name What it is
 * @{
 */
tutti_view *tutti_comm_view(tutti_comm *comm);
tutti_context tutti_comm_context(const tutti_comm *comm);
/** NULL: a range, or all. Of a permuted communicator the permutation: ranks of the one whose map it keeps. */
const tutti_map *tutti_comm_map(const tutti_comm *comm);
/** Bytes that this process holds for it; a map that is shared is counted by the one that made it, in a segment as whole
    pages. Of a permuted communicator without the map that it keeps. */
size_t tutti_comm_bytes(const tutti_comm *comm);
/** @} */

static inline int tutti_map_view_select(const void *map, int rank)
{
  return tutti_map_select((const tutti_map *)map, rank);
}

static inline int tutti_map_view_rank(const void *map, int member)
{
  return tutti_map_rank((const tutti_map *)map, member);
}

/** How views see @p map, which must live as long as the result is used: for tutti_view_mapped(). */
static inline tutti_lookup tutti_map_lookup(const tutti_map *map)
{
  tutti_lookup lookup = {map, tutti_map_size(map), tutti_map_world(map), tutti_map_view_select, tutti_map_view_rank};
  return lookup;
}

#ifdef __cplusplus
}
#endif
#endif
