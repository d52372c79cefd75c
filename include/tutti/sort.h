/**
 * @file sort.h
 * @ingroup sort
 * Sorting across the processes of a view: Janus Quicksort (Axtmann, Wiebigke, Sanders 2018, section VII), and two
 * algorithms to set beside it.
 *
 * Janus Quicksort leaves every process with floor(n / p) or ceil(n / p) elements (the first n mod p have one more),
 * whatever p, n, the distribution of the input and its duplicates are. In recursion level after level a task, which is
 * an interval of places in the sorted sequence and the processes that own these places, agrees on a pivot, partitions,
 * and sends small elements to its first places and large ones to its last. The process that owns the place where large
 * ones begin may belong to both subtasks: a janus process works on both at the same time. Tasks of one or two processes
 * are base cases and come last.
 */
#ifndef TUTTI_SORT_H
#define TUTTI_SORT_H

#include "tutti/message.h"
#include "tutti/sort_type.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What happened on this process. */
typedef struct tutti_sort_tally {
  int levels;                   /**< of recursion with messages */
  int janus_levels;             /**< those on which it worked on two groups */
  int groups;                   /**< created that it is a member of */
  uint64_t sent, received;      /**< messages of exchanges */
  int most_sent, most_received; /**< in one exchange of one task */
  uint64_t sent_bytes;
} tutti_sort_tally;

/**
 * Sort. Collective over @p view. Its operations use the view's window of tags, its messages the eight tags below the
 * window, or, of a view with tags of its own for messages, the last eight of them: nobody may send with these while a
 * sort runs. A view that has a progress is advanced by it; its other operations go on meanwhile. After a failure
 * messages may be in flight, and memory stays taken.
 * @param input   [count * type->size]; any count on any process, 0 too; not changed
 * @param output  receives the elements of this process, to be freed with free(); NULL if none
 * @param output_count  by janus floor or ceil of n / p; by the others as it comes
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
