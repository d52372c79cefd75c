/* What one process does with elements of its own. No MPI. */
#ifndef TUTTI_SORT_LOCAL_H
#define TUTTI_SORT_LOCAL_H

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

#endif
