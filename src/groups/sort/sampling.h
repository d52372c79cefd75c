/* Work of one process on its own elements, and random samples of a distributed sequence. No MPI. */
#ifndef TUTTI_SORT_SAMPLING_H
#define TUTTI_SORT_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "tutti/sort.h"

/* Element number `index` of an array of elements. */
static inline char *sort_at(const tutti_sort_type *type, const void *data, uint64_t index)
{
  return (char *)data + index * type->size;
}

/* Sort `count` elements where they are. */
void tutti_sort_array(const tutti_sort_type *type, void *data, uint64_t count);

/* Put elements so that the first `first` of them are <= the others; 0 <= first <= count. Expected linear time, no
   memory; the same input gives the same order. */
void tutti_sort_select(const tutti_sort_type *type, void *data, uint64_t count, uint64_t first);

/* How many elements are less than a pivot, and how many are equal to it. */
struct sort_counts {
  uint64_t less, equal;
};

/* Copy `count` elements of `from` to `to`, in order: those less than the pivot, those equal to it, and the rest. */
struct sort_counts tutti_sort_partition(const tutti_sort_type *type, const void *from, uint64_t count,
                                        const void *pivot, void *to);

/* Random samples of a distributed sequence, and the effect of a pivot on it. No MPI. */

/* The number of samples that a task of n elements on p processes takes: at least one. */
int tutti_sort_sample_count(const tutti_sort_how *how, uint64_t n, int p);

/*
 * The number of `samples` drawn with replacement from positions 0 .. n - 1 that are below `position`.
 *
 * Every process computes the same without a message (Sanders, Lamm, Huebschle-Schneider, Schrade, Dachsbacher 2018): an
 * interval of positions is halved, the number of samples in its first half drawn from the binomial distribution with
 * random numbers that depend on seed and interval alone, and a process continues only in the half where `position` is.
 * So one that has positions a .. b - 1 has samples number before(a) .. before(b) - 1, each of them uniformly among its
 * own positions. O(log n) steps of O(samples / 64 + 1).
 */
uint64_t tutti_sort_samples_before(uint64_t seed, uint64_t n, uint64_t samples, uint64_t position);

/* Which of `count` > 0 positions of its process sample number `sample` is. */
uint64_t tutti_sort_sample_position(uint64_t seed, uint64_t sample, uint64_t count);

/* The seed of the task of places low .. high - 1. */
uint64_t tutti_sort_task_seed(uint64_t seed, uint64_t low, uint64_t high);

/* The cut of a task in two. */
struct sort_cut {
  uint64_t small;  /* elements on its first side */
  bool with_equal; /* whether elements equal to the pivot are included */
  bool done;       /* all are equal to the pivot: there is nothing to sort; then all are on the first side */
};

/*
 * The cut of `total` elements, `less` of which are less than the pivot and `equal` >= 1 equal to it, so that no side is
 * empty unless it is done. Section VIII-A switches between "<" and "<=" to handle duplicates; counting both takes no
 * more messages than counting one, and then the cut nearer to the middle is taken.
 */
struct sort_cut tutti_sort_cut(uint64_t less, uint64_t equal, uint64_t total);

#endif
