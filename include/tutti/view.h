/**
 * @file view.h
 * @ingroup mpi
 * A view: the group that a collective runs on, without a communicator of its own.
 *
 * A view has a size, the own rank, a map from its ranks to the ranks of a base communicator, and a tag range. The
 * identity view of a communicator and the views of ranges of it are made in constant time without a message (Axtmann,
 * Wiebigke, Sanders 2018). The base communicator is not duplicated: no other code may send on it with tags of the tag
 * range, or receive from it with MPI_ANY_TAG, while operations run. Duplicate the communicator once where that is too
 * strict.
 *
 * Tags: a view gives its first tag to blocking operations, which their order keeps apart, and the others in turn to
 * nonblocking and persistent ones. All ranks of a view must therefore begin the same operations in the same order, as
 * MPI requires of collectives, and on the same copy of the view. Operations of two views that run at the same time and
 * share more than one process need disjoint tag ranges: tutti_view_tags().
 */
#ifndef TUTTI_VIEW_H
#define TUTTI_VIEW_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "tutti/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Tags that views use by default; below the 32767 that MPI guarantees. */
#define TUTTI_FIRST_TAG 28672
#define TUTTI_TAG_COUNT 4096

typedef struct tutti_progress tutti_progress; /* of run.h */

/** A group map as views see it: any select and its inverse. communicator.h makes one of a tutti_map. */
typedef struct tutti_lookup {
  const void *map; /**< not owned; given to the functions */
  int size;
  int world;                                /**< members are 0 .. world - 1 */
  int (*select)(const void *map, int rank); /**< the member that is rank @p rank, 0 <= rank < size */
  int (*rank)(const void *map, int member); /**< the rank of a member, or -1, 0 <= member < world */
} tutti_lookup;

/** Points at which an operation can be delayed. */
typedef enum tutti_noise_point {
  TUTTI_BEFORE_VERTEX, /**< a message will be posted, or a reduction or copy begun */
  TUTTI_AFTER_WORK,    /**< a reduction or copy is done, which was begun at the last TUTTI_BEFORE_VERTEX */
  TUTTI_BEFORE_END     /**< all vertices are complete, and the rank will continue */
} tutti_noise_point;

/** Delays a rank while its operations run, as a benchmark that injects noise does (noise.h). */
typedef struct tutti_noise_hook {
  void (*inject_noise)(struct tutti_noise_hook *noise_hook,
                       tutti_noise_point noise_point); /**< returns when the rank may continue */
} tutti_noise_hook;

/** Levels of a machine above its nodes: switches, cells, groups. */
#define TUTTI_VIEW_LEVELS 3

/** In which group of each level the ranks are, see tutti_call.levels: the same on all ranks. */
typedef struct tutti_view_levels {
  int count;                   /**< levels, from the lowest up; 0: none is known */
  int *ids[TUTTI_VIEW_LEVELS]; /**< [ranks of the base communicator] a number for the group of each; owned */
} tutti_view_levels;

/** A view. A value of constant size: copy freely; it owns nothing. */
typedef struct tutti_view {
  MPI_Comm comm; /**< base communicator */
  int size;
  int rank;                   /**< own rank in the view, or -1 if the calling process is not in it */
  int first;                  /**< rank r of the view is number i = first + r * stride ... */
  int stride;                 /**< != 0 */
  const tutti_lookup *lookup; /**< ... of the base communicator if this is NULL, else of the map, not owned, whose
                                 member m is rank map_first + m * map_stride of the base communicator */
  int map_first, map_stride;
  int first_tag;            /**< of blocking operations */
  int tag_count;            /**< tags first_tag .. first_tag + tag_count - 1 belong to the view */
  int message_tag;          /**< messages (collectives.h): their tag t travels as message_tag + t ... */
  int message_tags;         /**< ... and is below this number; 0, as a rule: what MPI and view.h allow */
  int begun;                /**< private: nonblocking operations begun, modulo their part of the tag range */
  int prepared;             /**< private: the same of persistent ones */
  tutti_progress *progress; /**< completes nonblocking operations, not owned; NULL: only blocking ones */
  const int *nodes;         /**< by rank of the base communicator, see tutti_call.nodes, not owned; NULL: not known */
  const tutti_view_levels *levels; /**< above the nodes, not owned; NULL: not known */
  tutti_noise_hook *noise_hook;    /**< delays the rank during operations, not owned; NULL: no delay */
} tutti_view;

/** The view of all ranks of @p comm. TUTTI_ERR_MPI if it is not a valid intracommunicator. */
tutti_status tutti_view_of(MPI_Comm comm, tutti_view *view, tutti_error *error);

/**
 * The view of the ranks first, first + stride, ... up to @p last of @p parent (ranks of the parent; stride may be
 * negative, then last <= first). Constant time, no message; every process may call it, member or not. The range has the
 * tags, the progress, the nodes and the levels of its parent.
 * @return TUTTI_ERR_ARGUMENT if the range is empty, leaves the parent or stride is 0.
 */
tutti_status tutti_view_range(const tutti_view *parent, int first, int last, int stride, tutti_view *view,
                              tutti_error *error);

/**
 * The view of the members of a map, which are ranks of @p parent; @p lookup and its map must live as long as the view
 * and its ranges. No message; one RANK to find the own place. Every process may call it, member or not.
 * @return TUTTI_ERR_ARGUMENT if the map's world is larger than the parent; TUTTI_ERR_UNSUPPORTED if the parent has a
 * map itself: join the two with tutti_map_include().
 */
tutti_status tutti_view_mapped(const tutti_view *parent, const tutti_lookup *lookup, tutti_view *view,
                               tutti_error *error);

/**
 * Restrict @p view to @p count of its tags, from number @p offset on (0 is the first one of its tag range). Constant
 * time, no message. With disjoint parts of a tag range views may overlap in any way.
 * @return TUTTI_ERR_ARGUMENT if the view has no such tags or count < 1.
 */
tutti_status tutti_view_tags(tutti_view *view, int offset, int count, tutti_error *error);

/** Whether the ranks of the view are those of its communicator, in their order. */
bool tutti_view_is_whole(const tutti_view *view);

/**
 * Find out which ranks share memory: fills in nodes[0 .. size - 1] and lets @p view, which must be that of a whole
 * communicator, point to it; @p nodes must live as long as the view and its ranges. Collective.
 */
tutti_status tutti_view_find_nodes(tutti_view *view, int *nodes, tutti_error *error);

/**
 * Find the switch, cell or group of the node of each rank: fills in @p levels and lets @p view, which must be that of a
 * whole communicator, point to them. Multi-level algorithms use them and the nodes. Collective.
 * @param path    a table of nodes: fields between tabs, a line of headings, among them first_node, last_node and at
 *                least one of switch, cell and group, then a line for nodes of consecutive numbers. The number of a
 *                node is made of all digits of MPI_Get_processor_name() before a dot. NULL: the file that the variable
 *                TUTTI_LEVELS of the environment names; if it names none there are no levels, and the view stays.
 * @param levels  must outlive the view and its ranges; free with tutti_view_levels_free() in any case
 * @return TUTTI_ERR_IO, TUTTI_ERR_ARGUMENT: of a faulty file FILE:LINE, or the node that is not in it, on the ranks
 *         that see that, on the others the lowest of these ranks; TUTTI_ERR_MEMORY
 */
tutti_status tutti_view_find_levels(tutti_view *view, const char *path, tutti_view_levels *levels, tutti_error *error);

void tutti_view_levels_free(tutti_view_levels *levels);

/** Rank in the base communicator of rank @p rank of the view (0 <= rank < size). */
static inline int tutti_view_base_rank(const tutti_view *view, int rank)
{
  int i = view->first + rank * view->stride;
  return view->lookup ? view->map_first + view->lookup->select(view->lookup->map, i) * view->map_stride : i;
}

/** The inverse: rank in the view of a rank of the base communicator; -1 if it is not in the view. */
int tutti_view_rank_of(const tutti_view *view, int base_rank);

/**
 * The number of processes that are in both views, which must have the same base communicator: 0, 1, or 2 for two and
 * more. With at most one the views do not disturb each other, with any tags (Axtmann, Wiebigke, Sanders 2018, V-A);
 * with more, operations that run on both at the same time need different tags. Constant time for ranges, else that of a
 * walk through the smaller view until two are found.
 */
int tutti_view_overlap(const tutti_view *left, const tutti_view *right);

/**
 * The ranks of a communicator on the node of the calling process, in their order: those that share memory, or, if the
 * library uses no shared memory, those whose hosts have the same name. Collective. Returns an MPI error class.
 */
int tutti_node_split(MPI_Comm comm, MPI_Comm *node);

/** The lowest rank of a communicator on the node of the calling process. Collective. Returns an MPI error class. */
int tutti_node_leader(MPI_Comm comm, int *leader);

#ifdef __cplusplus
}
#endif
#endif
