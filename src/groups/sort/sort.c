#include "groups/sort/sorting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/mpi/simulation.h"

static sort_algorithm *const algorithms[TUTTI_SORT_ALGORITHMS] = {
    [TUTTI_SORT_JANUS] = tutti_sort_by_janus,
    [TUTTI_SORT_SAMPLE] = tutti_sort_by_sample,
    [TUTTI_SORT_HYPERCUBE] = tutti_sort_by_hypercube,
};

/* ---- what algorithms share ---- */

void tutti_sort_charge(const struct sort *sort, uint64_t count)
{
  tutti_runtime_pause((double)count * sort->how->element_cost);
}

void tutti_sort_locally(const struct sort *sort, void *data, uint64_t count)
{
  tutti_sort_array(sort->type, data, count);
  if (count > 1)
    tutti_runtime_pause((double)count * log2((double)count) * sort->how->element_cost);
}

char *tutti_sort_room(const struct sort *sort, uint64_t count)
{
  char *room = count < SIZE_MAX / sort->type->size ? malloc((count ? count : 1) * sort->type->size) : NULL;
  if (!room)
    tutti_fail(sort->error, TUTTI_ERR_MEMORY, "rank %d: no memory for %llu elements of %zu bytes", sort->view.rank,
               (unsigned long long)count, sort->type->size);
  return room;
}

tutti_status tutti_sort_copy(const struct sort *sort, const void *input, uint64_t count, struct sort_elements *copy)
{
  *copy = (struct sort_elements){tutti_sort_room(sort, count), count};
  if (!copy->data)
    return TUTTI_ERR_MEMORY;
  if (count > 0)
    memcpy(copy->data, input, (size_t)(count * sort->type->size));
  return TUTTI_OK;
}

/* ---- the call ---- */

/* All elements must have a number, and a process room for those of all. */
static tutti_status check_input(const tutti_sort_type *type, const void *input, uint64_t count, const tutti_view *view,
                                tutti_error *error)
{
  if (count > INT64_MAX / type->size / (uint64_t)view->size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "rank %d: %llu elements of %zu bytes, on each of %d processes, are too many", view->rank,
                      (unsigned long long)count, type->size, view->size);
  if (!input && count > 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: %llu elements at no address", view->rank,
                      (unsigned long long)count);
  return TUTTI_OK;
}

static tutti_status check_call(const tutti_sort_how *how, const tutti_sort_type *type, const tutti_view *view,
                               tutti_error *error)
{
  if (!tutti_sort_algorithm_name(how->algorithm) || !tutti_sort_layer_name(how->layer) ||
      !tutti_sort_order_name(how->order) || !tutti_sort_assignment_name(how->assignment))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "sort: no such algorithm, layer, order or assignment");
  if (!(how->k1 >= 0) || !(how->k2 >= 0) || !(how->k3 >= 0))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "sort: k1, k2 and k3 must not be negative");
  if (type->size < 1 || !type->compare)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "sort: elements need a size and an order");
  if (view->rank < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "sort: the calling process is not in the view of %d ranks",
                      view->size);
  return TUTTI_OK;
}

/* Hand over the result. After a failure messages may be in flight, and their memory must stay. */
static void deliver(tutti_status status, const struct sort_elements *sorted, void **output, uint64_t *output_count)
{
  if (status == TUTTI_OK && sorted->count == 0)
    free(sorted->data);
  bool any = status == TUTTI_OK && sorted->count > 0;
  *output = any ? sorted->data : NULL;
  *output_count = any ? sorted->count : 0;
}

tutti_status tutti_sort(const tutti_sort_how *how, const tutti_sort_type *type, const void *input, uint64_t count,
                        void **output, uint64_t *output_count, tutti_sort_tally *tally, const tutti_view *view,
                        tutti_error *error)
{
  struct sort_elements sorted = {NULL, 0};
  tutti_progress own; /* if the caller has none */
  tutti_status status = check_call(how, type, view, error);
  if (status == TUTTI_OK)
    status = check_input(type, input, count, view, error);
  deliver(status, &sorted, output, output_count); /* nothing so far */
  if (status != TUTTI_OK)
    return status;
  tutti_progress_init(&own);
  struct sort sort = {.how = how, .type = type, .view = *view, .random = how->seed, .error = error};
  if (!view->progress)
    sort.view.progress = &own;
  status = algorithms[how->algorithm](&sort, input, count, &sorted);
  if (status == TUTTI_OK) /* else messages may be in flight */
    tutti_progress_free(&own);
  if (tally)
    *tally = sort.tally;
  deliver(status, &sorted, output, output_count);
  return status;
}
