/* Hypercube quicksort (Wagar 1987, hyperquicksort; Axtmann, Wiebigke, Sanders 2018, section IV) on p = 2^k processes.

   Every process sorts first. On each of k levels the processes of a group agree on a pivot, about the median of all
   their elements; a process keeps the elements of its half of the group, exchanges the others with its partner in the
   other half, and merges. Groups are ranges of the view.

       p = 4:   0 <-> 2, 1 <-> 3 by the pivot of 0..3;   then   0 <-> 1 and 2 <-> 3 by their own

   Balance is that of the pivots, and gets worse from level to level; equal elements stay together. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "groups/sort/sorting.h"

/* A run of sorted elements. */
struct run {
  const char *data;
  uint64_t count;
};

/* ---- local steps ---- */

/* The number of elements that are not greater than the pivot. */
static uint64_t count_small(const struct sort *sort, const struct sort_elements *own, const char *pivot)
{
  const tutti_sort_type *type = sort->type;
  return TUTTI_PARTITION_POINT(uint64_t, i, 0, own->count,
                               type->compare(sort_at(type, own->data, i), pivot, type->context) <= 0);
}

static void merge(const struct sort *sort, struct run left, struct run right, char *target)
{
  const tutti_sort_type *type = sort->type;
  tutti_sort_charge(sort, left.count + right.count);
  while (left.count > 0 && right.count > 0) {
    struct run *smaller = type->compare(left.data, right.data, type->context) <= 0 ? &left : &right;
    memcpy(target, smaller->data, type->size);
    target += type->size;
    smaller->data += type->size;
    smaller->count--;
  }
  memcpy(target, left.data, left.count * type->size);
  memcpy(target + left.count * type->size, right.data, right.count * type->size);
}

/* ---- exchange with the partner ---- */

/* Both ways at once. */
static tutti_status swap(const struct sort *sort, const tutti_view *group, int partner, const void *out,
                         uint64_t out_bytes, void *in, uint64_t in_bytes)
{
  tutti_request *requests[2] = {NULL, NULL};
  int tag = sort_tag(group, 0);
  tutti_status status = tutti_irecv(in, in_bytes, MPI_BYTE, partner, tag, group, &requests[0], sort->error);
  if (status == TUTTI_OK)
    status = tutti_isend(out, out_bytes, MPI_BYTE, partner, tag, group, &requests[1], sort->error);
  return status == TUTTI_OK ? tutti_waitall(2, requests, sort->error) : status;
}

static tutti_status swap_elements(const struct sort *sort, const tutti_view *group, int partner, struct run out,
                                  char *in, uint64_t in_count)
{
  if (out.count > INT_MAX || in_count > INT_MAX)
    return tutti_fail(sort->error, TUTTI_ERR_UNSUPPORTED, "rank %d: a message of %llu elements", sort->view.rank,
                      (unsigned long long)(out.count > in_count ? out.count : in_count));
  return swap(sort, group, partner, out.data, out.count * sort->type->size, in, in_count * sort->type->size);
}

static void count_message(struct sort *sort, uint64_t out_count)
{
  tutti_sort_tally *tally = &sort->tally;
  tally->sent++;
  tally->received++;
  tally->max_sent = tally->max_received = 1;
  tally->sent_bytes += out_count * sort->type->size;
}

static tutti_status exchange(struct sort *sort, const tutti_view *group, struct run keep, struct run give,
                             struct sort_elements *own)
{
  int partner = group->rank ^ (group->size / 2);
  uint64_t coming = 0;
  tutti_status status = swap(sort, group, partner, &give.count, sizeof give.count, &coming, sizeof coming);
  if (status != TUTTI_OK)
    return status;
  char *arrived = tutti_sort_room(sort, coming), *merged = tutti_sort_room(sort, keep.count + coming);
  status = arrived && merged ? swap_elements(sort, group, partner, give, arrived, coming) : TUTTI_ERR_MEMORY;
  if (status == TUTTI_OK) {
    count_message(sort, give.count);
    merge(sort, keep, (struct run){arrived, coming}, merged);
    free(own->data);
    *own = (struct sort_elements){merged, keep.count + coming};
    merged = NULL;
  }
  free(arrived);
  free(merged);
  return status;
}

/* ---- one level ---- */

/* The number of samples of each process such that the group has the number for a pivot (VIII-A). They are evenly
   spaced: an odd number of them includes the process's own median. */
static uint64_t samples_of_each(const tutti_sort_how *how, int size)
{
  double all = fmin(fmax(how->k1 * log2(size), how->k3), TUTTI_SORT_MAX_SAMPLES);
  return (uint64_t)ceil(all / size) | 1;
}

static tutti_status halve(struct sort *sort, const tutti_view *group, struct sort_elements *own)
{
  const struct sort_sampling sampling = {.parts = 2, .most = samples_of_each(sort->how, group->size), .ordered = true};
  struct sort_splitters pivot;
  tutti_status status = tutti_sort_split(sort, group, &sampling, own->data, own->count, &pivot);
  if (status == TUTTI_OK && pivot.total > 0) {
    uint64_t small = count_small(sort, own, pivot.elements);
    struct run low = {own->data, small}, high = {sort_at(sort->type, own->data, small), own->count - small};
    bool left = group->rank < group->size / 2;
    status = exchange(sort, group, left ? low : high, left ? high : low, own);
  }
  free(pivot.memory);
  return status;
}

/* The half of a group that the process is in. */
static tutti_status descend(struct sort *sort, tutti_view *group)
{
  int half = group->size / 2, first = group->rank < half ? 0 : half;
  const tutti_view parent = *group;
  sort->tally.groups++;
  return tutti_view_range(&parent, first, first + half - 1, 1, group, sort->error);
}

tutti_status tutti_sort_by_hypercube(struct sort *sort, const void *input, uint64_t count, struct sort_elements *output)
{
  int size = sort->view.size;
  if (!tutti_is_power_of_two((uint64_t)size))
    return tutti_fail(sort->error, TUTTI_ERR_UNSUPPORTED,
                      "hypercube quicksort needs a power of two of processes, not %d", size);
  tutti_status status = tutti_sort_copy(sort, input, count, output);
  if (status != TUTTI_OK)
    return status;
  tutti_sort_locally(sort, output->data, count);
  tutti_view group = sort->view;
  while (status == TUTTI_OK && group.size > 1) {
    status = halve(sort, &group, output);
    sort->tally.levels++;
    if (status == TUTTI_OK)
      status = descend(sort, &group);
  }
  return status;
}
