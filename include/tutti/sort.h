/**
 * @file sort.h
 * @ingroup groups
 * Sorting across the processes of a view: Janus Quicksort (Axtmann, Wiebigke, Sanders 2018, section VII), and two
 * algorithms to compare it with. Element types, algorithm names and output positions need no MPI.
 *
 * Janus Quicksort leaves every process with floor(n / p) or ceil(n / p) elements (the first n mod p have one more),
 * for any p, n, distribution and duplicates of the input. In recursion level after level a task, which is
 * an interval of places in the sorted sequence and the processes that own these places, agrees on a pivot, partitions,
 * and sends small elements to its first places and large ones to its last. The process that owns the place where large
 * ones begin may belong to both subtasks: a janus process works on both at the same time. Tasks of one or two processes
 * are base cases and come last.
 */
#ifndef TUTTI_SORT_H
#define TUTTI_SORT_H

#include <stddef.h>
#include <stdint.h>

#include "tutti/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The type of elements: @p size bytes, which are moved as bytes. */
typedef struct tutti_sort_type {
  size_t size; /**< >= 1 */
  /** < 0, 0, > 0 as in qsort(): a total preorder, the same on all processes. */
  int (*compare)(const void *left, const void *right, void *context);
  void *context;
} tutti_sort_type;

/** Doubles by value (NaN last, -0 equal to 0), 64-bit signed and unsigned integers. @{ */
tutti_sort_type tutti_sort_double(void);
tutti_sort_type tutti_sort_int64(void);
tutti_sort_type tutti_sort_uint64(void);
/** @} */

typedef enum tutti_sort_algorithm {
  TUTTI_SORT_JANUS,     /**< "janus" */
  TUTTI_SORT_SAMPLE,    /**< "sample": p - 1 splitters, one exchange (section IV; Blelloch et al. 1991) */
  TUTTI_SORT_HYPERCUBE, /**< "hypercube": p a power of two, log p exchanges with a partner (Wagar 1987) */
  TUTTI_SORT_ALGORITHMS
} tutti_sort_algorithm;

/** How a process gets the group of a subtask. */
typedef enum tutti_sort_layer {
  TUTTI_SORT_RANGES,             /**< "ranges": a view, no message */
  TUTTI_SORT_CREATE_GROUP,       /**< "create-group": MPI_Comm_create_group of the library */
  TUTTI_SORT_SPLIT,              /**< "split": MPI_Comm_split of the library */
  TUTTI_SORT_CREATE_GROUP_MPICH, /**< "create-group/mpich": what MPICH does in MPI_Comm_create_group, on schedules of
                                    our own (sort_cost): for simulations, whose own is neither scalable nor like it */
  TUTTI_SORT_SPLIT_MPICH,        /**< "split/mpich": the same of MPI_Comm_split */
  TUTTI_SORT_LAYERS
} tutti_sort_layer;

/** Which of its two groups a janus process creates first, where creation blocks (VIII-B, "overlapping"). */
typedef enum tutti_sort_order {
  TUTTI_SORT_ALTERNATING, /**< "alternating": a janus process whose groups are parts of the same task the left one, the
                               others the right one, which alternates along the row of groups */
  TUTTI_SORT_CASCADED,    /**< "cascaded": all the left one */
  TUTTI_SORT_ORDERS
} tutti_sort_order;

/** Senders and receivers in an exchange. */
typedef enum tutti_sort_assignment {
  TUTTI_SORT_GREEDY,        /**< "greedy": places filled in order of the sources; many messages may arrive at one */
  TUTTI_SORT_DETERMINISTIC, /**< "deterministic": at most eight messages to and from each, in every exchange of an input
                                 whose counts are even (floor or ceil of n / p, the larger first); of any other input a
                                 process may have to send more in the first one. Small pieces are combined on a tree;
                                 the one of Axtmann and Sanders (2017) is for groups of fixed sizes */
  TUTTI_SORT_ASSIGNMENTS
} tutti_sort_assignment;

/** Names of the above in quotes, NULL outside; parsers return TUTTI_ERR_ARGUMENT naming the known ones. @{ */
const char *tutti_sort_algorithm_name(tutti_sort_algorithm algorithm);
const char *tutti_sort_layer_name(tutti_sort_layer layer);
const char *tutti_sort_order_name(tutti_sort_order order);
const char *tutti_sort_assignment_name(tutti_sort_assignment assignment);
tutti_status tutti_sort_algorithm_parse(const char *name, tutti_sort_algorithm *algorithm, tutti_error *error);
tutti_status tutti_sort_layer_parse(const char *name, tutti_sort_layer *layer, tutti_error *error);
tutti_status tutti_sort_order_parse(const char *name, tutti_sort_order *order, tutti_error *error);
tutti_status tutti_sort_assignment_parse(const char *name, tutti_sort_assignment *assignment, tutti_error *error);
/** @} */

/** How to sort. The same on all processes. tutti_sort_how_default(). */
typedef struct tutti_sort_how {
  tutti_sort_algorithm algorithm;
  tutti_sort_layer layer;
  tutti_sort_order order;
  tutti_sort_assignment assignment;
  uint64_t seed; /**< of the pivots: the same seed, input and p give the same pivots */
  /** The pivot is the median of max(k1 log2 p, k2 n / p, k3) samples (VIII-A; the paper does not give its constants).
      Defaults 16, 1/64, 16; at most TUTTI_SORT_MAX_SAMPLES. p and n are those of the task. */
  double k1, k2, k3;
  /** In simulation: seconds to compare or move an element, charged n log2 n times for sorting n of them locally and
     once for each element partitioned; and, in layers of MPICH, seconds for an entry of a group's table and for a
     comparison of the sort of its members. Defaults 1e-9, 1.7e-9, 7.4e-9 (docs/ranges.md). */
  double element_cost, entry_cost, compare_cost;
} tutti_sort_how;

#define TUTTI_SORT_MAX_SAMPLES 4096

tutti_sort_how tutti_sort_how_default(void);

/** The first place of process @p rank: rank * floor(n / p) + min(rank, n mod p); and the process that owns a place. @{
 */
uint64_t tutti_sort_first_place(uint64_t n, int p, int rank);
int tutti_sort_owner(uint64_t n, int p, uint64_t place);
/** @} */

typedef struct tutti_view tutti_view; /* of view.h, which needs MPI */

/** Events on this process. */
typedef struct tutti_sort_tally {
  int levels;                 /**< of recursion with messages */
  int janus_levels;           /**< those on which it worked on two groups */
  int groups;                 /**< created that it is a member of */
  uint64_t sent, received;    /**< messages of exchanges */
  int max_sent, max_received; /**< in one exchange of one task */
  uint64_t sent_bytes;
} tutti_sort_tally;

/**
 * Sort. Collective over @p view. Its operations use the view's tag range, its messages the eight tags below the
 * tag range, or, of a view with tags of its own for messages, the last eight of them: no process may send with these
 * while a sort runs. The sort advances the progress of the view, if any, and so its other operations. After a failure
 * messages may be in flight, and memory stays taken.
 * @param input   [count * type->size]; any count on any process, 0 too; not changed
 * @param output  receives the elements of this process, to be freed with free(); NULL if none
 * @param output_count  by janus floor or ceil of n / p; by the others any number
 * @param tally   may be NULL
 * @return TUTTI_ERR_ARGUMENT, TUTTI_ERR_UNSUPPORTED (hypercube: p not a power of two; a layer of MPI on a view with
 *         a map), TUTTI_ERR_MEMORY, TUTTI_ERR_MPI
 */
tutti_status tutti_sort(const tutti_sort_how *how, const tutti_sort_type *type, const void *input, uint64_t count,
                        void **output, uint64_t *output_count, tutti_sort_tally *tally, const tutti_view *view,
                        tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
