#include "sort/local.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix64.h"

void tutti_sort_array(const tutti_sort_type *type, void *data, uint64_t count)
{
  if (count > 1)
    qsort_r(data, (size_t)count, type->size, type->compare, type->context);
}

/* ---- quickselect (Hoare 1961), in three parts so that duplicates do no harm (Dijkstra's Dutch flag) ---- */

static void swap(const tutti_sort_type *type, char *left, char *right)
{
  enum { PIECE = 64 };
  char piece[PIECE];
  for (size_t done = 0; left != right && done < type->size; done += PIECE) {
    size_t size = type->size - done < PIECE ? type->size - done : PIECE;
    memcpy(piece, left + done, size);
    memcpy(left + done, right + done, size);
    memcpy(right + done, piece, size);
  }
}

static int compare(const tutti_sort_type *type, const void *left, const void *right)
{
  return type->compare(left, right, type->context);
}

/* Elements low .. high - 1 into those less than, equal to, and greater than the one at `low`, which moves along as the
   first of the equal ones: they are *equal .. *greater - 1. */
static void part(const tutti_sort_type *type, char *data, uint64_t low, uint64_t high, uint64_t *equal,
                 uint64_t *greater)
{
  uint64_t less = low, next = low + 1;
  while (next < high) {
    int order = compare(type, sort_at(type, data, next), sort_at(type, data, less));
    if (order < 0)
      swap(type, sort_at(type, data, less++), sort_at(type, data, next++));
    else if (order > 0)
      swap(type, sort_at(type, data, next), sort_at(type, data, --high));
    else
      next++;
  }
  *equal = less;
  *greater = high;
}

void tutti_sort_select(const tutti_sort_type *type, void *data, uint64_t count, uint64_t first)
{
  uint64_t low = 0, high = count, random = count, equal, greater;
  while (high - low > 1 && first > low && first < high) {
    uint64_t pivot = low + tutti_splitmix64_next(&random) % (high - low);
    swap(type, sort_at(type, data, low), sort_at(type, data, pivot));
    part(type, data, low, high, &equal, &greater);
    if (first >= equal && first <= greater)
      return;
    if (first < equal)
      high = equal;
    else
      low = greater;
  }
}

/* ---- partition ---- */

struct sort_counts tutti_sort_partition(const tutti_sort_type *type, const void *from, uint64_t count,
                                        const void *pivot, void *to)
{
  struct sort_counts counts = {0, 0};
  for (uint64_t i = 0; i < count; i++) {
    int order = compare(type, sort_at(type, from, i), pivot);
    counts.less += order < 0;
    counts.equal += order == 0;
  }
  uint64_t next[3] = {0, counts.less, counts.less + counts.equal};
  for (uint64_t i = 0; i < count; i++) {
    const char *element = sort_at(type, from, i);
    int order = compare(type, element, pivot);
    memcpy(sort_at(type, to, next[(order >= 0) + (order > 0)]++), element, type->size);
  }
  return counts;
}
